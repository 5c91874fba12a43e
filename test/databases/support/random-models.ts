import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import type { Chance } from "../../support/chance.ts";

type Open<T> = T extends readonly (infer U)[]
  ? Open<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Open<T[K]> }
    : T;

/** A model that can be changed in its place. */
export type OpenModel = Open<Omit<ModelDocument, "entities" | "relationships">> & {
  entities: OpenEntity[];
  relationships: (Open<Omit<ModelDocument["relationships"][number], "keyPairs">> & { keyPairs: [string, string][] })[];
};
type Entity = ModelDocument["entities"][number];
export type OpenEntity = Open<Omit<Entity, "attributes" | "primaryKey">> & {
  attributes: OpenAttribute[];
  primaryKey: string[];
};
type OpenAttribute = Open<Omit<Entity["attributes"][number], "constraints" | "properties">> & {
  constraints?: Record<string, unknown>;
  properties?: Record<string, number>;
};

export const closed = (model: OpenModel): ModelDocument => model as unknown as ModelDocument;

const NAMES = ["order", "a b", 'it"s', "Née", "x", "select", "line", "sum", "kind", "mail", "total", "made at", "part"];
const TEXTS = ["One.", "It's two\nlines; -- so", "Drei"];
const TYPES = [
  ...["smallint", "integer", "bigint", "numeric", "real", "double precision", "text", "varchar", "char", "date"],
  ...["timestamp", "timestamptz", "boolean", "uuid", "jsonb", "interval"],
];
const LETTERS = ["a", "b", "it's", "d d", "é"];

/** How models are drawn and changed. */
export interface Drawing {
  readonly chance: Chance;
  /** A key that no object of these has. */
  readonly freshKey: (taken: readonly { readonly key: string }[]) => string;
  readonly freshId: () => string;
}

/** A drawing with the numbers of a chance. */
export function createDrawing(chance: Chance): Drawing {
  let ids = 0;
  return {
    chance,
    freshId: () => `id-${++ids}`,
    freshKey: (taken) => {
      const free = NAMES.filter((name) => !taken.some(({ key }) => key === name));
      return free.length > 0 ? chance.pick(free) : `x${++ids}`;
    },
  };
}

