import { toCommandGroup } from "../../shared/domain/channels.ts";
import { COMMANDS } from "../input/commands.ts";
import { readConfiguration } from "../input/configuration.ts";
import { type GivenFlag, listCommonForms, type OwnFlag, readArguments, takeCommon } from "../input/flags.ts";
import { resolveSettings, type Settings } from "../input/settings.ts";
import { isObject } from "../input/values.ts";
import { findObjectName, isDetailedList, isId, removeSchemes } from "../output/cell-text.ts";
import { combineImages, formatComparison, isComparison } from "../output/differences.ts";
import { chooseFormat, isBold, print, write } from "../output/output.ts";
import { applyQuery, findQueryFault } from "../output/query.ts";
import { createUnknownFlagFailure, createUsageFailure, EXIT, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RichText } from "../terminal/text-stream.ts";
import { callAction, checkControls, confirmDeletion, isDeletion, type Session } from "./call-action.ts";
import type { ActionDescription, Description } from "./description.ts";
import { formatActionPage } from "./help-pages.ts";
import { type KnownService, knowService } from "./known-service.ts";
import { listParameterForms, readPayload } from "./payload.ts";
import { refuseSecretArguments, replaceSecrets } from "./secrets.ts";

/** Differences between a command and the action that it runs. */
export interface Options {
  readonly flags?: Readonly<Record<string, Pick<OwnFlag, "form">>>;
  /** Checks the command's own flags before anything is sent, and derives the exit code from the answer. */
  readonly assess?: (own: ReadonlyMap<string, string>) => (body: unknown, again: Again) => Promise<number>;
  readonly forms?: readonly string[];
  /** Formats an answer in one of those forms; `read` calls another reading action of group `model`. */
  readonly textIn?: (form: string, body: unknown, read: ReadModel) => Promise<string | RichText>;
}

/** What the derivation of an exit code may need besides the answer. */
export interface Again {
  readonly read: ReadModel;
  /** Payload of the call. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Writes a line to stderr. */
  readonly tell: (line: string) => void;
}

export type ReadModel = (action: string, payload: object) => Promise<unknown>;

/** Runs `<group> <action> --name=value …` and returns the exit code. */
export async function runAction(
  terminal: Terminal,
  group: string,
  name: string,
  args: readonly string[],
  options: Options = {},
): Promise<number> {
  const settings = await renewToken(terminal, await loadSettings(terminal, args));
  const command: Command = { group, name, args, options };
  const { description, action, flags, session } = await understandCommand(terminal, settings, command);
  const { common } = session;
  if (common.help) {
    await write(terminal, formatActionPage(description, action), isBold(terminal, common));
    return EXIT.done;
  }
  const own = new Map(
    flags.flatMap((flag) => (Object.hasOwn(options.flags ?? {}, flag.name) ? [[flag.name, String(flag.value)]] : [])),
  );
  const assess = options.assess?.(own);
  checkControls(action, common);
  const form = findOwnForm(options, settings, terminal);
  const format = chooseFormat(form === undefined ? settings.output : undefined, terminal, options.forms);
  refuseSecretArguments(action, flags, description);
  const payload = await readPayload(action, flags, common, terminal);
  const isDelete = isDeletion(action, payload, description);
  const maskedPayload = common.curl || isDelete ? replaceSecrets(payload, description) : payload;
  if (isDelete) await confirmDeletion(action, maskedPayload, session);
  const isForPeople = form === undefined && format === "table" && common.query === undefined && !common.curl;
  const sentPayload = isForPeople ? addExpand(action, payload) : common.curl ? maskedPayload : payload;
  const answer = await callAction(session, action, sentPayload);
  if (!answer) return EXIT.done;
  const body = await applyQuery(answer.body, common);
  const read: ReadModel = async (actionName, input) => {
    const match = findAction(description, "model", actionName);
    if (typeof match === "string") throw createUsageFailure(match);
    return (await callAction(session, match, input))?.body;
  };
  if (form !== undefined && options.textIn && common.query === undefined) {
    await write(terminal, await options.textIn(form, body, read), isBold(terminal, common));
  } else {
    const printedBody = isForPeople && sentPayload.expand === "keys" ? replaceIdsByNames(body) : body;
    // The title `List models` gives the message `No models.`
    const [, plural = "rows"] = /^List (.*)$/.exec(action.title) ?? [];
    await print(printedBody, format, common, terminal, `No ${plural}.`);
  }
  if (answer.next !== undefined && !common.quiet) terminal.stderr.writeLine(`More rows: --cursor=${answer.next}`);
  const tell = (line: string) => terminal.stderr.writeLine(line);
  return assess?.(answer.body, { read, payload, tell }) ?? EXIT.done;
}

