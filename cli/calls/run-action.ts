import { toCommandGroup } from "../../shared/domain/channels.ts";
import { readConfiguration } from "../input/configuration.ts";
import { commonForms, type GivenFlag, readArguments, takeCommon } from "../input/flags.ts";
import { type Settings, settle } from "../input/settings.ts";
import { isId, isTelling, findObjectName } from "../output/cell-text.ts";
import { changedIn, comparedBody, isComparison } from "../output/differences.ts";
import { chooseFormat, isBold, print, applyQuery, write } from "../output/output.ts";
import { EXIT, meant, unknownFlag, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Styled } from "../terminal/text-stream.ts";
import { callAction, checkControls, confirm, type Session } from "./call-action.ts";
import type { ActionDescription, Description } from "./description.ts";
import { actionPage, COMMANDS } from "./help-pages.ts";
import { type KnownService, knowService } from "./known-service.ts";
import { parameterForms, readPayload } from "./payload.ts";
import { refuseSecretArguments, withoutSecrets } from "./secrets.ts";

/** The ways in which a command that stands for an action differs from running it. */
export interface Otherwise {
  /** Text flags of the command's own. */
  readonly flags?: readonly string[];
  /** Checks its own flags before anything is sent; the exit code follows from the answer. */
  readonly judge?: (own: ReadonlyMap<string, string>) => (body: unknown) => number;
  /** Forms of its own beside those of `--output`, the first of which a terminal gets. */
  readonly forms?: readonly string[];
  /** The text of an answer in one of those forms; `read` calls another action that reads models. */
  readonly textIn?: (form: string, body: unknown, read: ReadModel) => Promise<string | Styled>;
}

/** Answers the body of an action of the group `model`. */
export type ReadModel = (action: string, payload: object) => Promise<unknown>;

/** Runs `<group> <action> --name=value …` and answers the exit code. */
export async function runAction(
  place: Terminal,
  group: string,
  name: string,
  given: readonly string[],
  otherwise: Otherwise = {},
): Promise<number> {
  const settings = await signedIn(place, await loadSettings(place, given));
  const { description, action, flags, session } = await understood(place, settings, { group, name, given, otherwise });
  const { common } = session;
  if (common.help) {
    await write(place, actionPage(description, action), isBold(place, common));
    return EXIT.done;
  }
  const own = new Map(
    flags.flatMap((flag) => (otherwise.flags?.includes(flag.name) ? [[flag.name, String(flag.value)]] : [])),
  );
  const judge = otherwise.judge?.(own);
  checkControls(action, common);
  const form = ownForm(otherwise, settings, place);
  const format = chooseFormat(form === undefined ? settings.output : undefined, place, otherwise.forms);
  refuseSecretArguments(action, flags, description);
  const payload = await readPayload(action, flags, common, place);
  const shown = common.curl || action.intent === "delete" ? withoutSecrets(payload, description) : payload;
  await confirm(action, shown, session);
  const isForPeople = form === undefined && format === "table" && common.query === undefined && !common.curl;
  const sent = isForPeople ? withKeys(action, payload) : common.curl ? shown : payload;
  const answer = await callAction(session, action, sent);
  if (!answer) return EXIT.done;
  const body = await applyQuery(answer.body, common);
  if (form !== undefined && otherwise.textIn && common.query === undefined) {
    const read: ReadModel = async (wanted, of) => {
      const found = findAction(description, "model", wanted);
      if (typeof found === "string") throw usage(found);
      return (await callAction(session, found, of))?.body;
    };
    await write(place, await otherwise.textIn(form, body, read), isBold(place, common));
  } else {
    const shownBody = isForPeople && sent.expand === "keys" ? byName(body) : body;
    await print(shownBody, format, common, place, describeEmptyList(action));
  }
  if (answer.next !== undefined && !common.quiet) place.stderr.writeLine(`There is more: --cursor=${answer.next}`);
  return judge?.(answer.body) ?? EXIT.done;
}

/** What a list without rows says: `List models` has `No models.` */
function describeEmptyList({ title }: ActionDescription): string | undefined {
  const [, listed] = /^List (.*)$/.exec(title) ?? [];
  return listed === undefined ? undefined : `No ${listed}.`;
}

