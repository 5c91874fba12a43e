import { type Asked, may, need, needNamed, type RefAction, type RefInput } from "./action.ts";
import { livingPairs } from "./document.ts";
import { PAGING, page } from "./lists.ts";
import type { RefEntity, RefRelationship, RefRole } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import { named } from "./state.ts";
import { shownTags } from "./tag-links.ts";
import { described, get, read, TEXTS, textActions, write } from "./texts.ts";
import { drop, fieldsSet, gone, listRemoved, made, removed, requireFree } from "./writes.ts";

const modelRef = need("ModelRef");
const onRelationship = { modelRef, relationshipRef: need("RelationshipRef") };
const onRole = { ...onRelationship, relationshipRoleRef: need("RelationshipRoleRef") };

const relationshipRow = (relationship: RefRelationship, asked: Asked) => {
  const { attributes: _, globalTags: __, roles, keyPairs: ___, ...own } = relationship;
  const rows = roles.map((role) => ({ ...role, entity: `id:${role.entity}` }));
  const keyPairs = livingPairs(relationship, asked.model)?.map((pair) => pair.map((id) => `id:${id}`));
  return { ...own, roles: rows, ...(keyPairs && { keyPairs }), ...shownTags(relationship, asked) };
};

/** The pairs of attributes that a parameter names, one of each entity; none where it is absent or empty. */
function pairsNamed(entities: readonly RefEntity[], input: RefInput, parameter: string) {
  const refs = (input[parameter] ?? []) as readonly (readonly string[])[];
  if (refs.length === 0) return undefined;
  const attributes = [0, 1].map((side) => entities[side]?.attributes ?? []);
  const missing = attributes.flatMap((all, side) =>
    refs.flatMap((pair) => (named(all, pair[side] ?? "") ? [] : (pair[side] ?? ""))),
  );
  if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
  const pairs = refs.map((pair) => attributes.map((all, side) => needNamed(all, pair[side]).id));
  const texts = pairs.map((pair) => pair.join());
  const repeated = texts.findIndex((text, i) => texts.indexOf(text) < i);
  if (repeated >= 0) throw badParameters(`/${parameter}/${repeated}`);
  return pairs;
}

const PAIRS = { keyPairs: may("List<Pair<EntityAttributeRef>>") };

const roleParams = (begin: string) => ({
  [`${begin}Key`]: need("RelationshipRoleKey"),
  [`${begin}EntityRef`]: need("EntityRef"),
  [`${begin}Cardinality`]: need("RelationshipCardinality"),
  [`${begin}Name`]: may("TextSingleLine"),
});

/** A role of the parameters that begin so; `not_found` for its entity. */
function roleOf(begin: string, { input, model, newId }: Asked): RefRole {
  return {
    id: newId(),
    key: String(input[`${begin}Key`]),
    name: input[`${begin}Name`] as string | undefined,
    entity: needNamed(model.entities, input[`${begin}EntityRef`]).id,
    cardinality: String(input[`${begin}Cardinality`]),
  };
}

/** The relationship with other roles; the answer is about one of them. Pairs join the entities that were in the roles. */
function rolesSet({ model, relationship }: Asked, role: RefRole, roles: readonly RefRole[]) {
  const { id, key } = role;
  const entities = (all: readonly RefRole[]) => all.map(({ entity }) => entity).join();
  const keyPairs = entities(roles) === entities(relationship.roles) ? relationship.keyPairs : undefined;
  return { ...fieldsSet(model, "relationship", relationship, { roles, keyPairs }), subject: { id, key } };
}

const updateRole = (value: RefAction["params"][string], change: (asked: Asked, role: RefRole) => Partial<RefRole>) =>
  write({ ...onRole, value }, (asked) => {
    const { roles } = asked.relationship;
    const role = needNamed(roles, asked.input.relationshipRoleRef);
    const after = { ...role, ...change(asked, role) };
    const all = roles.map((one) => (one === role ? after : one));
    return rolesSet(asked, after, all);
  });

