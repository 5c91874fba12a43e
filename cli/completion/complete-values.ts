import { callAction } from "../../client/action-call.ts";
import type { ActionDescription, Description, ParameterDescription } from "../calls/description.ts";
import { parameterForms, readPayload } from "../calls/payload.ts";
import { findAction } from "../calls/run-action.ts";
import { commonForms, type GivenFlag, readArguments } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { listIn } from "../output/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A text that a word may become, and an explanation for people. */
export interface Candidate {
  readonly text: string;
  readonly tells?: string | undefined;
}

/** The call that is being written. */
export interface Draft {
  readonly place: Terminal;
  readonly settings: Settings;
  readonly description: Description;
  readonly action: ActionDescription;
  /** The words before the value. */
  readonly before: readonly string[];
}

/** The time a completion may take, in milliseconds. */
export const PATIENCE = 3_000;

type Row = Readonly<Record<string, unknown>>;

/** The action that lists the objects of a ref type, and the form in which they are written. */
interface Source {
  /** The action that lists the objects. */
  readonly action: string;
  readonly rows?: (body: unknown) => readonly unknown[] | undefined;
  readonly written: (row: Row) => string;
  /** The member that people know an object by whose ref does not say it. */
  readonly known?: string;
}

const key = (row: Row): string => `key:${row.key}`;
const bareId = ({ id }: Row): string => String(id);

/** The tags of the model, and the global ones behind their groups. */
const tags: Source = {
  action: "tag_search",
  written: ({ group, ...row }) => (isRow(group) ? `key:${group.key}/${row.key}` : key(row)),
  known: "name",
};

/** The types whose objects are shown by another action than their name says, or otherwise than by a key. */
const SOURCES: Readonly<Record<string, Source>> = {
  RelationshipRoleRef: {
    action: "relationship_get",
    rows: (body) => (isRow(body) && Array.isArray(body.roles) ? body.roles : undefined),
    written: key,
  },
  TagRef: tags,
  LocalTagRef: tags,
  GlobalTagRef: tags,
  UserRef: { action: "user_list", written: ({ username }) => String(username), known: "fullname" },
  ActorId: { action: "actor_list", written: bareId, known: "subject" },
  ApiTokenId: { action: "token_list", written: bareId, known: "name" },
  JobRef: { action: "job_list", written: ({ id }) => `id:${id}`, known: "action" },
  PropertyDefinitionRef: { action: "definition_list", written: key },
  ModelVersion: { action: "history_versions", written: ({ version }) => String(version) },
};

/** The values a parameter may have: those of its description, actions, or refs of what the service has. */
export async function listValues(
  draft: Draft,
  { name, type, values, json }: ParameterDescription,
  typed: string,
): Promise<readonly Candidate[]> {
  if (values.length > 0) return values.map((text) => ({ text }));
  if (json === "boolean") return [{ text: "true" }, { text: "false" }];
  const member = /^List<(\w+)>$/.exec(type)?.[1] ?? type;
  if (member === "ActionPath") {
    return draft.description.actions.map((one) => ({ text: `${one.group}/${one.name}`, tells: one.title }));
  }
  const source = findValueSource(member);
  if (!source) return [];
  const flags = listFlags(draft);
  // `leftModelVersion` is one of the model that `leftModelRef` names.
  const side = /^(left|right)Model/.exec(name)?.[1];
  const modelRef = flags.find((flag) => flag.name === (side ? `${side}ModelRef` : "modelRef"))?.value;
  const given = side && modelRef ? [{ name: "modelRef", value: modelRef }] : flags;
  const filters = source === tags ? await tagFilters(draft, member, modelRef) : undefined;
  if (source === tags && !filters) return [];
  const body = await fetchAnswer(draft, source.action, given, filters && { filters });
  const rows = (source.rows ?? listIn)(body)?.filter(isRow) ?? [];
  return rows.map((row) => {
    const text = source.written(row);
    if (typed.startsWith("id:") && typeof row.id === "string") return { text: `id:${row.id}`, tells: text };
    const tells = row[source.known ?? "name"];
    return { text, tells: typeof tells === "string" ? tells : undefined };
  });
}

