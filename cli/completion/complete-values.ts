import { callAction } from "../../client/action-call.ts";
import {
  type ActionDescription,
  type Description,
  formatTitle,
  type ParameterDescription,
} from "../calls/description.ts";
import { listParameterForms, readPayload } from "../calls/payload.ts";
import { findAction } from "../calls/run-action.ts";
import { type GivenFlag, listCommonForms, type Parameter, readArguments } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { isObject } from "../input/values.ts";
import { findList } from "../output/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A completion of a word, with a description for people. */
export interface Candidate {
  readonly text: string;
  readonly summary?: string | undefined;
}

/** The call being typed. */
export interface Draft {
  readonly terminal: Terminal;
  readonly settings: Settings;
  readonly description: Description;
  readonly action: ActionDescription;
  readonly before: readonly string[];
}

/** Milliseconds that a completion may take. */
export const PATIENCE = 3_000;

type Row = Readonly<Record<string, unknown>>;

interface Source {
  readonly action: string;
  readonly rows?: (body: unknown) => readonly unknown[] | undefined;
  readonly formatValue: (row: Row) => string;
  readonly label?: string;
}

const formatKeyRef = (row: Row) => `key:${row.key}`;
const formatBareId = ({ id }: Row) => String(id);

const tags: Source = {
  action: "tag_search",
  formatValue: ({ group, ...row }) => (isObject(group) ? `key:${group.key}/${row.key}` : formatKeyRef(row)),
  label: "name",
};

const SOURCES: Readonly<Record<string, Source>> = {
  RelationshipRoleRef: {
    action: "relationship_get",
    rows: (body) => (isObject(body) && Array.isArray(body.roles) ? body.roles : undefined),
    formatValue: formatKeyRef,
  },
  TagRef: tags,
  LocalTagRef: tags,
  GlobalTagRef: tags,
  UserRef: { action: "user_list", formatValue: ({ username }) => String(username), label: "fullname" },
  ActorRef: { action: "actor_list", formatValue: formatBareId, label: "subject" },
  ApiTokenId: { action: "token_list", formatValue: formatBareId, label: "name" },
  JobRef: { action: "job_list", formatValue: ({ id }) => `id:${id}`, label: "action" },
  PropertyDefinitionRef: { action: "definition_list", formatValue: formatKeyRef },
  ModelVersion: { action: "history_versions", formatValue: ({ version }) => String(version) },
};

/** Returns the values of a parameter: described ones, action names, or refs from the service. */
export async function listValues(
  draft: Draft,
  { name, type, values, json }: ParameterDescription,
  input: string,
): Promise<readonly Candidate[]> {
  if (values.length > 0) return values.map((text) => ({ text }));
  if (json === "boolean") return [{ text: "true" }, { text: "false" }];
  const member = /^List<(\w+)>$/.exec(type)?.[1] ?? type;
  if (member === "ActionPath") {
    return draft.description.actions.map((one) => ({ text: `${one.group}/${one.name}`, summary: formatTitle(one) }));
  }
  const source = findValueSource(member);
  if (!source) return [];
  const flags = listFlags(draft);
  // `leftModelVersion` is a version of the model in `leftModelRef`.
  const side = /^(left|right)Model/.exec(name)?.[1];
  const modelRef = flags.find((flag) => flag.name === (side ? `${side}ModelRef` : "modelRef"))?.value;
  const inputFlags = side && modelRef ? [{ name: "modelRef", value: modelRef }] : flags;
  const filters = source === tags ? await findTagFilters(draft, member, modelRef) : undefined;
  if (source === tags && !filters) return [];
  const body = await fetchAnswer(draft, source.action, inputFlags, filters && { filters });
  const rows = (source.rows ?? findList)(body)?.filter(isObject) ?? [];
  return rows.map((row) => {
    const text = source.formatValue(row);
    if (input.startsWith("id:") && typeof row.id === "string") return { text: `id:${row.id}`, summary: text };
    const summary = row[source.label ?? "name"];
    return { text, summary: typeof summary === "string" ? summary : undefined };
  });
}

function findValueSource(type: string): Source | undefined {
  if (Object.hasOwn(SOURCES, type)) return SOURCES[type];
  const kind = /^(\w+)Ref$/.exec(type)?.[1];
  if (kind === undefined) return undefined;
  return {
    action: `${kind.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}_list`,
    formatValue: formatKeyRef,
  };
}

async function findTagFilters(draft: Draft, type: string, modelRef: GivenFlag["value"] | undefined) {
  const scopes: object[] = type === "LocalTagRef" ? [] : [{ type: "global" }];
  if (type !== "GlobalTagRef" && modelRef !== undefined) {
    const model = await fetchAnswer(draft, "model_get", [{ name: "modelRef", value: modelRef }]);
    if (isObject(model)) scopes.push({ type: "model", id: model.id });
  }
  if (scopes.length === 0) return undefined;
  return { operator: "or", items: scopes.map((value) => ({ type: "scopeRef", condition: "is", value })) };
}

function listFlags({ action, before }: Draft): readonly GivenFlag[] {
  const { flags } = readArguments(before, new Map([...listCommonForms(), ...listParameterForms(action)]));
  return flags.filter(({ value }) => value !== "-");
}

async function fetchAnswer(
  { terminal, settings, description }: Draft,
  name: string,
  flags: readonly GivenFlag[],
  more: object = {},
): Promise<unknown> {
  const action = description.actions.find((one) => one.name === name);
  if (!action) return undefined;
  const payload = { ...(await readPayload(action, flags, {}, terminal)), ...more };
  if (action.parameters.some((one) => one.required && !Object.hasOwn(payload, one.name))) return undefined;
  const service = { url: settings.url.value, token: settings.token?.value, retries: 0, timeout: PATIENCE };
  return (await callAction(service, `${action.group}/${name}`, payload)).body;
}

export type OwnDraft = Omit<Draft, "action">;

/** Returns completions for the next word of a command; without any, the shell offers files. */
export async function completeWord(
  draft: OwnDraft,
  parameters: readonly Parameter[],
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const next = parameters[words.length];
  if (!next) return [];
  // The words before it name the model.
  const before = words.map((word, i) => `--${parameters[i]?.[1]}=${word}`);
  return completeParameter({ ...draft, before }, next);
}

/** Returns the values of an action's parameter, without the key scheme. */
export async function completeParameter(draft: OwnDraft, [path, name]: Parameter): Promise<readonly Candidate[]> {
  const [group = "", action = ""] = path.split("/");
  const match = findAction(draft.description, group, action);
  const parameter = typeof match === "string" ? undefined : match.parameters.find((one) => one.name === name);
  if (typeof match === "string" || !parameter) return [];
  const values = await listValues({ ...draft, action: match }, parameter, "");
  return values.map(({ text, summary }) => ({ text: text.replace(/^key:/, ""), summary }));
}