/** A payload that asks a read for keys and names, unless it says itself what it asks for. */
function withKeys({ parameters }: ActionDescription, payload: Record<string, unknown>): Record<string, unknown> {
  const isRead = parameters.some(({ name }) => name === "expand");
  return isRead && !Object.hasOwn(payload, "expand") ? { ...payload, expand: "keys" } : payload;
}

/** The form of the command's own that is asked for; undefined where it is one of `--output`. */
function ownForm({ forms = [] }: Otherwise, { output }: Settings, { stdout }: Terminal): string | undefined {
  if (output === undefined) return stdout.isTTY ? forms[0] : undefined;
  return forms.find((form) => form === output.value);
}

/** The settings by the common flags, whatever else is there. */
export async function loadSettings(
  place: Terminal,
  given: readonly string[],
  options: { readonly mayBeNew?: boolean } = {},
): Promise<Settings> {
  const { common } = takeCommon(readArguments(given, commonForms()).flags, () => false);
  return settle(common, place, await readConfiguration(place), options);
}

/** Milliseconds before its end at which a token is exchanged for a new one. */
const ENDING = 60_000;

/** The settings with a token that will last for the call, where the profile can get one. */
export async function signedIn(place: Terminal, settings: Settings): Promise<Settings> {
  const { profile, token } = settings;
  const isEnding = profile.expires !== undefined && profile.expires - place.now() < ENDING;
  if (!isEnding || profile.refresh_token === undefined || !token?.from.startsWith("profile ")) return settings;
  const { refreshToken } = await import("./oidc-login.ts");
  const value = await refreshToken(place, settings, await readConfiguration(place));
  return value === undefined ? settings : { ...settings, token: { ...token, value } };
}

interface Command {
  readonly group: string;
  readonly name: string;
  readonly given: readonly string[];
  readonly otherwise: Otherwise;
}

interface Understood {
  readonly description: Description;
  readonly action: ActionDescription;
  readonly flags: readonly GivenFlag[];
  readonly session: Session;
}

/** Reads a command by the service's description; before something is called unknown, the service itself is asked. */
async function understood(place: Terminal, settings: Settings, command: Command): Promise<Understood> {
  let known = await knowService(place, settings.url.value);
  let read = reading(known, place, settings, command);
  if (typeof read === "string" && !known.isCurrent) {
    known = await knowService(place, settings.url.value, { current: true });
    read = reading(known, place, settings, command);
  }
  if (typeof read === "string") throw usage(read);
  return read;
}

/** The meaning of a command, or the sentence that says why it has none. */
function reading(
  { description }: KnownService,
  place: Terminal,
  settings: Settings,
  { group, name, given, otherwise }: Command,
): Understood | string {
  const action = findAction(description, group, name);
  if (typeof action === "string") return action;
  const { flags = [] } = otherwise;
  const forms = parameterForms(action);
  const own = new Map([...forms, ...flags.map((flag) => [flag, "text"] as const)]);
  const { words, flags: all } = readArguments(given, new Map([...commonForms(), ...own]));
  const { common, rest } = takeCommon(all, (flag) => own.has(flag));
  const stranger = rest.find((flag) => !own.has(flag.name));
  if (stranger) {
    const names = [...own.keys(), ...commonForms().keys()];
    const page = `${toCommandGroup(action.group)} ${action.name}`;
    return unknownFlag(`${action.group} ${action.name}`, stranger.name, names, page).message;
  }
  // Behind the strangers: it may be the value of one.
  const [stray] = words;
  if (stray !== undefined) return `${stray} stands alone; write parameters as --name=value (${formatHelpHint(action)})`;
  return { description, action, flags: rest, session: { place, common, settings } };
}

function formatHelpHint({ group, name }: ActionDescription): string {
  return `see: metaction help ${toCommandGroup(group)} ${name}`;
}

/** The action of two words, in snake or kebab case, the group in the singular or plural; else a sentence. */
export function findAction(description: Description, group: string, name: string): ActionDescription | string {
  const groups = description.groups.map((known) => toCommandGroup(known.name));
  const wanted = groupName(group);
  const inGroup = description.actions.filter((action) => groupName(action.group) === wanted);
  if (inGroup.length === 0) {
    // A command with a word behind it looks like an action.
    const known = [...groups, ...Object.keys(COMMANDS)];
    return `there is no group ${group}${meant(group, known, `see: metaction help (groups: ${groups.join(", ")})`)}`;
  }
  const snake = name.replaceAll("-", "_");
  const found = inGroup.find((action) => action.name === snake);
  if (found) return found;
  const names = inGroup.map((action) => action.name);
  return `there is no action ${group} ${name}${meant(snake, names, `see: metaction help ${toCommandGroup(wanted)}`)}`;
}

