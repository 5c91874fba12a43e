import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { CommandName } from "../input/commands.ts";
import type { Common } from "../input/flags.ts";
import type { Settings } from "../input/settings.ts";
import { toRef } from "../input/values.ts";
import { findQueryFault } from "../output/query.ts";
import { createUsageFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { callAction, checkControls } from "./call-action.ts";
import { knowService } from "./known-service.ts";
import { type OwnFlags, readOwnFlags } from "./own-flags.ts";
import { findAction, loadSettings, renewToken } from "./run-action.ts";

/** Words, flags and called actions of a command that is not an action. */
export interface OwnCalls extends OwnFlags {
  readonly settings: Settings;
  /** Calls an action, by default of group `model`. Returns undefined when `--curl` printed the call. */
  call(action: string, payload: object, common?: Common): Promise<Answer<unknown> | undefined>;
  /** Throws a usage failure if `--query` names a member that no answer of the action has. */
  checkQuery(action: string): Promise<void>;
}

/** Reads the arguments of a command that calls actions. */
export async function readCalls(terminal: Terminal, command: CommandName, args: readonly string[]): Promise<OwnCalls> {
  const flags = readOwnFlags(command, args);
  const settings = await renewToken(terminal, await loadSettings(terminal, args));
  return {
    ...flags,
    settings,
    checkQuery: async (path) => {
      const { action, description } = await findActionByPath(terminal, settings.url.value, path);
      const fault = await findQueryFault(flags.common.query, action.shape, description.shapes);
      if (fault !== undefined) throw createUsageFailure(fault);
    },
    call: async (path, payload, common = flags.common) => {
      const { action } = await findActionByPath(terminal, settings.url.value, path);
      checkControls(action, common);
      return callAction({ terminal, common, settings }, action, payload);
    },
  };
}

/** Asks the service for its current description before reporting an unknown action. */
async function findActionByPath(terminal: Terminal, url: string, path: string) {
  const [name = "", group = "model"] = path.split("/").reverse();
  let { description } = await knowService(terminal, url);
  let action = findAction(description, group, name);
  if (typeof action === "string") {
    ({ description } = await knowService(terminal, url, { current: true }));
    action = findAction(description, group, name);
  }
  if (typeof action === "string")
    throw createUsageFailure(`The service at ${url} is too old for this command: ${action}`);
  return { action, description };
}

/** Returns the same calls for preliminary reads, without the flags that affect writes. */
export function toReads(calls: OwnCalls): OwnCalls {
  const { verbose, quiet } = calls.common;
  const common = { ...(verbose !== undefined && { verbose }), ...(quiet !== undefined && { quiet }) };
  return { ...calls, call: (path, payload) => calls.call(path, payload, common) };
}

/** Returns all rows of a list, page by page, up to a maximum. */
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
    // List actions answer their rows as `items`.
    rows.push(...(answer.body as { readonly items: readonly object[] }).items.filter(isWanted));
    cursor = answer.next;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}

const PAGE = LIMITS.pageRows;

/** Rewrites a problem about a parameter to name the flag instead. */
export function nameFlag(error: unknown, parameter: string, flag: string): unknown {
  if (!(error instanceof ApiProblem) || !error.message.startsWith(`${parameter}: `)) return error;
  return new ApiProblem(error.code, `--${flag}${error.message.slice(parameter.length)}`, error, { cause: error.cause });
}

/** Returns the problem with advice appended to its sentence. */
export function addAdvice(problem: ApiProblem, advice: string): ApiProblem {
  return new ApiProblem(problem.code, `${problem.message}; ${advice}`, problem, { cause: problem.cause });
}

/** Refs of a model and, if given, of an entity in it and of an attribute of that entity. */
export interface Address {
  readonly modelRef: string;
  readonly entityRef?: string;
  readonly attributeRef?: string;
}

/** Resolves words or one path, such as `crm/customer.email`, to refs. Keys may contain dots. */
export async function resolveAddress(calls: OwnCalls, [first = "", ...more]: readonly string[]): Promise<Address> {
  const [, model = first, path] =
    more.length > 0 || /^(id|key):/.test(first) ? [] : (/^([^/]+)\/(.+)$/.exec(first) ?? []);
  const modelRef = toRef(model);
  const [entity, attribute] = path === undefined ? more : await splitEntityAndAttribute(calls, modelRef, path);
  return {
    modelRef,
    ...(entity !== undefined && { entityRef: toRef(entity) }),
    ...(attribute !== undefined && { attributeRef: toRef(attribute) }),
  };
}

async function splitEntityAndAttribute(calls: OwnCalls, modelRef: string, path: string): Promise<readonly string[]> {
  const point = path.lastIndexOf(".");
  if (point <= 0) return [path];
  try {
    await toReads(calls).call("entity_get", { modelRef, entityRef: toRef(path) });
    return [path];
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "not_found") throw error;
    return [path.slice(0, point), path.slice(point + 1)];
  }
}
