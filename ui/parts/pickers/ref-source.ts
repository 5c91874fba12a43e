import { useRead } from "../../api/reads.ts";
import { parseTypedRef, type RefText } from "../../api/refs.ts";

/** The sorts of things that a ref can be picked of. */
export type RefKind =
  | "model"
  | "type"
  | "entity"
  | "relationship"
  | "entityAttribute"
  | "relationshipAttribute"
  | "businessKey"
  | "tag"
  | "globalTag"
  | "tagGroup"
  | "propertyDefinition"
  | "role";

/** The refs above the one that is picked. */
export interface AboveRefs {
  readonly modelRef?: RefText | undefined;
  readonly entityRef?: RefText | undefined;
  readonly relationshipRef?: RefText | undefined;
}

/** Something that a ref leads to. */
export interface RefChoice {
  readonly id: string;
  /** The key as the ref writes it. */
  readonly key: string;
  readonly name?: string | undefined;
}

/** What can be picked, and whether it is still being read. */
export interface RefChoices {
  readonly choices: readonly RefChoice[];
  readonly isLoading: boolean;
  readonly error: unknown;
}

interface Row {
  readonly id: string;
  readonly key: string;
  readonly name?: string | null | undefined;
  readonly group?: { readonly key: string } | undefined;
}

/** The action that lists a kind, and the refs above that it needs. */
const LISTS = {
  model: { action: "model/model_list", above: [] },
  type: { action: "model/type_list", above: ["modelRef"] },
  entity: { action: "model/entity_list", above: ["modelRef"] },
  relationship: { action: "model/relationship_list", above: ["modelRef"] },
  entityAttribute: { action: "model/entity_attribute_list", above: ["modelRef", "entityRef"] },
  relationshipAttribute: { action: "model/relationship_attribute_list", above: ["modelRef", "relationshipRef"] },
  businessKey: { action: "model/business_key_list", above: ["modelRef"] },
  tag: { action: "tag/tag_search", above: [] },
  globalTag: { action: "tag/tag_search", above: [] },
  tagGroup: { action: "tag/tag_group_list", above: [] },
  propertyDefinition: { action: "property/definition_list", above: [] },
  role: { action: "auth/role_list", above: [] },
} as const satisfies Record<RefKind, { action: string; above: readonly (keyof AboveRefs)[] }>;

/** The scopes that tags of a kind are in. */
function buildTagFilters(kind: RefKind, modelId: string | undefined): object {
  const global = { type: "scopeRef", condition: "is", value: { type: "global" } };
  if (kind !== "tag" && kind !== "globalTag") return {};
  if (kind === "globalTag" || modelId === undefined) return { filters: { items: [global] } };
  const local = { type: "scopeRef", condition: "is", value: { type: "model", id: modelId } };
  return { filters: { operator: "or", items: [local, global] } };
}

/** Reads what a ref of a kind can be; nothing while a ref above it is missing. */
export function useRefChoices(kind: RefKind, above: AboveRefs, enabled: boolean): RefChoices {
  const { action, above: needed } = LISTS[kind];
  const refs = Object.fromEntries(needed.map((name) => [name, parseTypedRef(above[name])]));
  const modelRef = kind === "tag" ? parseTypedRef(above.modelRef) : undefined;
  // The search of tags takes the id of a model alone.
  const model = useRead("model/model_get", enabled && modelRef ? { modelRef } : undefined).data?.body.id;
  const isReady = (!modelRef || model !== undefined) && Object.values(refs).every((ref) => ref !== undefined);
  // Every list answers rows with id, key and name, and the table above says what it takes.
  const input = { ...refs, ...buildTagFilters(kind, model) } as { modelRef: RefText };
  const read = useRead(action as "model/type_list", enabled && isReady ? input : undefined);
  const body = read.data?.body as unknown as { readonly items: readonly Row[] } | readonly Row[] | undefined;
  const rows = body === undefined ? [] : "items" in body ? body.items : body;
  return {
    choices: rows.map(({ id, key, name, group }) => ({
      id,
      key: group ? `${group.key}/${key}` : key,
      ...(name && { name }),
    })),
    isLoading: read.isLoading,
    error: read.error,
  };
}