/** Where the values of a type come from. The objects of `EntityAttributeRef` are listed by `entity_attribute_list`. */
function findValueSource(type: string): Source | undefined {
  if (Object.hasOwn(SOURCES, type)) return SOURCES[type];
  const sort = /^(\w+)Ref$/.exec(type)?.[1];
  if (sort === undefined) return undefined;
  return { action: `${sort.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}_list`, written: key };
}

/** The filters for the tags that a ref may name there; undefined where they are of a model that is not named yet. */
async function tagFilters(draft: Draft, type: string, modelRef: GivenFlag["value"] | undefined) {
  const scopes: object[] = type === "LocalTagRef" ? [] : [{ type: "global" }];
  if (type !== "GlobalTagRef" && modelRef !== undefined) {
    const model = await fetchAnswer(draft, "model_get", [{ name: "modelRef", value: modelRef }]);
    if (isRow(model)) scopes.push({ type: "model", id: model.id });
  }
  if (scopes.length === 0) return undefined;
  return { operator: "or", items: scopes.map((value) => ({ type: "scopeRef", condition: "is", value })) };
}

/** The flags of the call so far; values that would have to be read from stdin are no help. */
function listFlags({ action, before }: Draft): readonly GivenFlag[] {
  const { flags } = readArguments(before, new Map([...commonForms(), ...parameterForms(action)]));
  return flags.filter(({ value }) => value !== "-");
}

/** The answer of an action called with those flags that it knows; undefined where one it needs is missing. */
async function fetchAnswer(
  { place, settings, description }: Draft,
  name: string,
  flags: readonly GivenFlag[],
  more: object = {},
): Promise<unknown> {
  const action = description.actions.find((one) => one.name === name);
  if (!action) return undefined;
  const payload = { ...(await readPayload(action, flags, {}, place)), ...more };
  if (action.parameters.some((one) => one.required && !Object.hasOwn(payload, one.name))) return undefined;
  const service = { url: settings.url.value, token: settings.token?.value, retries: 0, timeout: PATIENCE };
  return (await callAction(service, `${action.group}/${name}`, payload)).body;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}

/** The words of commands, each with the action and the parameter whose values it may have. */
export const WORDS: Readonly<Record<string, readonly (readonly [path: string, parameter: string])[]>> = {
  export: [["model/model_get", "modelRef"]],
  pull: [["model/model_get", "modelRef"]],
  release: [["model/model_get", "modelRef"]],
  show: [
    ["model/model_get", "modelRef"],
    ["model/entity_get", "entityRef"],
  ],
  open: [
    ["model/model_get", "modelRef"],
    ["model/entity_get", "entityRef"],
    ["model/entity_attribute_get", "attributeRef"],
  ],
  grant: [
    ["auth/user_enable", "username"],
    ["auth/actor_add_role", "roleRef"],
  ],
};

/** The flags of commands that have the values of a parameter. */
export const VALUES: Readonly<Record<string, readonly [path: string, parameter: string]>> = {
  model: ["model/model_get", "modelRef"],
  models: ["model/model_get", "modelRef"],
  tag: ["model/model_add_tag", "tagRef"],
  format: ["model/model_apply", "format"],
  as: ["model/model_export_as", "format"],
};

export type OwnDraft = Omit<Draft, "action">;

/** The candidates of the next word of a command, bare; where there is none, a shell offers files. */
export async function ofWords(
  draft: OwnDraft,
  known: (typeof WORDS)[string],
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const next = known[words.length];
  if (!next) return [];
  // The words before it say in which model to look.
  const before = words.map((word, i) => `--${known[i]?.[1]}=${word}`);
  return valuesAt({ ...draft, before }, next);
}

/** The values of a parameter of an action, without the scheme of keys. */
export async function valuesAt(draft: OwnDraft, [path, name]: (typeof VALUES)[string]): Promise<readonly Candidate[]> {
  const [group = "", action = ""] = path.split("/");
  const found = findAction(draft.description, group, action);
  const parameter = typeof found === "string" ? undefined : found.parameters.find((one) => one.name === name);
  if (typeof found === "string" || !parameter) return [];
  const values = await listValues({ ...draft, action: found }, parameter, "");
  return values.map(({ text, tells }) => ({ text: text.replace(/^key:/, ""), tells }));
}
