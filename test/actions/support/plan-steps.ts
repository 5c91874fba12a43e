import type { Body } from "../../support/world.ts";
import type { CheckedWorld } from "./checked-world.ts";

/** The beginning of the names of the actions on a sort of object, and the parameters that name one. */
const SORTS: Readonly<Record<string, { readonly begin: string; readonly ref: string; readonly owner?: string }>> = {
  model: { begin: "model/model", ref: "modelRef" },
  type: { begin: "model/type", ref: "typeRef" },
  entity: { begin: "model/entity", ref: "entityRef" },
  entityAttribute: { begin: "model/entity_attribute", ref: "attributeRef", owner: "entityRef" },
  relationship: { begin: "model/relationship", ref: "relationshipRef" },
  relationshipAttribute: { begin: "model/relationship_attribute", ref: "attributeRef", owner: "relationshipRef" },
  relationshipRole: { begin: "model/relationship_role", ref: "relationshipRoleRef", owner: "relationshipRef" },
  businessKey: { begin: "model/business_key", ref: "businessKeyRef" },
  tag: { begin: "tag/tag_local", ref: "tagRef" },
};

/** Makes the steps of a plan one by one, each by the ordinary actions that there are for it. */
export async function makeSteps(world: CheckedWorld, modelRef: string, steps: readonly Body[]): Promise<void> {
  for (const step of steps) await makeStep(world, modelRef, step);
}

async function makeStep(world: CheckedWorld, modelRef: string, step: Body) {
  const { does, objectType, ref, ownerRef, before = {}, after = {} } = step;
  const { begin, ref: parameter, owner } = SORTS[objectType] ?? { begin: "", ref: "" };
  const above = { modelRef, ...(owner && { [owner]: ownerRef }) };
  const named = { ...above, ...(objectType !== "model" && { [parameter]: ref }) };
  const set = (changes: Body, former: Body) => setMembers(world, begin, named, changes, former);
  if (does === "rename") await world.ok(`${begin}_update_key`, { ...named, value: after.key });
  else if (does === "delete") await world.ok(`${begin}_delete`, named);
  else if (does === "move") await world.ok(`${begin}_move`, { ...named, ...after });
  else if (does === "update") await set(after, before);
  else {
    await world.ok(`${begin}_create`, { ...above, ...parametersOf(objectType, after) });
    for (const role of (after.roles ?? []).slice(2)) {
      await makeStep(world, modelRef, {
        ...{ does: "create", objectType: "relationshipRole", ref: `key:${role.key}`, ownerRef: ref, after: role },
      });
    }
    const { properties = {}, tags } = after;
    const named = Object.entries(properties).map(([name, value]) => [`properties.${name}`, value]);
    await set({ ...Object.fromEntries(named), ...(tags && { tags }) }, {});
  }
}

function parametersOf(objectType: string, after: Body): Body {
  const { key, name, description, documentationHome, type, optional, constraints, entity, cardinality } = after;
  const texts = { ...(name && { name }), ...(description && { description }) };
  if (objectType === "type") return { typeKey: key, ...texts };
  if (objectType === "entity") return { entityKey: key, ...texts, ...(documentationHome && { documentationHome }) };
  if (objectType === "tag") return { key, ...texts };
  if (objectType === "businessKey") return { key, ...texts, entityRef: entity, participants: after.participants };
  if (objectType === "relationshipRole")
    return { roleKey: key, roleEntityRef: entity, roleCardinality: cardinality, ...(name && { roleName: name }) };
  if (objectType !== "relationship")
    return { attributeKey: key, ...texts, type, optional, ...(constraints && { constraints }) };
  const [a, b] = after.roles;
  const role = (letter: string, one: Body) => ({
    [`role${letter}Key`]: one.key,
    [`role${letter}EntityRef`]: one.entity,
    [`role${letter}Cardinality`]: one.cardinality,
    ...(one.name && { [`role${letter}Name`]: one.name }),
  });
  const pairs = after.keyPairs && { keyPairs: after.keyPairs };
  return { relationshipKey: key, ...texts, ...role("A", a), ...role("B", b), ...pairs };
}

/** Gives an object the members that a step changes; those without a value are cleared. */
async function setMembers(world: CheckedWorld, begin: string, named: Body, after: Body, before: Body) {
  for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value = after[member];
    if (member === "tags") {
      // Tags that the step tells of as they were may have other keys since.
      const { tags } = await world.read(`${begin}_get`, named);
      const was: string[] = tags.map(({ key }: Body) => `key:${key}`);
      const is: string[] = value ?? [];
      const kind = begin.replace(/^tag\/tag_local$/, "tag");
      for (const tagRef of was.filter((ref) => !is.includes(ref)))
        await world.ok(`${kind}_delete_tag`, { ...named, tagRef });
      for (const tagRef of is.filter((ref) => !was.includes(ref)))
        await world.ok(`${kind}_add_tag`, { ...named, tagRef });
    } else if (member.startsWith("properties.")) {
      const name = member.slice("properties.".length);
      if (Object.hasOwn(after, member)) await world.ok(`${begin}_update_property`, { ...named, property: name, value });
      else await world.ok(`${begin}_delete_property`, { ...named, property: name });
    } else if (member === "keyPairs" && value) {
      // Documents have pairs in the order of the keys of the roles, actions in that of the roles.
      const { roles } = await world.read("model/relationship_get", named);
      const turned = roles[1].key < roles[0].key ? value.map((pair: string[]) => pair.toReversed()) : value;
      await world.ok("model/relationship_update_key_pairs", { ...named, value: turned });
    } else if (member === "primaryKey") {
      await world.ok("model/entity_primary_key_update", { ...named, attributeRef: value });
    } else
      await world.ok(`${begin}_update_${ACTIONS[member] ?? member}`, {
        ...named,
        ...(value !== undefined && { value }),
      });
  }
}

const ACTIONS: Readonly<Record<string, string>> = { documentationHome: "documentation_link", keyPairs: "key_pairs" };
