import { type Answer, ApiProblem } from "../client/create-client.ts";
import { LIMITS } from "../shared/domain/limits.ts";
import { callAction, checkControls } from "./call-action.ts";
import { usage } from "./failure.ts";
import type { OwnFlag } from "./flags.ts";
import type { Common } from "./general-flags.ts";
import { knowService } from "./known-service.ts";
import { type OwnFlags, ownFlags } from "./own-flags.ts";
import { findAction, settingsOf, signedIn } from "./run-action.ts";
import type { Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** The words and flags of a command of its own, and the actions that it may call. */
export interface OwnCalls extends OwnFlags {
  readonly settings: Settings;
  /**
   * Calls an action, of the group `model` unless it is written `<group>/<action>`, under other common flags where they are
   * given; undefined where `--curl` showed it.
   */
  call(action: string, payload: object, common?: Common): Promise<Answer<unknown> | undefined>;
}

/** Reads the arguments of a command of its own that calls actions. */
export async function ownCalls(
  place: Terminal,
  command: string,
  own: Readonly<Record<string, OwnFlag>>,
  given: readonly string[],
): Promise<OwnCalls> {
  const flags = ownFlags(command, own, given);
  const settings = await signedIn(place, await settingsOf(place, given));
  return {
    ...flags,
    settings,
    call: async (path, payload, common = flags.common) => {
      const action = await actionAt(place, settings.url.value, path);
      checkControls(action, common);
      return callAction({ place, common, settings }, action, payload);
    },
  };
}

/** An action, of the group `model` unless its path names one; before it is called unknown, the service itself is asked. */
async function actionAt(place: Terminal, url: string, path: string) {
  const [name = "", group = "model"] = path.split("/").reverse();
  let found = findAction((await knowService(place, url)).description, group, name);
  if (typeof found === "string") {
    found = findAction((await knowService(place, url, { current: true })).description, group, name);
  }
  if (typeof found === "string") throw usage(`${url} is too old for this command: ${found}`);
  return found;
}

/** The same calls for what has to be read first: the flags that change a call are not about these. */
export function reading(calls: OwnCalls): OwnCalls {
  const { verbose, quiet } = calls.common;
  const common = { ...(verbose !== undefined && { verbose }), ...(quiet !== undefined && { quiet }) };
  return { ...calls, call: (path, payload) => calls.call(path, payload, common) };
}

/** All rows of a list, page after page, up to a number of them. */
export async function rowsOf(
  calls: OwnCalls,
  action: string,
  payload: object,
  isWanted: (row: object) => boolean = () => true,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly object[] | undefined> {
  const rows: object[] = [];
  let cursor: string | undefined;
  do {
    const answer = await calls.call(action, { ...payload, ...(cursor !== undefined && { cursor }), limit: PAGE });
    if (!answer) return undefined;
    // Lists answer their rows as `items`.
    rows.push(...(answer.body as { readonly items: readonly object[] }).items.filter(isWanted));
    cursor = answer.next;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}

const PAGE = LIMITS.pageRows;

/** A problem about a parameter in the words of the flag that stands for it. */
export function inFlag(error: unknown, parameter: string, flag: string): unknown {
  if (!(error instanceof ApiProblem) || !error.message.startsWith(`${parameter}: `)) return error;
  return new ApiProblem(error.code, `--${flag}${error.message.slice(parameter.length)}`, error, { cause: error.cause });
}

/** A sentence of a problem with another one behind it. */
export function withAdvice(problem: ApiProblem, advice: string): ApiProblem {
  return new ApiProblem(problem.code, `${problem.message}; ${advice}`, problem, { cause: problem.cause });
}
