import { may, need, needNamed, type RefAction } from "./reference-action.ts";
import { PAGING, page } from "./reference-lists.ts";
import { badParameters, Refusal } from "./reference-problem.ts";
import { named, type RefAttribute, type RefEntity, type RefType } from "./reference-state.ts";
import { fieldsSet, keySet, requireFree, written } from "./reference-writes.ts";

const modelRef = need("ModelRef");
const onType = { modelRef, typeRef: need("TypeRef") };
const onEntity = { modelRef, entityRef: need("EntityRef") };
const onAttribute = { ...onEntity, attributeRef: need("EntityAttributeRef") };
const texts = { name: may("TextSingleLine"), description: may("TextMarkdown") };

const write = (params: RefAction["params"], run: RefAction["run"]): RefAction => ({
  rule: "model_write",
  writes: true,
  params,
  run,
});
const read = (params: RefAction["params"], run: RefAction["run"]): RefAction => ({
  rule: "model_read",
  writes: false,
  params,
  run,
});

const typeRow = ({ id, key, name, description }: RefType) => ({ id, key, name, description });
const entityRow = ({ attributes: _, primaryKey, ...own }: RefEntity) => ({
  ...own,
  primaryKey: primaryKey.map((id) => `id:${id}`),
});
const attributeRow = ({ type, ...own }: RefAttribute) => ({ ...own, type: `id:${type}` });

/** What an object is called, from the parameters of the action that makes it. */
const described = (input: Readonly<Record<string, unknown>>) => ({
  name: input.name as string | undefined,
  description: input.description as string | undefined,
});

/** The `type_*` actions. */
export const TYPE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/type_create": write({ modelRef, typeKey: need("TypeKey"), ...texts }, ({ model, input, newId }) => {
    const made: RefType = { id: newId(), key: String(input.typeKey), ...described(input) };
    requireFree(model.types, made.key);
    const { id, key } = made;
    return written(model, made, [{ change: "create", kind: "type", id, key }], () => model.types.push(made));
  }),
  "model/type_get": read(onType, ({ type }) => ({ does: "read", body: typeRow(type) })),
  "model/type_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.types, (rows) => ({ items: rows.map(typeRow) })),
  ),
  "model/type_update_key": write({ ...onType, value: need("TypeKey") }, ({ model, type, input }) =>
    keySet(model, "type", type, model.types, input.value),
  ),
  "model/type_update_name": write({ ...onType, value: may("TextSingleLine") }, ({ model, type, input }) =>
    fieldsSet(model, "type", type, { name: input.value }),
  ),
  "model/type_update_description": write({ ...onType, value: may("TextMarkdown") }, ({ model, type, input }) =>
    fieldsSet(model, "type", type, { description: input.value }),
  ),
  "model/type_delete": write(onType, ({ model, type }) => {
    if (model.entities.some((e) => e.attributes.some((a) => a.type === type.id))) {
      throw new Refusal("still_used", { mentions: [type.key] });
    }
    const { id, key } = type;
    return written(model, type, [{ change: "delete", kind: "type", id, key }], () => {
      model.types = model.types.filter((t) => t !== type);
    });
  }),
};