/** A group without the ending of its plural: `models` means the same as `model`, `batches` as `batch`. */
export function groupName(group: string): string {
  return group.replace(/ies$/, "y").replace(/(?<=ch)es$|s$/, "");
}

type Row = Readonly<Record<string, unknown>>;

/** Names of members that say which call something came from, for logs and no table. */
const OF_CALLS: ReadonlySet<string> = new Set(["requestId"]);

/** Members that one text tells together. */
const OF_CHANGES: ReadonlySet<string> = new Set(["change", "kind", "key", "changed"]);

/** Members by which people know an object better than by its id. */
const BETTER_THAN_IDS = ["key", "path", "username", "act"] as const;

/** The answer of a read with `expand=keys` as people read it: keys and names in the place of the ids that they stand beside. */
export function byName(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(toListRow);
  if (!isRow(body)) return body;
  if (Array.isArray(body.items)) return { ...body, items: body.items.map(toListRow) };
  if (isComparison(body)) return comparedBody(body);
  // A list inside an object may become a table of its own.
  const isOwn = ([member]: readonly [string, unknown]): boolean => !isNamedBeside(member, body);
  const members = nameMembers(body)
    .filter(isOwn)
    .map(([member, value]) => [member, isTelling(value) ? value.map(toListRow) : value]);
  return Object.fromEntries(members);
}

/** A row of a list, without ids of what has a better name. */
function toListRow(value: unknown): unknown {
  if (!isRow(value)) return value;
  const isKnown = BETTER_THAN_IDS.some((member) => value[member] !== undefined);
  const shown = nameMembers(value).filter(
    ([member]) => !(isKnown && member === "id") && !OF_CALLS.has(member) && !isNamedBeside(member, value),
  );
  return Object.fromEntries(inOne(shown));
}

/** The change of a row in one text, `update attribute email (type: date → text)`, in the place of its parts. */
function inOne(members: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const row = Object.fromEntries(members);
  if (row.change === undefined || row.kind === undefined) return members;
  const others = members.filter(([member]) => !OF_CHANGES.has(member));
  return [...others, ["change", findObjectName(row)]];
}

/** True for the id of what another member names: `groupId` beside `group`, `modelId` beside `modelKey`. */
function isNamedBeside(member: string, row: Row): boolean {
  const [, stem] = /^(.+)Id$/.exec(member) ?? [];
  return stem !== undefined && (stem in row || `${stem}Key` in row);
}

/** The members of an object, the names of what they hold in the place of ids. */
function nameMembers(row: Row): readonly (readonly [string, unknown])[] {
  const members = Object.entries(row).flatMap(([member, value]): readonly (readonly [string, unknown])[] => {
    if (isBeside(member, row)) return [];
    const keys = row[`${member}ByKey`];
    if (isRow(keys)) return [[member, { ...Object(value), ...Object(bare(keys)) }]];
    if (keys !== undefined) return [[member, bare(keys)]];
    const stem = member.replace(/Id$/, "");
    const name = row[`${stem}Name`];
    if (typeof name === "string" && isId(value)) return [[stem, name]];
    // The path says where it is, and the location is left to say of which sort.
    if (member === "location" && row.path !== undefined && isRow(value)) return [["objectType", value.objectType]];
    return [[member, inner(value)]];
  });
  return changedIn(members);
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isRow(value) ? Object.fromEntries(nameMembers(value)) : value;
}

/** True for a member that only tells what another one holds by id. */
function isBeside(member: string, row: Row): boolean {
  if (member.endsWith("ByKey")) return member.slice(0, -"ByKey".length) in row;
  const stem = member.endsWith("Name") ? member.slice(0, -"Name".length) : "";
  return stem !== "" && (isId(row[stem]) || isId(row[`${stem}Id`]));
}

/** Refs without their scheme. */
function bare(refs: unknown): unknown {
  if (Array.isArray(refs)) return refs.map(bare);
  if (isRow(refs)) return Object.fromEntries(Object.entries(refs).map(([member, value]) => [member, bare(value)]));
  return typeof refs === "string" ? refs.replace(/^key:/, "") : refs;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
