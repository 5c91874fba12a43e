import type { NamedRead } from "../../../api/reads.ts";
import { parseTypedRef, type RefText } from "../../../api/refs.ts";
import type { Field } from "./field.ts";
import { isObject, type JsonObject, type Path } from "./form-state.ts";

/** A value that a field for refs offers. */
export interface Offer {
  readonly value: string;
  readonly name?: string | undefined;
}

/** The refs of a payload that a list is read with. */
export interface ParentRefs {
  readonly modelRef?: RefText | undefined;
  readonly entityRef?: RefText | undefined;
  readonly relationshipRef?: RefText | undefined;
}

/** The read that lists what values of a type name. */
interface RefList {
  readonly action: string;
  readonly needs: readonly (keyof ParentRefs)[];
  /** What else the read takes. */
  readonly with?: (above: ParentRefs, modelId: string | undefined) => object;
  /** The rows of its answer, where they are no `items`. */
  readonly rows?: (body: JsonObject) => unknown;
  /** What a row is offered as; its key unless given. */
  readonly offer?: (row: JsonObject) => Offer;
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

const toIdOffer =
  (prefix: string, name: string) =>
  (row: JsonObject): Offer => ({
    value: `${prefix}${toText(row.id)}`,
    name: toText(row[name]),
  });

const GLOBAL_TAGS = { type: "scopeRef", condition: "is", value: { type: "global" } };
const tagsOfModel = (id: string | undefined) => ({ type: "scopeRef", condition: "is", value: { type: "model", id } });

/** The lists of the kinds of the domain, by the type of parameter that names one of them. */
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
    rows: ({ roles }) => roles,
  },
  ModelVersion: {
    action: "model/history_versions",
    needs: ["modelRef"],
    offer: ({ version }) => ({ value: toText(version) }),
  },
  TagRef: {
    action: "tag/tag_search",
    needs: [],
    with: (_, id) => ({ filters: { operator: "or", items: [...(id ? [tagsOfModel(id)] : []), GLOBAL_TAGS] } }),
  },
  GlobalTagRef: { action: "tag/tag_search", needs: [], with: () => ({ filters: { items: [GLOBAL_TAGS] } }) },
  LocalTagRef: {
    action: "tag/tag_search",
    needs: ["modelRef"],
    with: (_, id) => ({ filters: { items: [tagsOfModel(id)] } }),
  },
  TagGroupRef: { action: "tag/tag_group_list", needs: [] },
  PropertyDefinitionRef: { action: "property/definition_list", needs: [] },
  RoleRef: { action: "auth/role_list", needs: [] },
  UserRef: {
    action: "auth/user_list",
    needs: [],
    offer: ({ username, fullname }) => ({ value: toText(username), name: toText(fullname) }),
  },
  ActorId: { action: "auth/actor_list", needs: [], offer: toIdOffer("", "fullname") },
  ApiTokenId: { action: "auth/token_list", needs: [], offer: toIdOffer("", "name") },
  JobRef: { action: "batch/job_list", needs: [], offer: toIdOffer("id:", "action") },
  ActionPath: {
    action: "config/inspect_actions",
    needs: [],
    offer: ({ actionRef, title }) => ({ value: toText(actionRef), name: toText(title) }),
  },
};

/** True for a type whose tags of one model are found by the model's id. */
export function needsModelId(type: string): boolean {
  return type === "TagRef" || type === "LocalTagRef";
}

/** The read that lists what a field can name; undefined while a ref above it is missing, or where nothing lists them. */
export function listFor(type: string, above: ParentRefs, modelId: string | undefined): NamedRead | undefined {
  const list = LISTS[type];
  if (!list || list.needs.some((name) => above[name] === undefined)) return undefined;
  if (type === "LocalTagRef" && modelId === undefined) return undefined;
  const needed = pickNeeded(list, above);
  // Tags are not searched by a ref of their model.
  return { action: list.action, input: list.with ? list.with(above, modelId) : needed };
}

function pickNeeded({ needs }: RefList, above: ParentRefs): object {
  return Object.fromEntries(needs.map((name) => [name, above[name]]));
}

/** What the answer of a list offers for a field. */
export function listOffers(type: string, body: unknown): readonly Offer[] {
  const list = LISTS[type];
  const rows = Array.isArray(body) ? body : isObject(body) ? (list?.rows?.(body) ?? body.items) : [];
  if (!Array.isArray(rows)) return [];
  return rows.filter(isObject).map(list?.offer ?? toKeyOffer);
}

function toKeyOffer({ key, name, group }: JsonObject): Offer {
  const whole = isObject(group) ? `${toText(group.key)}/${toText(key)}` : toText(key);
  return { value: `key:${whole}`, ...(toText(name) && { name: toText(name) }) };
}

const ABOVE_TYPES = { modelRef: "ModelRef", entityRef: "EntityRef", relationshipRef: "RelationshipRef" } as const;

/**
 * The refs of a payload that stand above a field: of each kind the last one that is given before it, unless it is only
 * half typed. In a pair, the first goes with the first of two such refs, the second with the second.
 */
export function findParentRefs({ control }: Field, payload: JsonObject, path: Path): ParentRefs {
  if (control.kind !== "object") return {};
  const { members } = control;
  const own = members.findIndex(({ name }) => name === path[0]);
  const inPair = members[own]?.type?.includes("Pair<") ? Number(path.at(-1)) : undefined;
  const findGiven = (type: string): RefText | undefined => {
    const all = members.filter((member) => member.type === type && toText(payload[member.name]) !== "");
    const before = all.filter((member) => members.indexOf(member) < own);
    // Without one before it, as in a pair whose entities come later, any other will do.
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
