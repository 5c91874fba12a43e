import {
  addAttribute,
  addBusinessKey,
  addEntity,
  addRelationship,
  type Drawing,
  enumValues,
  type OpenEntity,
  type OpenModel,
  setPrimaryKey,
  setType,
  typeNamed,
} from "./random-models.ts";

type Change = (drawing: Drawing, model: OpenModel) => void;
type Changes = Readonly<Record<string, Change>>;

function renameEntity({ chance, freshKey }: Drawing, model: OpenModel) {
  renamedTo(model, chance.pick(model.entities), freshKey(model.entities));
}

function renamedTo(model: OpenModel, entity: OpenEntity, is: string) {
  const was = `key:${entity.key}`;
  entity.key = is;
  for (const key of model.businessKeys) if (key.entity === was) key.entity = `key:${is}`;
  for (const role of model.relationships.flatMap(({ roles }) => roles))
    if (role.entity === was) role.entity = `key:${is}`;
}

function renameAttribute(model: OpenModel, entity: OpenEntity, was: string, is: string) {
  const renamed = (ref: string) => (ref === `key:${was}` ? `key:${is}` : ref);
  for (const one of entity.attributes) if (one.key === was) one.key = is;
  entity.primaryKey = entity.primaryKey.map(renamed);
  for (const key of model.businessKeys)
    if (key.entity === `key:${entity.key}`) key.participants = key.participants.map(renamed);
  for (const relationship of model.relationships) {
    const own = relationship.roles.map((role) => role.entity === `key:${entity.key}`);
    relationship.keyPairs = relationship.keyPairs.map(([a, b]) => [own[0] ? renamed(a) : a, own[1] ? renamed(b) : b]);
  }
}

function anAttribute({ chance }: Drawing, model: OpenModel) {
  const filled = model.entities.filter(({ attributes }) => attributes.length > 0);
  if (filled.length === 0) return undefined;
  const entity = chance.pick(filled);
  return { entity, attribute: chance.pick(entity.attributes) };
}

function isJoined({ relationships }: OpenModel, entity: string, attribute: string) {
  return relationships.some(({ roles, keyPairs }) =>
    keyPairs.some((pair) => pair.some((ref, i) => roles[i]?.entity === `key:${entity}` && ref === `key:${attribute}`)),
  );
}

const WIDER: Readonly<Record<string, string>> = {
  ...{ smallint: "integer", integer: "bigint", bigint: "numeric", real: "double precision", date: "timestamp" },
  ...{ varchar: "text", uuid: "text" },
};

/** Changes that lose nothing, and that no row refuses. */
export const MILD: Changes = {
  entityComes: (drawing, model) => void addEntity(drawing, model),
  entityRenamed: renameEntity,
  attributeComes: (drawing, model) => void addAttribute(drawing, model, drawing.chance.pick(model.entities), true),
  filledAttributeComes: (drawing, model) => {
    const made = addAttribute(drawing, model, drawing.chance.pick(model.entities), true);
    if (made.constraints?.default !== undefined) made.optional = false;
  },
  attributeRenamed: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (at) renameAttribute(model, at.entity, at.attribute.key, drawing.freshKey(at.entity.attributes));
  },
  attributesSwapped: (drawing, model) => {
    const at = anAttribute(drawing, model);
    const other = at?.entity.attributes.find(({ key }) => key !== at.attribute.key)?.key;
    if (!at || other === undefined) return;
    const one = at.attribute.key;
    renameAttribute(model, at.entity, one, "aside");
    renameAttribute(model, at.entity, other, one);
    renameAttribute(model, at.entity, "aside", other);
  },
  mayBeAbsent: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (at) at.attribute.optional = true;
  },
  wider: (drawing, model) => {
    const at = anAttribute(drawing, model);
    const to = at && WIDER[at.attribute.type.slice("key:".length)];
    if (!to || at.attribute.properties || isJoined(model, at.entity.key, at.attribute.key)) return;
    at.attribute.type = typeNamed(drawing, model, to);
  },
  boundsGo: (drawing, model) => {
    const constraints = anAttribute(drawing, model)?.attribute.constraints;
    for (const keyword of ["minimum", "maximum", "multipleOf", "minLength"]) delete constraints?.[keyword];
  },
  boundsWiden: (drawing, model) => {
    const constraints = anAttribute(drawing, model)?.attribute.constraints;
    const add = (keyword: string, by: number) => {
      if (typeof constraints?.[keyword] === "number") constraints[keyword] += by;
    };
    add("minimum", -1);
    add("maximum", 10);
    add("maxLength", drawing.chance.below(3));
  },
  defaultChanges: (drawing, model) => {
    const constraints = anAttribute(drawing, model)?.attribute.constraints;
    if (constraints?.default === 8) constraints.default = 12;
    else if (constraints?.default !== undefined) delete constraints.default;
  },
  valueComes: (drawing, model) => {
    const key = drawing.chance.pick(["enum a", "enum b"]);
    const values = enumValues(model, key);
    if (!values) return;
    const value = `v${values.length}`;
    values.splice(drawing.chance.below(values.length + 1), 0, value);
    const isDefault = drawing.chance.happens(0.3);
    setValues(model, key, (before) => ({ ...before, enum: values, ...(isDefault && { default: value }) }));
  },
  enumRenamed: ({ chance }, model) => {
    const type = model.types.find(({ key }) => key.startsWith("enum "));
    const is = `enum ${chance.pick(["c", "d", "e"])}`;
    if (!type || model.types.some(({ key }) => key === is)) return;
    const was = `key:${type.key}`;
    type.key = is;
    for (const one of model.entities.flatMap(({ attributes }) => attributes))
      if (one.type === was) one.type = `key:${is}`;
  },
  described: ({ chance }, { entities, relationships, types }) => {
    const attributes = entities.flatMap((entity) => entity.attributes);
    const one = chance.pick([...entities, ...attributes, ...relationships, ...types]);
    if (chance.happens(0.3)) delete one.description;
    else one.description = chance.pick(["New.", "It's new\nand longer"]);
  },
  relationshipComes: (drawing, model) => addRelationship(drawing, model, drawing.chance.happens(0.5)),
  relationshipRenamed: ({ chance, freshKey }, { relationships }) => {
    if (relationships.length > 0) chance.pick(relationships).key = freshKey(relationships);
  },
};

