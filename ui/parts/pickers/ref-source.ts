import { useRead } from "../../api/reads.ts";
import { parseTypedRef, type RefText } from "../../api/refs.ts";

/** Kinds of objects that a ref can name. */
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

/** Parent refs of the picked ref. */
export interface AboveRefs {
  readonly modelRef?: RefText | undefined;
  readonly entityRef?: RefText | undefined;
  readonly relationshipRef?: RefText | undefined;
}

/** A choice for a ref. */
export interface RefChoice {
  readonly id: string;
  /** Key in the form used in refs. */
  readonly key: string;
  readonly name?: string | undefined;
}

/** Choices for a ref, and whether they are still loading. */
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

/** List action of each kind, and the parent refs that it needs. */
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

/** Returns the filters for the scopes of a kind of tag. */
function buildTagFilters(kind: RefKind, modelId: string | undefined): object {
  const global = { type: "scopeRef", condition: "is", value: { type: "global" } };
  if (kind !== "tag" && kind !== "globalTag") return {};
  if (kind === "globalTag" || modelId === undefined) return { filters: { items: [global] } };
  const local = { type: "scopeRef", condition: "is", value: { type: "model", id: modelId } };
  return { filters: { operator: "or", items: [local, global] } };
}

/** Reads the choices for a kind of ref; none while a parent ref is missing. */
export function useRefChoices(kind: RefKind, above: AboveRefs, enabled: boolean): RefChoices {
  const { action, above: needed } = LISTS[kind];
  const refs = Object.fromEntries(needed.map((name) => [name, parseTypedRef(above[name])]));
  const modelRef = kind === "tag" ? parseTypedRef(above.modelRef) : undefined;
  // The tag search takes a model id only.
  const model = useRead("model/model_get", enabled && modelRef ? { modelRef } : undefined).data?.body.id;
  const isReady = (!modelRef || model !== undefined) && Object.values(refs).every((ref) => ref !== undefined);
  // Every list returns rows with id, key and name; the table above defines its parameters.
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