export const RELATIONSHIP_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/relationship_create": {
    ...write(
      {
        modelRef,
        relationshipKey: need("RelationshipKey"),
        ...TEXTS,
        ...PAIRS,
        ...roleParams("roleA"),
        ...roleParams("roleB"),
      },
      (asked) => {
        const { model, input, newId } = asked;
        const id = newId();
        const refs = [input.roleAEntityRef, input.roleBEntityRef].map(String);
        const missing = refs.filter((ref) => !named(model.entities, ref));
        // The refusal may name either of the missing entities.
        if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
        const roles = [roleOf("roleA", asked), roleOf("roleB", asked)];
        const own = { id, key: String(input.relationshipKey), ...described(input) };
        const entities = refs.map((ref) => needNamed(model.entities, ref));
        const keyPairs = pairsNamed(entities, input, "keyPairs");
        const relationship: RefRelationship = { ...own, roles, keyPairs, attributes: [], tags: [], globalTags: [] };
        requireFree(model.relationships, relationship.key);
        return made(model, "relationship", relationship, () => model.relationships.push(relationship));
      },
    ),
    check: ({ roleAKey, roleBKey }) => {
      if (roleAKey === roleBKey) throw badParameters("/roleBKey");
    },
  },
  "model/relationship_get": get(onRelationship, (asked) => relationshipRow(asked.relationship, asked)),
  "model/relationship_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.relationships, (rows) => ({ items: rows.map((row) => relationshipRow(row, asked)) })),
  ),
  ...textActions("model/relationship", {
    params: onRelationship,
    kind: "relationship",
    keyType: "RelationshipKey",
    objectOf: ({ relationship }) => relationship,
    siblingsOf: ({ model }) => model.relationships,
  }),
  "model/relationship_update_key_pairs": write(
    { ...onRelationship, value: may("List<Pair<EntityAttributeRef>>") },
    ({ model, relationship, input }) => {
      const { roles, key } = relationship;
      const isGiven = ((input.value ?? []) as readonly unknown[]).length > 0;
      if (isGiven && roles.length !== 2) throw new Refusal("too_many_roles", { mentions: [key] });
      const entities = roles.flatMap((role) => model.entities.find(({ id }) => id === role.entity) ?? []);
      return fieldsSet(model, "relationship", relationship, { keyPairs: pairsNamed(entities, input, "value") });
    },
  ),
  "model/relationship_delete": write(onRelationship, ({ model, relationship }) =>
    listRemoved(
      removed(model, "relationship", relationship, () => drop(model.relationships, relationship)),
      ...relationship.roles.map(({ id, key }) => ({ kind: "relationship_role", id, key })),
      ...gone("attribute", relationship.attributes),
    ),
  ),
  "model/relationship_role_create": write({ ...onRelationship, ...roleParams("role") }, (asked) => {
    const { roles } = asked.relationship;
    const role = roleOf("role", asked);
    requireFree(roles, role.key);
    return rolesSet(asked, role, [...roles, role]);
  }),
  "model/relationship_role_update_key": updateRole(need("RelationshipRoleKey"), ({ relationship, input }, role) => {
    requireFree(relationship.roles, input.value, role);
    return { key: String(input.value) };
  }),
  "model/relationship_role_update_name": updateRole(may("TextSingleLine"), ({ input }) => ({
    name: input.value as string | undefined,
  })),
  "model/relationship_role_update_entity": updateRole(need("EntityRef"), ({ model, input }) => ({
    entity: needNamed(model.entities, input.value).id,
  })),
  "model/relationship_role_update_cardinality": updateRole(need("RelationshipCardinality"), ({ input }) => ({
    cardinality: String(input.value),
  })),
  "model/relationship_role_delete": write(onRole, (asked) => {
    const { key, roles } = asked.relationship;
    const role = needNamed(roles, asked.input.relationshipRoleRef);
    if (roles.length <= 2) throw new Refusal("too_few_roles", { mentions: [key] });
    const others = roles.filter((one) => one !== role);
    return listRemoved(rolesSet(asked, role, others));
  }),
};