/** Changes of whether a column numbers its rows. */
export const NUMBERED: Changes = {
  numbered: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (!at || !/^key:(smallint|integer|bigint)$/.test(at.attribute.type)) return;
    if (isJoined(model, at.entity.key, at.attribute.key)) return;
    delete at.attribute.constraints;
    at.attribute.optional = false;
    at.attribute.type = typeNamed(drawing, model, SERIALS[at.attribute.type] ?? "serial");
  },
  numberedNoMore: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (at?.attribute.type === "key:serial") at.attribute.type = typeNamed(drawing, model, "integer");
  },
  numberedComes: (drawing, model) => {
    const made = addAttribute(drawing, model, drawing.chance.pick(model.entities), false);
    delete made.constraints;
    delete made.properties;
    made.type = typeNamed(drawing, model, "serial");
  },
};

/** Puts the tables and enums of a model into the schemas that are said for their ids. */
export function placedModel(model: OpenModel, schemaOf: (id: string) => string): OpenModel {
  const placed = structuredClone(model);
  for (const entity of placed.entities) renamedTo(placed, entity, `${schemaOf(entity.id ?? "")}.${entity.key}`);
  const attributes = placed.entities.flatMap((entity) => entity.attributes);
  for (const type of placed.types.filter(({ key }) => key.startsWith("enum "))) {
    const [was, is] = [type.key, `${schemaOf(type.id ?? "")}.${type.key}`];
    type.key = is;
    for (const one of attributes) if (one.type === `key:${was}`) one.type = `key:${is}`;
  }
  return placed;
}

const SERIALS: Readonly<Record<string, string>> = { "key:smallint": "smallserial", "key:bigint": "bigserial" };

type Constraints = Record<string, unknown>;

function setValues(model: OpenModel, key: string, make: (before: Constraints | undefined) => Constraints) {
  for (const one of model.entities.flatMap(({ attributes }) => attributes))
    if (one.type === `key:${key}`) one.constraints = make(one.constraints);
}

/** Changes that lose something, or that rows may refuse. */
export const HARSH: Changes = {
  entityGoes: ({ chance }, model) => {
    if (model.entities.length < 2) return;
    const { key } = chance.pick(model.entities);
    model.entities = model.entities.filter((one) => one.key !== key);
    model.businessKeys = model.businessKeys.filter(({ entity }) => entity !== `key:${key}`);
    model.relationships = model.relationships.filter(({ roles }) =>
      roles.every(({ entity }) => entity !== `key:${key}`),
    );
  },
  attributeGoes: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (!at || isJoined(model, at.entity.key, at.attribute.key)) return;
    const ref = `key:${at.attribute.key}`;
    at.entity.attributes = at.entity.attributes.filter((one) => one !== at.attribute);
    at.entity.primaryKey = at.entity.primaryKey.filter((one) => one !== ref);
    for (const key of model.businessKeys)
      if (key.entity === `key:${at.entity.key}`) key.participants = key.participants.filter((one) => one !== ref);
    model.businessKeys = model.businessKeys.filter(({ participants }) => participants.length > 0);
  },
  typeChanges: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (at) setType(drawing, model, at.attribute);
  },
  isRequired: (drawing, model) => {
    const at = anAttribute(drawing, model);
    if (at) at.attribute.optional = false;
  },
  requiredComes: (drawing, model) => void addAttribute(drawing, model, drawing.chance.pick(model.entities), false),
  primaryKeyChanges: (drawing, model) => setPrimaryKey(drawing, drawing.chance.pick(model.entities)),
  businessKeyComes: (drawing, model) => addBusinessKey(drawing, model, drawing.chance.pick(model.entities)),
  businessKeyGoes: ({ chance }, { businessKeys }) => void businessKeys.splice(chance.below(businessKeys.length + 1), 1),
  relationshipGoes: ({ chance }, { relationships }) =>
    void relationships.splice(chance.below(relationships.length + 1), 1),
  valueGoes: ({ chance }, model) => {
    const key = chance.pick(["enum a", "enum b"]);
    const values = enumValues(model, key)?.slice(1) ?? [];
    if (values.length > 0) setValues(model, key, () => ({ enum: values }));
  },
  boundsNarrow: (drawing, model) => {
    const constraints = anAttribute(drawing, model)?.attribute.constraints;
    if (typeof constraints?.minimum === "number") constraints.minimum += 1;
  },
};

/** The same model after some changes, its objects with the ids that they had. */
export function changedModel(drawing: Drawing, model: OpenModel, changes: Changes): OpenModel {
  const changed = structuredClone(model);
  for (let i = 1 + drawing.chance.below(6); i > 0; i--) drawing.chance.pick(Object.values(changes))(drawing, changed);
  const used = new Set(changed.entities.flatMap(({ attributes }) => attributes.map(({ type }) => type)));
  changed.types = changed.types.filter(({ key }) => used.has(`key:${key}`));
  return changed;
}
