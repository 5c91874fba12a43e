import { commandGroup } from "../shared/domain/command-group.ts";
import { byName } from "./by-name.ts";
import { callAction, checkControls, confirm, type Session } from "./call-action.ts";
import { readConfiguration } from "./configuration.ts";
import type { ActionDescription, Description } from "./description.ts";
import { EXIT, usage } from "./failure.ts";
import { commonForms, type GivenFlag, readArguments } from "./flags.ts";
import { takeCommon } from "./general-flags.ts";
import { actionPage, COMMANDS } from "./help-pages.ts";
import { type KnownService, knowService } from "./known-service.ts";
import { formatOf, isBold, print, queried, write } from "./output.ts";
import { parameterForms, payloadOf } from "./payload.ts";
import { refuseSecretArguments, withoutSecrets } from "./secrets.ts";
import { type Settings, settle } from "./settings.ts";
import type { Terminal } from "./terminal.ts";
import type { Styled } from "./text-stream.ts";
import { meant, unknownFlag } from "./unknown-word.ts";

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
  const settings = await signedIn(place, await settingsOf(place, given));
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
  const format = formatOf(form === undefined ? settings.output : undefined, place, otherwise.forms);
  refuseSecretArguments(action, flags, description);
  const payload = await payloadOf(action, flags, common, place);
  const shown = common.curl || action.intent === "delete" ? withoutSecrets(payload, description) : payload;
  await confirm(action, shown, session);
  const isForPeople = form === undefined && format === "table" && common.query === undefined && !common.curl;
  const sent = isForPeople ? withKeys(action, payload) : common.curl ? shown : payload;
  const answer = await callAction(session, action, sent);
  if (!answer) return EXIT.done;
  const body = await queried(answer.body, common);
  if (form !== undefined && otherwise.textIn && common.query === undefined) {
    const read: ReadModel = async (wanted, of) => {
      const found = findAction(description, "model", wanted);
      if (typeof found === "string") throw usage(found);
      return (await callAction(session, found, of))?.body;
    };
    await write(place, await otherwise.textIn(form, body, read), isBold(place, common));
  } else {
    const shownBody = isForPeople && sent.expand === "keys" ? byName(body) : body;
    await print(shownBody, format, common, place, noneOf(action));
  }
  if (answer.next !== undefined && !common.quiet) place.stderr.writeLine(`There is more: --cursor=${answer.next}`);
  return judge?.(answer.body) ?? EXIT.done;
}

/** What a list without rows says: `List models` has `No models.` */
function noneOf({ title }: ActionDescription): string | undefined {
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
export async function settingsOf(
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
  const { refreshed } = await import("./oidc-login.ts");
  const value = await refreshed(place, settings, await readConfiguration(place));
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
    const page = `${commandGroup(action.group)} ${action.name}`;
    return unknownFlag(`${action.group} ${action.name}`, stranger.name, names, page).message;
  }
  // Behind the strangers: it may be the value of one.
  const [stray] = words;
  if (stray !== undefined) return `${stray} stands alone; write parameters as --name=value (${usageOf(action)})`;
  return { description, action, flags: rest, session: { place, common, settings } };
}

function usageOf({ group, name }: ActionDescription): string {
  return `see: metaction help ${commandGroup(group)} ${name}`;
}

/** The action of two words, in snake or kebab case, the group in the singular or plural; else a sentence. */
export function findAction(description: Description, group: string, name: string): ActionDescription | string {
  const groups = description.groups.map((known) => commandGroup(known.name));
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
  return `there is no action ${group} ${name}${meant(snake, names, `see: metaction help ${commandGroup(wanted)}`)}`;
}

/** A group without the ending of its plural: `models` means the same as `model`, `batches` as `batch`. */
export function groupName(group: string): string {
  return group.replace(/ies$/, "y").replace(/(?<=ch)es$|s$/, "");
}
