import { type Answer, ApiProblem, type CallOptions } from "../../client/create-client.ts";
import { callToTheEnd } from "../../client/jobs.ts";
import type { Common } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { write } from "../output/output.ts";
import { EXIT, Failure, usage } from "../terminal/failure.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";
import type { ActionDescription } from "./description.ts";
import { createFetch } from "./fetching.ts";

/** A call as the command line makes it: the terminal, the common flags and the settings. */
export interface Session {
  readonly place: Terminal;
  readonly common: Common;
  readonly settings: Settings;
}

/** Calls an action with the controls of the flags; undefined where `--curl` showed the call in its place. */
export async function callAction(
  { place, common, settings }: Session,
  action: ActionDescription,
  payload: object,
): Promise<Answer<unknown> | undefined> {
  const { send, shown } = createFetch(place, common, action.isPublic ? undefined : settings.token?.from);
  const show = progressLine(place, common);
  const options: CallOptions = {
    signal: place.signal,
    wait: common.wait,
    ifMatch: common["if-match"],
    // The description tells which actions take one, so that none is sent in vain.
    idempotencyKey: common["idempotency-key"] ?? (action.controls.includes("idempotency-key") ? undefined : false),
    dryRun: common["dry-run"],
    onProgress: show,
  };
  const service = { url: settings.url.value, token: settings.token?.value, fetch: send };
  try {
    const answer = await callToTheEnd(service, `${action.group}/${action.name}`, payload, options);
    const command = shown();
    if (command === undefined) return answer;
    await write(place, `${command}\n`);
    return undefined;
  } catch (error) {
    throw withHint(error, action, place, settings);
  } finally {
    show?.end();
  }
}

/** Refuses control flags that the action does not take, before anything is sent. */
export function checkControls(action: ActionDescription, common: Common): void {
  for (const flag of ["if-match", "dry-run", "idempotency-key"] as const) {
    const isGiven = common[flag] !== undefined && common[flag] !== false;
    if (isGiven && !action.controls.includes(flag)) {
      throw usage(`--${flag} cannot apply to ${action.group} ${action.name}`);
    }
  }
}

/** Asks before a deletion where somebody is there to answer. */
export async function confirm(
  action: ActionDescription,
  payload: Readonly<Record<string, unknown>>,
  { place, common, settings }: Session,
): Promise<void> {
  const isAsked = action.intent === "delete" && place.stdin.isTTY && place.stderr.isTTY;
  if (!isAsked || common.yes || common["dry-run"] || common.curl) return;
  const what = Object.entries(payload).map(([name, value]) => `${name}=${value}`);
  const question = `${action.title} ${what.join(" ")} on ${settings.url.value}: go on? [y/N] `;
  if (/^y(es)?$/i.test(await ask(place, question))) return;
  throw new Failure("nothing was deleted", EXIT.interrupted);
}

/** A problem with what the caller can do about it here. */
function withHint(
  error: unknown,
  action: ActionDescription,
  place: Terminal,
  { token, profile, profileName, url }: Settings,
): unknown {
  if (!(error instanceof ApiProblem)) return error;
  if (error.code === "not_signed_in" && !action.isPublic) {
    const { expires } = profile;
    const ended = token?.from === `profile ${profileName.value}` && expires !== undefined && expires <= place.now();
    const [why, instead] = ended
      ? [`the sign-in of the profile ${profileName.value} has ended`, ""]
      : refusedToken(error, token?.from);
    const way = `metaction login${profileName.from === "default" ? "" : ` --profile=${profileName.value}`}`;
    return new Failure(`${why}; ${instead}sign in with: ${way} --url=${url.value}`, EXIT.notSignedIn);
  }
  if (!error.retryable || error.idempotencyKey === undefined) return error;
  const again = `; to repeat it safely add --idempotency-key=${error.idempotencyKey}`;
  return new ApiProblem(error.code, `${error.message}${again}`, error, { cause: error.cause });
}

/** Why a call was not signed in, and what else to do where the token goes before that of the profile. */
function refusedToken({ message }: ApiProblem, from: string | undefined): readonly [why: string, instead: string] {
  if (from !== "METACTION_TOKEN" && from !== "--token") return [message, ""];
  const instead = from === "--token" ? "give another one, or leave it out and " : "set another one, or unset it and ";
  return [`the token of ${from} is refused (${message})`, instead];
}

type Progress = NonNullable<CallOptions["onProgress"]> & { end(): void };

/** A line on the terminal that tells how far a job is. */
function progressLine({ stderr }: Terminal, { quiet }: Common): Progress | undefined {
  if (!stderr.isTTY || quiet) return undefined;
  let isShown = false;
  const show = ({ done, total }: { readonly done: number; readonly total: number }): void => {
    isShown = true;
    stderr.rewriteLine(`${done} of ${total}`);
  };
  const end = (): void => {
    if (isShown) stderr.rewriteLine("");
  };
  return Object.assign(show, { end });
}