/** A model of tables of all types with keys, checks, defaults, comments and foreign keys. */
export function drawnModel(drawing: Drawing): OpenModel {
  const { chance } = drawing;
  const model: OpenModel = {
    ...{ $schema: "urn:metaction:model:2", key: "m", name: "M", version: "1.0.0", authority: "system" },
    ...{ types: [], entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
  };
  for (let i = 1 + chance.below(4); i > 0; i--) addEntity(drawing, model);
  for (let i = chance.below(3); i > 0; i--) addRelationship(drawing, model);
  return model;
}

/** The ref of a type, which the model has from then on. */
export function typeNamed(drawing: Drawing, model: OpenModel, key: string): string {
  if (!model.types.some((type) => type.key === key)) model.types.push({ id: drawing.freshId(), key });
  return `key:${key}`;
}

/** The values of an enum, which all its attributes have. */
export function enumValues(model: OpenModel, key: string): string[] | undefined {
  const all = model.entities.flatMap(({ attributes }) => attributes);
  const found = all.find(({ type }) => type === `key:${key}`)?.constraints?.enum;
  return Array.isArray(found) ? [...found] : undefined;
}

/** Gives an attribute another type with constraints that fit. */
export function setType(drawing: Drawing, model: OpenModel, attribute: OpenAttribute): void {
  const { chance } = drawing;
  delete attribute.constraints;
  delete attribute.properties;
  if (chance.happens(0.15)) {
    const key = chance.pick(["enum a", "enum b"]);
    const values = enumValues(model, key) ?? LETTERS.filter(() => chance.happens(0.5)).concat("z");
    attribute.type = typeNamed(drawing, model, key);
    attribute.constraints = { enum: values, ...(chance.happens(0.4) && { default: chance.pick(values) }) };
    return;
  }
  const type = chance.pick(TYPES);
  attribute.type = typeNamed(drawing, model, type);
  const constraints = constraintsFor(chance, type);
  if (Object.keys(constraints).length > 0) attribute.constraints = constraints;
  if (type === "numeric" && chance.happens(0.5))
    attribute.properties = { "sql:precision": 12 + chance.below(8), "sql:scale": chance.below(3) };
}

function constraintsFor(chance: Chance, type: string): Record<string, unknown> {
  const maybe = (probability: number, made: object): object => (chance.happens(probability) ? made : {});
  if (/int$|integer|numeric/.test(type))
    return {
      ...maybe(0.3, { minimum: chance.below(5) }),
      ...maybe(0.3, { maximum: 50 + chance.below(50) }),
      ...maybe(0.15, { multipleOf: chance.pick([1, 2, 4]) }),
      ...maybe(0.3, { default: chance.pick([8, 12]) }),
    };
  if (/real|double/.test(type))
    return { ...maybe(0.3, { exclusiveMinimum: -chance.below(5) - 1 }), ...maybe(0.3, { default: 1.5 }) };
  if (/text|char/.test(type))
    return {
      ...maybe(0.3, { minLength: chance.below(2) }),
      ...maybe(type === "text" ? 0.2 : 0.8, { maxLength: 10 + chance.below(10) }),
      ...maybe(0.15, { enum: ["it's", "b", "\\"] }),
      ...maybe(0.3, { default: chance.pick(["it's", "b"]) }),
    };
  const value = { date: "2020-01-02", timestamp: "2020-01-02 03:04", boolean: true, jsonb: { a: ["'"] } }[type];
  return value === undefined ? {} : { ...maybe(0.3, { default: value }) };
}

function described(chance: Chance): { description?: string } {
  return chance.happens(0.4) ? { description: chance.pick(TEXTS) } : {};
}

/** Adds an attribute of some type. */
export function addAttribute(
  drawing: Drawing,
  model: OpenModel,
  entity: OpenEntity,
  optional?: boolean,
): OpenAttribute {
  const { chance } = drawing;
  const attribute: OpenAttribute = {
    ...{ id: drawing.freshId(), key: drawing.freshKey(entity.attributes), type: "" },
    ...{ optional: optional ?? chance.happens(0.6), ...described(chance) },
  };
  setType(drawing, model, attribute);
  entity.attributes.push(attribute);
  return attribute;
}

/** Adds an entity with attributes and keys. */
export function addEntity(drawing: Drawing, model: OpenModel): OpenEntity {
  const { chance } = drawing;
  const key = drawing.freshKey(model.entities);
  const entity: OpenEntity = { id: drawing.freshId(), key, ...described(chance), attributes: [], primaryKey: [] };
  model.entities.push(entity);
  for (let i = chance.below(5); i > 0; i--) addAttribute(drawing, model, entity);
  if (chance.happens(0.7)) setPrimaryKey(drawing, entity);
  for (let i = chance.below(3); i > 0; i--) addBusinessKey(drawing, model, entity);
  return entity;
}

/** Makes some attributes the primary key. */
export function setPrimaryKey({ chance }: Drawing, entity: OpenEntity): void {
  entity.primaryKey = entity.attributes.filter(() => chance.happens(0.4)).map(({ key }) => `key:${key}`);
}

/** Adds a business key of some attributes. */
export function addBusinessKey(drawing: Drawing, model: OpenModel, entity: OpenEntity): void {
  const participants = entity.attributes.filter(() => drawing.chance.happens(0.4)).map(({ key }) => `key:${key}`);
  const key = drawing.freshKey(model.businessKeys);
  if (participants.length === 0) return;
  model.businessKeys.push({ id: drawing.freshId(), key, entity: `key:${entity.key}`, participants });
}

/** Adds attributes that refer to the key of an entity, and the relationship that says so. */
export function addRelationship(drawing: Drawing, model: OpenModel, isNew = false): void {
  const { chance } = drawing;
  const keyed = model.entities.filter(({ primaryKey }) => primaryKey.length > 0);
  if (keyed.length === 0) return;
  const [to, from] = [chance.pick(keyed), isNew ? addEntity(drawing, model) : chance.pick(model.entities)];
  const keyPairs = to.primaryKey.map((ref): [string, string] => {
    const referred = to.attributes.find(({ key }) => `key:${key}` === ref);
    const attribute = addAttribute(drawing, model, from, true);
    if (referred) attribute.type = referred.type;
    delete attribute.constraints;
    delete attribute.properties;
    const values = referred?.constraints?.enum;
    if (values && referred.type.startsWith("key:enum ")) attribute.constraints = { enum: values };
    return [`key:${attribute.key}`, ref];
  });
  model.relationships.push({
    ...{ id: drawing.freshId(), key: drawing.freshKey(model.relationships), ...described(chance) },
    roles: [
      { key: "from", entity: `key:${from.key}`, cardinality: "many" },
      { key: "to", entity: `key:${to.key}`, cardinality: "zeroOrOne" },
    ],
    ...{ keyPairs, attributes: [] },
  });
}
