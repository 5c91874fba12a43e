import { useRead, useReadByName } from "../../api/reads.ts";
import { parseTypedRef, type RefText } from "../../api/refs.ts";

/** Parent refs of the picked ref. */
export interface AboveRefs {
  readonly modelRef?: RefText | undefined;
  readonly entityRef?: RefText | undefined;
  readonly relationshipRef?: RefText | undefined;
}

interface RefList {
  readonly action: string;
  readonly above?: readonly (keyof AboveRefs)[];
  /** Member of the answer with the rows; the answer itself or its `items` by default. */
  readonly rows?: string;
  readonly key?: string;
  readonly name?: string;
  readonly prefix?: string;
}

const IN_MODEL = ["modelRef"] as const;

const LISTS = {
  model: { action: "model/model_list" },
  type: { action: "model/type_list", above: IN_MODEL },
  entity: { action: "model/entity_list", above: IN_MODEL },
  relationship: { action: "model/relationship_list", above: IN_MODEL },
  entityAttribute: { action: "model/entity_attribute_list", above: ["modelRef", "entityRef"] },
  relationshipAttribute: { action: "model/relationship_attribute_list", above: ["modelRef", "relationshipRef"] },
  relationshipRole: { action: "model/relationship_get", above: ["modelRef", "relationshipRef"], rows: "roles" },
  businessKey: { action: "model/business_key_list", above: IN_MODEL },
  modelVersion: { action: "model/history_versions", above: IN_MODEL, key: "version", prefix: "" },
  tag: { action: "tag/tag_search" },
  globalTag: { action: "tag/tag_search" },
  localTag: { action: "tag/tag_search" },
  tagGroup: { action: "tag/tag_group_list" },
  propertyDefinition: { action: "property/definition_list" },
  role: { action: "auth/role_list" },
  user: { action: "auth/user_list", key: "username", name: "fullname", prefix: "" },
  actor: { action: "auth/actor_list", key: "id", name: "fullname", prefix: "" },
  apiTokenId: { action: "auth/token_list", key: "id", prefix: "" },
  job: { action: "batch/job_list", key: "id", name: "action", prefix: "id:" },
  actionPath: { action: "config/inspect_actions", key: "actionRef", name: "title", prefix: "" },
} as const satisfies Record<string, RefList>;

/** Kinds of objects that a ref can name. */
export type RefKind = keyof typeof LISTS;

/** Returns the kind of object that a type such as `EntityRef` names; undefined without a list. */
export function findRefKind(type: string): RefKind | undefined {
  const name = `${type.charAt(0).toLowerCase()}${type.slice(1).replace(/Ref$/, "")}`;
  return Object.hasOwn(LISTS, name) ? (name as RefKind) : undefined;
}

interface RefChoice {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  /** The ref by key, or the value of a type that has no key. */
  readonly ref: string;
}

interface Row {
  readonly [member: string]: unknown;
  readonly id: string;
  readonly group?: { readonly key: string } | undefined;
}

const toText = (value: unknown) => (typeof value === "string" ? value : "");

function toChoice(row: Row, { key = "key", name = "name", prefix = "key:" }: RefList): RefChoice {
  const path = row.group ? `${row.group.key}/${toText(row[key])}` : toText(row[key]);
  return { id: row.id, key: path, ref: `${prefix}${path}`, ...(toText(row[name]) && { name: toText(row[name]) }) };
}

/** Reads the choices for a kind of ref; none while a parent ref is missing. */
export function useRefChoices(kind: RefKind | undefined, above: AboveRefs, isEnabled: boolean) {
  const list: RefList | undefined = kind && LISTS[kind];
  const modelRef = kind === "tag" || kind === "localTag" ? parseTypedRef(above.modelRef) : undefined;
  // The tag search takes a model id only.
  const model = useRead("model/model_get", isEnabled && modelRef ? { modelRef } : undefined);
  const scopes = [
    ...(model.data ? [{ type: "model", id: model.data.body.id }] : []),
    ...(kind === "localTag" ? [] : [{ type: "global" }]),
  ].map((value) => ({ type: "scopeRef", condition: "is", value }));
  const refs = (list?.above ?? []).map((name) => [name, parseTypedRef(above[name])] as const);
  const isReady = scopes.length > 0 && !model.isLoading && refs.every(([, ref]) => ref !== undefined);
  const input =
    list?.action === "tag/tag_search" ? { filters: { operator: "or", items: scopes } } : Object.fromEntries(refs);
  const read = useReadByName(isEnabled && list && isReady ? { action: list.action, input } : undefined);
  const body = read.data?.body;
  const rows = Array.isArray(body)
    ? body
    : (body as Readonly<Record<string, unknown>> | undefined)?.[list?.rows ?? "items"];
  return {
    choices: Array.isArray(rows) && list ? rows.map((row: Row) => toChoice(row, list)) : [],
    isLoading: read.isLoading,
    error: read.error,
  };
}
