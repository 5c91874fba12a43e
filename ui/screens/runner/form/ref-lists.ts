import type { NamedRead } from "../../../api/reads.ts";
import { parseTypedRef, type RefText } from "../../../api/refs.ts";
import type { Field } from "./field.ts";
import { isObject, type JsonObject, type Path } from "./form-state.ts";

/** A choice of a field for refs. */
export interface Offer {
  readonly value: string;
  readonly name?: string | undefined;
}

/** Refs of a payload that a list read needs. */
export interface ParentRefs {
  readonly modelRef?: RefText | undefined;
  readonly entityRef?: RefText | undefined;
  readonly relationshipRef?: RefText | undefined;
}

/** List read that provides the choices for a type. */
interface RefList {
  readonly action: string;
  readonly needs: readonly (keyof ParentRefs)[];
  /** Returns additional input of the read. */
  readonly buildInput?: (above: ParentRefs, modelId: string | undefined) => object;
  /** Returns the rows of the answer, if they are not in `items`. */
  readonly getRows?: (body: JsonObject) => unknown;
  /** Converts a row to a choice; by key by default. */
  readonly toOffer?: (row: JsonObject) => Offer;
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

const toIdOffer =
  (prefix: string, name: string) =>
  (row: JsonObject): Offer => ({
    value: `${prefix}${toText(row.id)}`,
    name: toText(row[name]),
  });

const GLOBAL_TAGS = { type: "scopeRef", condition: "is", value: { type: "global" } };
const createModelTagFilter = (id: string | undefined) => ({
  type: "scopeRef",
  condition: "is",
  value: { type: "model", id },
});

/** List reads by the parameter type of the ref. */
const LISTS: Readonly<Record<string, RefList>> = {
  ModelRef: { action: "model/model_list", needs: [] },
  TypeRef: { action: "model/type_list", needs: ["modelRef"] },
  EntityRef: { action: "model/entity_list", needs: ["modelRef"] },
  RelationshipRef: { action: "model/relationship_list", needs: ["modelRef"] },
  BusinessKeyRef: { action: "model/business_key_list", needs: ["modelRef"] },
  EntityAttributeRef: { action: "model/entity_attribute_list", needs: ["modelRef", "entityRef"] },
  RelationshipAttributeRef: { action: "model/relationship_attribute_list", needs: ["modelRef", "relationshipRef"] },
  RelationshipRoleRef: {
    action: "model/relationship_get",
    needs: ["modelRef", "relationshipRef"],
    getRows: ({ roles }) => roles,
  },
  ModelVersion: {
    action: "model/history_versions",
    needs: ["modelRef"],
    toOffer: ({ version }) => ({ value: toText(version) }),
  },
  TagRef: {
    action: "tag/tag_search",
    needs: [],
    buildInput: (_, id) => ({
      filters: { operator: "or", items: [...(id ? [createModelTagFilter(id)] : []), GLOBAL_TAGS] },
    }),
  },
  GlobalTagRef: { action: "tag/tag_search", needs: [], buildInput: () => ({ filters: { items: [GLOBAL_TAGS] } }) },
  LocalTagRef: {
    action: "tag/tag_search",
    needs: ["modelRef"],
    buildInput: (_, id) => ({ filters: { items: [createModelTagFilter(id)] } }),
  },
  TagGroupRef: { action: "tag/tag_group_list", needs: [] },
  PropertyDefinitionRef: { action: "property/definition_list", needs: [] },
  RoleRef: { action: "auth/role_list", needs: [] },
  UserRef: {
    action: "auth/user_list",
    needs: [],
    toOffer: ({ username, fullname }) => ({ value: toText(username), name: toText(fullname) }),
  },
  ActorId: { action: "auth/actor_list", needs: [], toOffer: toIdOffer("", "fullname") },
  ApiTokenId: { action: "auth/token_list", needs: [], toOffer: toIdOffer("", "name") },
  JobRef: { action: "batch/job_list", needs: [], toOffer: toIdOffer("id:", "action") },
  ActionPath: {
    action: "config/inspect_actions",
    needs: [],
    toOffer: ({ actionRef, title }) => ({ value: toText(actionRef), name: toText(title) }),
  },
};

/** Returns true for tag types whose local tags are found by model id. */
export function needsModelId(type: string): boolean {
  return type === "TagRef" || type === "LocalTagRef";
}

/** Returns the read with the choices of a field; undefined for a missing parent ref or a type without list. */
export function buildListRead(type: string, above: ParentRefs, modelId: string | undefined): NamedRead | undefined {
  const list = LISTS[type];
  if (!list || list.needs.some((name) => above[name] === undefined)) return undefined;
  if (type === "LocalTagRef" && modelId === undefined) return undefined;
  const needed = pickNeeded(list, above);
  // The tag search takes a model id instead of a ref.
  return { action: list.action, input: list.buildInput ? list.buildInput(above, modelId) : needed };
}

function pickNeeded({ needs }: RefList, above: ParentRefs): object {
  return Object.fromEntries(needs.map((name) => [name, above[name]]));
}

/** Lists the choices in the answer of a list read. */
export function listOffers(type: string, body: unknown): readonly Offer[] {
  const list = LISTS[type];
  const rows = Array.isArray(body) ? body : isObject(body) ? (list?.getRows?.(body) ?? body.items) : [];
  if (!Array.isArray(rows)) return [];
  return rows.filter(isObject).map(list?.toOffer ?? toKeyOffer);
}

function toKeyOffer({ key, name, group }: JsonObject): Offer {
  const whole = isObject(group) ? `${toText(group.key)}/${toText(key)}` : toText(key);
  return { value: `key:${whole}`, ...(toText(name) && { name: toText(name) }) };
}

const ABOVE_TYPES = { modelRef: "ModelRef", entityRef: "EntityRef", relationshipRef: "RelationshipRef" } as const;

/**
 * Returns the parent refs of a field: the last valid ref of each type before it. In a pair, each side uses the ref of
 * its own owner.
 */
export function findParentRefs({ control }: Field, payload: JsonObject, path: Path): ParentRefs {
  if (control.kind !== "object") return {};
  const { members } = control;
  const own = members.findIndex(({ name }) => name === path[0]);
  const inPair = members[own]?.type?.includes("Pair<") ? Number(path.at(-1)) : undefined;
  const findGiven = (type: string): RefText | undefined => {
    const all = members.filter((member) => member.type === type && toText(payload[member.name]) !== "");
    const before = all.filter((member) => members.indexOf(member) < own);
    // In a pair whose entities come later, a later ref is used.
    const others = all.filter((member) => members.indexOf(member) !== own);
    const chosen = inPair === undefined ? (before.at(-1) ?? others[0]) : (others[inPair] ?? others[0]);
    return chosen && parseTypedRef(toText(payload[chosen.name]));
  };
  return Object.fromEntries(
    Object.entries(ABOVE_TYPES).flatMap(([name, type]) => {
      const ref = findGiven(type);
      return ref === undefined ? [] : [[name, ref]];
    }),
  );
}