function addExpand({ parameters }: ActionDescription, payload: Record<string, unknown>): Record<string, unknown> {
  const isRead = parameters.some(({ name }) => name === "expand");
  return isRead && !Object.hasOwn(payload, "expand") ? { ...payload, expand: "keys" } : payload;
}

function findOwnForm({ forms = [] }: Options, { output }: Settings, { stdout }: Terminal): string | undefined {
  if (output === undefined) return stdout.isTTY ? forms[0] : undefined;
  return forms.find((form) => form === output.value);
}

/** Loads the settings from the common flags, ignoring all other arguments. */
export async function loadSettings(terminal: Terminal, args: readonly string[]): Promise<Settings> {
  const { common } = takeCommon(readArguments(args, listCommonForms()).flags, () => false);
  return resolveSettings(common, terminal, await readConfiguration(terminal));
}

const ENDING = 60_000;

/** Returns the settings with a token that lasts for the call, renewed if the profile allows it. */
export async function renewToken(terminal: Terminal, settings: Settings): Promise<Settings> {
  const { profile, token } = settings;
  const isEnding = profile.expires !== undefined && profile.expires - terminal.now() < ENDING;
  if (!isEnding || profile.refresh_token === undefined || !token?.from.startsWith("profile ")) return settings;
  const { refreshToken } = await import("./oidc-login.ts");
  const value = await refreshToken(terminal, settings, await readConfiguration(terminal));
  return value === undefined ? settings : { ...settings, token: { ...token, value } };
}

interface Command {
  readonly group: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly options: Options;
}

interface Call {
  readonly description: Description;
  readonly action: ActionDescription;
  readonly flags: readonly GivenFlag[];
  readonly session: Session;
}

/** Asks the service for its current description before reporting an unknown command. */
async function understandCommand(terminal: Terminal, settings: Settings, command: Command): Promise<Call> {
  let service = await knowService(terminal, settings.url.value);
  let call = await resolveCommand(service, terminal, settings, command);
  if (typeof call === "string" && !service.isCurrent) {
    service = await knowService(terminal, settings.url.value, { current: true });
    call = await resolveCommand(service, terminal, settings, command);
  }
  if (typeof call === "string") throw createUsageFailure(call);
  return call;
}

async function resolveCommand(
  { description }: KnownService,
  terminal: Terminal,
  settings: Settings,
  { group, name, args, options }: Command,
): Promise<Call | string> {
  const action = findAction(description, group, name);
  if (typeof action === "string") return action;
  const { flags = {} } = options;
  const forms = listParameterForms(action);
  const own = new Map([...forms, ...Object.entries(flags).map(([flag, { form }]) => [flag, form] as const)]);
  const { words, flags: all } = readArguments(args, new Map([...listCommonForms(), ...own]));
  const { common, rest } = takeCommon(all, (flag) => own.has(flag));
  const page = `${toCommandGroup(action.group)} ${action.name}`;
  const unknownFlag = rest.find((flag) => !own.has(flag.name));
  if (unknownFlag) {
    const names = [...own.keys(), ...listCommonForms().keys()];
    return createUnknownFlagFailure(`${action.group} ${action.name}`, unknownFlag.name, names, page).message;
  }
  // Checked after unknown flags: the stray word may be the value of an unknown flag.
  const [strayWord] = words;
  if (strayWord !== undefined)
    return `Unexpected argument ${strayWord}; write parameters as --name=value (see: metaction help ${page}).`;
  const queryFault = await findQueryFault(common.query, action.shape, description.shapes);
  if (queryFault !== undefined) return queryFault;
  return { description, action, flags: rest, session: { terminal, common, settings } };
}

