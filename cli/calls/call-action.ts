import { type Answer, ApiProblem, type CallOptions } from "../../client/create-client.ts";
import { callAndWait } from "../../client/jobs.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import type { Common } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { isObject } from "../input/values.ts";
import { write } from "../output/output.ts";
import { createUsageFailure, EXIT, Failure } from "../terminal/failure.ts";
import { ask, canAsk, type Terminal } from "../terminal/terminal.ts";
import type { ActionDescription, Description } from "./description.ts";
import { createFetch } from "./fetching.ts";

/** Terminal, common flags and settings of a call. */
export interface Session {
  readonly terminal: Terminal;
  readonly common: Common;
  readonly settings: Settings;
}

/** Calls an action with the controls of the flags. Returns undefined when `--curl` printed the call instead. */
export async function callAction(
  { terminal, common, settings }: Session,
  action: ActionDescription,
  payload: object,
): Promise<Answer<unknown> | undefined> {
  const { send, getCommand } = createFetch(terminal, common, action.isPublic ? undefined : settings.token?.from);
  const show = createProgressLine(terminal, common);
  const options: CallOptions = {
    signal: terminal.signal,
    wait: common.wait,
    ifMatch: common["if-match"],
    // The description lists the actions that accept a key, so none is sent needlessly.
    idempotencyKey: common["idempotency-key"] ?? (action.controls.includes("idempotency-key") ? undefined : false),
    dryRun: common["dry-run"],
    run: common.run,
    onProgress: show,
  };
  const service = { url: settings.url.value, token: settings.token?.value, fetch: send };
  try {
    const answer = await callAndWait(service, `${action.group}/${action.name}`, payload, options);
    const command = getCommand();
    if (command === undefined) {
      if (answer.sunset !== undefined && !common.quiet) {
        const page = `metaction help ${toCommandGroup(action.group)} ${action.name}`;
        terminal.stderr.writeLine(
          `Deprecated: a name of this call may be removed from ${answer.sunset} on; see: ${page}`,
        );
      }
      return answer;
    }
    await write(terminal, `${command}\n`);
    return undefined;
  } catch (error) {
    throw addHint(error, action, terminal, settings);
  } finally {
    show?.end();
  }
}

/** Throws a usage failure for control flags that the action does not accept. */
export function checkControls(action: ActionDescription, common: Common): void {
  for (const flag of ["if-match", "dry-run", "idempotency-key", "run"] as const) {
    const isGiven = common[flag] !== undefined && common[flag] !== false;
    if (isGiven && !action.controls.includes(flag)) {
      throw createUsageFailure(`Flag --${flag} does not apply to ${action.group} ${action.name}.`);
    }
  }
}

/** True for a call that deletes: by its intent, by `prune`, or by an entry of a batch. */
export function isDeletion(
  { intent, group, name }: ActionDescription,
  payload: Readonly<Record<string, unknown>>,
  { actions }: Description,
): boolean {
  if (intent === "delete" || payload.prune === true) return true;
  if (group !== "batch" || name !== "batch_run" || !Array.isArray(payload.actions)) return false;
  return payload.actions.filter(isObject).some((entry) => {
    const action = actions.find((one) => one.group === entry.group && one.name === entry.action);
    return (
      action !== undefined && (action.intent === "delete" || (isObject(entry.payload) && entry.payload.prune === true))
    );
  });
}

/** Asks to confirm a deletion. Throws a failure with exit code 9 where nobody can be asked. */
export async function confirmDeletion(
  { title }: ActionDescription,
  payload: Readonly<Record<string, unknown>>,
  { terminal, common, settings }: Session,
): Promise<void> {
  if (common.yes || common["dry-run"] || common.curl) return;
  const parameters = Object.entries(payload).map(([name, value]) => {
    return `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`;
  });
  const call = `${title} ${parameters.join(" ")} on ${settings.url.value}`;
  if (!canAsk(terminal)) {
    const reason = "it deletes, and the command does not run on a terminal. Nothing was sent. Add --yes to run it";
    throw new Failure(`Confirmation needed for: ${call}; ${reason}`, EXIT.unconfirmed);
  }
  if (/^y(es)?$/i.test(await ask(terminal, `${call}. Continue? [y/N] `))) return;
  throw new Failure("nothing was deleted", EXIT.interrupted);
}

function addHint(
  error: unknown,
  action: ActionDescription,
  terminal: Terminal,
  { token, profile, profileName, url }: Settings,
): unknown {
  if (!(error instanceof ApiProblem)) return error;
  if (error.code === "not_signed_in" && !action.isPublic) {
    const { expires } = profile;
    const isPast = token?.from === `profile ${profileName.value}` && expires !== undefined && expires <= terminal.now();
    const [reason, advice] = isPast
      ? [`the sign-in of profile ${profileName.value} has expired`, ""]
      : describeRefusedToken(error, token?.from);
    const command = `metaction login${profileName.from === "default" ? "" : ` --profile=${profileName.value}`}`;
    return new Failure(`${reason}; ${advice}sign in with: ${command} --url=${url.value}`, EXIT.notSignedIn);
  }
  if (!error.retryable || error.idempotencyKey === undefined) return error;
  const hint = `; to repeat it safely add --idempotency-key=${error.idempotencyKey}`;
  return new ApiProblem(error.code, `${error.message}${hint}`, error, { cause: error.cause });
}

function describeRefusedToken(
  { message }: ApiProblem,
  from: string | undefined,
): readonly [reason: string, advice: string] {
  if (from !== "METACTION_TOKEN" && from !== "--token") return [message, ""];
  const advice = from === "--token" ? "give another one, or leave it out and " : "set another one, or unset it and ";
  return [`the token from ${from} was refused (${message})`, advice];
}

type Progress = NonNullable<CallOptions["onProgress"]> & { end(): void };

function createProgressLine({ stderr }: Terminal, { quiet }: Common): Progress | undefined {
  if (!stderr.isTTY || quiet) return undefined;
  let isShown = false;
  const show = ({ done, total }: { readonly done: number; readonly total: number }) => {
    isShown = true;
    stderr.rewriteLine(`${done} of ${total}`);
  };
  const end = () => {
    if (isShown) stderr.rewriteLine("");
  };
  return Object.assign(show, { end });
}
