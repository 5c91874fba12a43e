import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { toRef } from "../input/bare-ref.ts";
import type { Common, OwnFlag } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { callAction, checkControls } from "./call-action.ts";
import { knowService } from "./known-service.ts";
import { type OwnFlags, ownFlags } from "./own-flags.ts";
import { findAction, loadSettings, signedIn } from "./run-action.ts";

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
  const settings = await signedIn(place, await loadSettings(place, given));
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
export async function listRows(
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

/** The refs of a model, of an entity in it and of an attribute of that. */
export interface Addressed {
  readonly modelRef: string;
  readonly entityRef?: string;
  readonly attributeRef?: string;
}

/**
 * What words name: a model, an entity and an attribute apart, or in one a place as a search shows it, `crm/customer.email`.
 * Since keys may hold a point, the service is asked where the entity ends.
 */
export async function addressedBy(calls: OwnCalls, [first = "", ...more]: readonly string[]): Promise<Addressed> {
  const [, model = first, inside] =
    more.length > 0 || /^(id|key):/.test(first) ? [] : (/^([^/]+)\/(.+)$/.exec(first) ?? []);
  const modelRef = toRef(model);
  const [entity, attribute] = inside === undefined ? more : await splitEntityAndAttribute(calls, modelRef, inside);
  return {
    modelRef,
    ...(entity !== undefined && { entityRef: toRef(entity) }),
    ...(attribute !== undefined && { attributeRef: toRef(attribute) }),
  };
}

async function splitEntityAndAttribute(calls: OwnCalls, modelRef: string, inside: string): Promise<readonly string[]> {
  const point = inside.lastIndexOf(".");
  if (point <= 0) return [inside];
  try {
    await reading(calls).call("entity_get", { modelRef, entityRef: toRef(inside) });
    return [inside];
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "not_found") throw error;
    return [inside.slice(0, point), inside.slice(point + 1)];
  }
}