/** Finds an action by two words, in snake or kebab case, singular or plural; else a sentence. */
export function findAction(description: Description, group: string, name: string): ActionDescription | string {
  const groups = description.groups.map((item) => toCommandGroup(item.name));
  const groupName = toGroupName(group);
  const inGroup = description.actions.filter((action) => toGroupName(action.group) === groupName);
  if (inGroup.length === 0) {
    // A command followed by a word looks like an action.
    const words = [...groups, ...Object.keys(COMMANDS)];
    return `Unknown group ${group}${suggestWord(group, words, `see: metaction help (groups: ${groups.join(", ")})`)}`;
  }
  const snake = name.replaceAll("-", "_");
  const match = inGroup.find((action) => action.name === snake);
  if (match) return match;
  const names = inGroup.map((action) => action.name);
  return `Unknown action ${group} ${name}${suggestWord(snake, names, `see: metaction help ${toCommandGroup(groupName)}`)}`;
}

/** Returns the group without its plural ending: `models` is `model`, `batches` is `batch`. */
export function toGroupName(group: string): string {
  return group.replace(/ies$/, "y").replace(/(?<=ch)es$|s$/, "");
}

type Row = Readonly<Record<string, unknown>>;

const OF_CALLS: ReadonlySet<string> = new Set(["requestId", "clientRequestId", "gatewayRequestId", "session"]);

const OF_CHANGES: ReadonlySet<string> = new Set(["change", "kind", "key", "changed"]);

/** Members that identify an object better than its id. */
const BETTER_THAN_IDS = ["key", "path", "username", "act"] as const;

/** Converts an answer for people: keys and names replace the ids next to them. */
export function replaceIdsByNames(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(toListRow);
  if (!isObject(body)) return body;
  if (Array.isArray(body.items)) return { ...body, items: body.items.map(toListRow) };
  if (isComparison(body)) return formatComparison(body);
  const isOwn = ([member]: readonly [string, unknown]) => !isNamedInRow(member, body);
  const members = nameMembers(body)
    .filter(isOwn)
    .map(([member, value]) => [member, isDetailedList(value) ? value.map(toListRow) : value]);
  return Object.fromEntries(members);
}

function toListRow(value: unknown): unknown {
  if (!isObject(value)) return value;
  const isKnown = BETTER_THAN_IDS.some((member) => value[member] !== undefined);
  const visibleMembers = nameMembers(value).filter(
    ([member]) => !(isKnown && member === "id") && !OF_CALLS.has(member) && !isNamedInRow(member, value),
  );
  return Object.fromEntries(combineChange(visibleMembers));
}

function combineChange(members: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const row = Object.fromEntries(members);
  if (row.change === undefined || row.kind === undefined) return members;
  const others = members.filter(([member]) => !OF_CHANGES.has(member));
  return [...others, ["change", findObjectName(row)]];
}

/** True for an id that another member names: `groupId` next to `group`, `modelId` next to `modelKey`. */
function isNamedInRow(member: string, row: Row) {
  const stem = /^(.+)Id$/.exec(member)?.[1];
  return stem !== undefined && (stem in row || `${stem}Key` in row);
}

function nameMembers(row: Row): readonly (readonly [string, unknown])[] {
  const members = Object.entries(row).flatMap(([member, value]): readonly (readonly [string, unknown])[] => {
    if (repeatsId(member, row)) return [];
    const keys = row[`${member}ByKey`];
    if (isObject(keys)) return [[member, { ...Object(value), ...Object(removeSchemes(keys)) }]];
    if (keys !== undefined) return [[member, removeSchemes(keys)]];
    const stem = member.replace(/Id$/, "");
    const name = row[`${stem}Name`];
    if (typeof name === "string" && isId(value)) return [[stem, name]];
    // The path says where it is; of the location only the kind remains.
    if (member === "location" && row.path !== undefined && isObject(value)) return [["objectType", value.objectType]];
    return [[member, nameNestedMembers(value)]];
  });
  return combineImages(members);
}

function nameNestedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameNestedMembers);
  return isObject(value) ? Object.fromEntries(nameMembers(value)) : value;
}

function repeatsId(member: string, row: Row) {
  if (member.endsWith("ByKey")) return member.slice(0, -"ByKey".length) in row;
  const stem = member.endsWith("Name") ? member.slice(0, -"Name".length) : "";
  return stem !== "" && (isId(row[stem]) || isId(row[`${stem}Id`]));
}
