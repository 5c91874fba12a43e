import { type Asked, may, need, type RefAction } from "./action.ts";
import { attributesNamed } from "./attributes.ts";
import { PAGING, page } from "./lists.ts";
import type { RefEntity, RefType } from "./objects.ts";
import { Refusal } from "./problem.ts";
import { shownTags } from "./tag-links.ts";
import { described, get, read, TEXTS, textActions, write } from "./texts.ts";
import { drop, fieldsSet, gone, listRemoved, made, primaryKeyGone, removed, requireFree } from "./writes.ts";

const modelRef = need("ModelRef");
const onType = { modelRef, typeRef: need("TypeRef") };
const onEntity = { modelRef, entityRef: need("EntityRef") };

const typeRow = (type: RefType) => ({ ...type });
const entityRow = (entity: RefEntity, asked: Asked) => {
  const { attributes: _, globalTags: __, primaryKey, ...own } = entity;
  return { ...own, primaryKey: primaryKey.map((id) => `id:${id}`), ...shownTags(entity, asked) };
};

export const TYPE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/type_create": write({ modelRef, typeKey: need("TypeKey"), ...TEXTS }, ({ model, input, newId }) => {
    const type: RefType = { id: newId(), key: String(input.typeKey), ...described(input) };
    requireFree(model.types, type.key);
    return made(model, "type", type, () => model.types.push(type));
  }),
  "model/type_get": get(onType, ({ type }) => typeRow(type)),
  "model/type_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.types, (rows) => ({ items: rows.map(typeRow) })),
  ),
  ...textActions("model/type", {
    params: onType,
    kind: "type",
    keyType: "TypeKey",
    objectOf: ({ type }) => type,
    siblingsOf: ({ model }) => model.types,
  }),
  "model/type_delete": write(onType, ({ model, type }) => {
    const holders = [...model.entities, ...model.relationships];
    if (holders.some((one) => one.attributes.some((a) => a.type === type.id)))
      throw new Refusal("still_used", { mentions: [type.key] });
    return listRemoved(removed(model, "type", type, () => drop(model.types, type)));
  }),
};

export const ENTITY_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/entity_create": write(
    { modelRef, entityKey: need("EntityKey"), ...TEXTS, documentationHome: may("Link") },
    ({ model, input, newId }) => {
      const documentationHome = input.documentationHome as string | undefined;
      const own = { id: newId(), key: String(input.entityKey), ...described(input), documentationHome };
      requireFree(model.entities, own.key);
      const entity: RefEntity = { ...own, attributes: [], primaryKey: [], tags: [], globalTags: [] };
      return made(model, "entity", entity, () => model.entities.push(entity));
    },
  ),
  "model/entity_get": get(onEntity, (asked) => entityRow(asked.entity, asked)),
  "model/entity_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.entities, (rows) => ({ items: rows.map((row) => entityRow(row, asked)) })),
  ),
  ...textActions("model/entity", {
    params: onEntity,
    kind: "entity",
    keyType: "EntityKey",
    objectOf: ({ entity }) => entity,
    siblingsOf: ({ model }) => model.entities,
  }),
  "model/entity_update_documentation_link": write({ ...onEntity, value: may("Link") }, ({ model, entity, input }) =>
    fieldsSet(model, "entity", entity, { documentationHome: input.value }),
  ),
  "model/entity_primary_key_update": write(
    { ...onEntity, attributeRef: need("List<EntityAttributeRef>") },
    ({ model, entity, input }) =>
      fieldsSet(model, "entity", entity, { primaryKey: attributesNamed(entity, input, "attributeRef") }),
  ),
  "model/entity_delete": write(onEntity, ({ model, entity }) => {
    if (model.relationships.some((r) => r.roles.some((role) => role.entity === entity.id)))
      throw new Refusal("still_used", { mentions: [entity.key] });
    const owned = model.businessKeys.filter((b) => b.entity === entity.id);
    const write = removed(model, "entity", entity, () => {
      drop(model.entities, entity);
      model.businessKeys = model.businessKeys.filter((b) => !owned.includes(b));
    });
    const keys = [...primaryKeyGone(entity, entity.attributes), ...gone("business_key", owned)];
    return listRemoved(write, ...keys, ...gone("attribute", entity.attributes));
  }),
};
