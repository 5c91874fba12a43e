import { type Asked, may, need, needNamed, type RefAction, type RefInput } from "./action.ts";
import { PAGING } from "./lists.ts";
import type { Named, RefAttribute, RefHolder } from "./objects.ts";
import { attributePage, lastOrder, moveAction } from "./order.ts";
import { badParameters, Refusal } from "./problem.ts";
import { named } from "./state.ts";
import { shownTags } from "./tag-links.ts";
import { described, get, read, TEXTS, textActions, write } from "./texts.ts";
import type { RefChange } from "./write-result.ts";
import { fieldsSet, gone, listRemoved, made, primaryKeyGone, removed, requireFree, written } from "./writes.ts";

const attributeRow = (attribute: RefAttribute, asked: Asked) => {
  const { type, globalTags: _, order: __, ...own } = attribute;
  return { ...own, type: `id:${type}`, ...shownTags(attribute, asked) };
};

/** Ids of the attributes that a list parameter names; `not_found` for what is not there, then a refusal of repetition. */
export function attributesNamed(holder: RefHolder, input: RefInput, parameter: string): readonly string[] {
  const refs = input[parameter] as readonly string[];
  const missing = refs.filter((ref) => !named(holder.attributes, ref));
  if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
  const ids = refs.map((ref) => needNamed(holder.attributes, ref).id);
  const repeated = ids.flatMap((id, i) => (ids.indexOf(id) < i ? [`/${parameter}/${i}`] : []));
  // One of them is enough: which of a pair repeats the other is a matter of taste.
  if (repeated[0] !== undefined) throw badParameters(repeated[0]);
  return ids;
}

function deleted({ model, holder, attribute }: Asked) {
  const { id } = attribute;
  const entity = model.entities.find((e) => e === holder && e.primaryKey.includes(id));
  const businessKeys = model.businessKeys.filter((b) => b.participants.includes(id));
  const updated = (kind: RefChange["kind"], { id, key }: Named): RefChange => ({ change: "update", kind, id, key });
  const changes: readonly RefChange[] = [
    ...removed(model, "attribute", attribute, () => undefined).changes,
    ...(entity ? [updated("entity", entity)] : []),
    ...businessKeys.map((b) => updated("business_key", b)),
  ];
  const write = written(model, attribute, changes, () => {
    holder.attributes = holder.attributes.filter((a) => a !== attribute);
    if (entity) entity.primaryKey = entity.primaryKey.filter((one) => one !== id);
    for (const b of businessKeys) b.participants = b.participants.filter((one) => one !== id);
  });
  return listRemoved(
    write,
    ...(entity ? primaryKeyGone(entity, [attribute]) : []),
    ...gone("business_key", businessKeys).map((row) => ({ ...row, remains: true })),
  );
}

/** The actions on the attributes of entities, or on those of relationships: `begin` begins their names. */
function attributeActions(begin: string, onHolder: RefAction["params"], refType: string) {
  const onAttribute = { ...onHolder, attributeRef: need(refType) };
  return {
    [`${begin}_create`]: write(
      {
        ...onHolder,
        attributeKey: need("AttributeKey"),
        type: need("TypeRef"),
        optional: need("Boolean"),
        ...TEXTS,
        constraints: may("Constraints"),
      },
      ({ model, holder, input, newId }) => {
        const type = needNamed(model.types, input.type).id;
        const own = { id: newId(), key: String(input.attributeKey), ...described(input), tags: [], globalTags: [] };
        const { constraints, optional } = input;
        const order = lastOrder(model, holder);
        const attribute = { ...own, type, optional: optional === true, constraints, order };
        requireFree(holder.attributes, attribute.key);
        return made(model, "attribute", attribute, () => holder.attributes.push(attribute));
      },
    ),
    [`${begin}_get`]: get(onAttribute, (asked) => attributeRow(asked.attribute, asked)),
    [`${begin}_list`]: read({ ...onHolder, ...PAGING, sort: may("AttributeSort") }, (asked) =>
      attributePage(asked, (rows) => ({ items: rows.map((row) => attributeRow(row, asked)) })),
    ),
    ...textActions(begin, {
      params: onAttribute,
      kind: "attribute",
      keyType: "AttributeKey",
      objectOf: ({ attribute }) => attribute,
      siblingsOf: ({ holder }) => holder.attributes,
    }),
    [`${begin}_update_type`]: write({ ...onAttribute, value: need("TypeRef") }, ({ model, attribute, input }) =>
      fieldsSet(model, "attribute", attribute, { type: needNamed(model.types, input.value).id }),
    ),
    [`${begin}_update_optional`]: write({ ...onAttribute, value: need("Boolean") }, ({ model, attribute, input }) =>
      fieldsSet(model, "attribute", attribute, { optional: input.value }),
    ),
    [`${begin}_update_constraints`]: write(
      { ...onAttribute, value: may("Constraints") },
      ({ model, attribute, input }) => fieldsSet(model, "attribute", attribute, { constraints: input.value }),
    ),
    [`${begin}_move`]: moveAction(onAttribute, refType),
    [`${begin}_delete`]: write(onAttribute, deleted),
  };
}

const modelRef = need("ModelRef");

/** The `entity_attribute_*` and `relationship_attribute_*` actions. */
export const ATTRIBUTE_ACTIONS: Readonly<Record<string, RefAction>> = {
  ...attributeActions("model/entity_attribute", { modelRef, entityRef: need("EntityRef") }, "EntityAttributeRef"),
  ...attributeActions(
    "model/relationship_attribute",
    { modelRef, relationshipRef: need("RelationshipRef") },
    "RelationshipAttributeRef",
  ),
};