/** The `entity_*` actions. */
export const ENTITY_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/entity_create": write(
    { modelRef, entityKey: need("EntityKey"), ...texts, documentationHome: may("Link") },
    ({ model, input, newId }) => {
      const documentationHome = input.documentationHome as string | undefined;
      const own = { id: newId(), key: String(input.entityKey), ...described(input), documentationHome };
      requireFree(model.entities, own.key);
      const changes = [{ change: "create" as const, kind: "entity" as const, id: own.id, key: own.key }];
      return written(model, own, changes, () => model.entities.push({ ...own, attributes: [], primaryKey: [] }));
    },
  ),
  "model/entity_get": read(onEntity, ({ entity }) => ({ does: "read", body: entityRow(entity) })),
  "model/entity_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.entities, (rows) => ({ items: rows.map(entityRow) })),
  ),
  "model/entity_update_key": write({ ...onEntity, value: need("EntityKey") }, ({ model, entity, input }) =>
    keySet(model, "entity", entity, model.entities, input.value),
  ),
  "model/entity_update_name": write({ ...onEntity, value: may("TextSingleLine") }, ({ model, entity, input }) =>
    fieldsSet(model, "entity", entity, { name: input.value }),
  ),
  "model/entity_update_description": write({ ...onEntity, value: may("TextMarkdown") }, ({ model, entity, input }) =>
    fieldsSet(model, "entity", entity, { description: input.value }),
  ),
  "model/entity_update_documentation_link": write({ ...onEntity, value: may("Link") }, ({ model, entity, input }) =>
    fieldsSet(model, "entity", entity, { documentationHome: input.value }),
  ),
  "model/entity_primary_key_update": write(
    { ...onEntity, attributeRef: need("List<EntityAttributeRef>") },
    ({ model, entity, input }) => {
      const refs = input.attributeRef as readonly string[];
      const missing = refs.filter((ref) => !named(entity.attributes, ref));
      if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
      const ids = refs.map((ref) => needNamed(entity.attributes, ref).id);
      const repeated = ids.flatMap((id, i) => (ids.indexOf(id) < i ? [`/attributeRef/${i}`] : []));
      // One of them is enough: which of a pair repeats the other is a matter of taste.
      if (repeated[0] !== undefined) throw badParameters(repeated[0]);
      const { id, key } = entity;
      const same = JSON.stringify(ids) === JSON.stringify(entity.primaryKey);
      return written(model, entity, same ? [] : [{ change: "update", kind: "entity", id, key }], () => {
        entity.primaryKey = ids;
      });
    },
  ),
  "model/entity_delete": write(onEntity, ({ model, entity }) => {
    const { id, key } = entity;
    return written(model, entity, [{ change: "delete", kind: "entity", id, key }], () => {
      model.entities = model.entities.filter((e) => e !== entity);
    });
  }),
};

/** The `entity_attribute_*` actions. */
export const ATTRIBUTE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/entity_attribute_create": write(
    { ...onEntity, attributeKey: need("AttributeKey"), type: need("TypeRef"), optional: need("Boolean"), ...texts },
    ({ model, entity, input, newId }) => {
      const type = needNamed(model.types, input.type).id;
      const made: RefAttribute = {
        id: newId(),
        key: String(input.attributeKey),
        ...described(input),
        type,
        optional: input.optional === true,
      };
      requireFree(entity.attributes, made.key);
      const { id, key } = made;
      return written(model, made, [{ change: "create", kind: "attribute", id, key }], () =>
        entity.attributes.push(made),
      );
    },
  ),
  "model/entity_attribute_get": read(onAttribute, ({ attribute }) => ({ does: "read", body: attributeRow(attribute) })),
  "model/entity_attribute_list": read({ ...onEntity, ...PAGING }, (asked) =>
    page(asked, asked.entity.attributes, (rows) => ({ items: rows.map(attributeRow) })),
  ),
  "model/entity_attribute_update_key": write(
    { ...onAttribute, value: need("AttributeKey") },
    ({ model, entity, attribute, input }) => keySet(model, "attribute", attribute, entity.attributes, input.value),
  ),
  "model/entity_attribute_update_name": write(
    { ...onAttribute, value: may("TextSingleLine") },
    ({ model, attribute, input }) => fieldsSet(model, "attribute", attribute, { name: input.value }),
  ),
  "model/entity_attribute_update_description": write(
    { ...onAttribute, value: may("TextMarkdown") },
    ({ model, attribute, input }) => fieldsSet(model, "attribute", attribute, { description: input.value }),
  ),
  "model/entity_attribute_update_type": write(
    { ...onAttribute, value: need("TypeRef") },
    ({ model, attribute, input }) =>
      fieldsSet(model, "attribute", attribute, { type: needNamed(model.types, input.value).id }),
  ),
  "model/entity_attribute_update_optional": write(
    { ...onAttribute, value: need("Boolean") },
    ({ model, attribute, input }) => fieldsSet(model, "attribute", attribute, { optional: input.value }),
  ),
  "model/entity_attribute_delete": write(onAttribute, ({ model, entity, attribute }) => {
    const { id, key } = attribute;
    const inKey = entity.primaryKey.includes(id);
    const changes = [
      { change: "delete" as const, kind: "attribute" as const, id, key },
      ...(inKey ? [{ change: "update" as const, kind: "entity" as const, id: entity.id, key: entity.key }] : []),
    ];
    return written(model, attribute, changes, () => {
      entity.attributes = entity.attributes.filter((a) => a !== attribute);
      entity.primaryKey = entity.primaryKey.filter((one) => one !== id);
    });
  }),
};
