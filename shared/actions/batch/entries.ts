import type { BatchEntry } from "../../domain/batch-types.ts";
import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import { nearest } from "../../domain/nearest.ts";
import type { Principal } from "../../domain/principal.ts";
import { type Fault, PROBLEMS, Problem, problemOnly } from "../../domain/problems.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Action, Ports } from "../contract/action.ts";
import { notInBatch } from "../contract/in-batch.ts";
import type { Payload } from "../contract/payload.ts";
import { authorize } from "../contract/rules.ts";
import { readPayload } from "../dispatch/read-payload.ts";
import { lookAtReferences } from "./references.ts";

/** An entry whose action the caller may run. */
export interface ReadyEntry {
  readonly action: Action;
  readonly sent: BatchEntry["payload"];
  /** The payload, where it refers to no result and so can be read before the others have run. */
  readonly payload: Payload | undefined;
  /** The value that the action prepared for an input (canonical JSON), so that a repeat does not prepare it again. */
  prepared?: { readonly input: string; readonly value: unknown };
}

/**
 * Finds every entry's action, asks its rule and reads its parameters, before any of them runs. One `bad_parameters` problem tells
 * the faults of all entries.
 */
export async function readyEntries(
  entries: readonly BatchEntry[],
  ports: Pick<Ports, "find">,
  principal: Principal | undefined,
): Promise<readonly ReadyEntry[]> {
  const actions: Action[] = [];
  for (const [i, entry] of entries.entries()) {
    const action = await asEntry(i, entry, () => ports.find(entry.group, entry.action));
    await asEntry(i, entry, async () => authorize(action, principal));
    actions.push(action);
  }
  const ready: ReadyEntry[] = [];
  const problems: Problem[] = [];
  for (const [i, action] of actions.entries()) {
    const entry = entries[i] as BatchEntry;
    const one = await asEntry(i, entry, async () => readyEntry(action, entry, i)).catch(problemOnly);
    if (one instanceof Problem) problems.push(one);
    else ready.push(one);
  }
  if (problems.length > 0) throw together(problems);
  return ready;
}

function readyEntry(action: Action, entry: BatchEntry, i: number): ReadyEntry {
  checkInBatch(action, entry, i);
  const { payload: sent } = entry;
  const { faults, parameters } = lookAtReferences(sent, i, "");
  if (parameters.size === 0) return { action, sent, payload: readPayload(action, { query: [], body: sent }, nearest) };
  // Of a parameter with a reference nothing else is known yet.
  const isKnown = ({ pointer }: Fault): boolean =>
    [...parameters].every((name) => !`${pointer}/`.startsWith(`/${pointerToken(name)}/`));
  const others = faultsOf(() => readPayload(action, { query: [], body: sent }, nearest)).filter(isKnown);
  const [first] = [...faults, ...others];
  if (first) throw new Problem("bad_parameters", first.detail, { errors: [...faults, ...others] });
  return { action, sent, payload: undefined };
}

function faultsOf(read: () => Payload): readonly Fault[] {
  try {
    read();
    return [];
  } catch (error) {
    return problemOnly(error).members.errors ?? [];
  }
}

/** The faults of several entries as one problem. */
function together(problems: readonly Problem[]): Problem {
  const [first] = problems as readonly [Problem, ...Problem[]];
  if (problems.length === 1) return first;
  const numbers = problems.map(({ members }) => members.entry);
  const listed = numbers.slice(0, 10).join(", ");
  const errors = problems.flatMap(({ members }) => members.errors ?? []).slice(0, LIMITS.listedFaults);
  const detail = `${problems.length} entries have faults, listed in errors: ${listed}${numbers.length > 10 ? ", …" : ""}`;
  return new Problem("bad_parameters", detail, { errors, ...ifDefined("entry", first.members.entry) });
}

function checkInBatch(action: Action, { payload }: BatchEntry, i: number): void {
  const not = notInBatch(action);
  const given = not?.parameters?.find((parameter) => Object.hasOwn(payload, parameter));
  if (!not || (not.parameters && given === undefined)) return;
  const what = `${action.group}/${action.name}${given === undefined ? "" : ` with ${given}`}`;
  const detail = `${what} cannot be part of a batch: ${not.why}; call it by itself`;
  const place = given === undefined ? "action" : `payload/${given}`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/actions/${i}/${place}`, detail }] });
}

/** Runs something for an entry; a problem that is the entry's own tells which entry it is. */
export async function asEntry<T>(
  i: number,
  { group, action }: Pick<BatchEntry, "group" | "action">,
  something: () => Promise<T>,
): Promise<T> {
  try {
    return await something();
  } catch (error) {
    if (!(error instanceof Problem) || !isOwn(error)) throw error;
    const { code, members } = error;
    // Where the content of an import is wrong, the pointers lead into that.
    const inPayload = code === "bad_parameters";
    const place = `/actions/${i}`;
    const errors = members.errors?.map(({ pointer, detail }) => ({
      pointer: inPayload && !pointer.startsWith("/actions/") ? `${place}/payload${pointer}` : pointer,
      detail,
    }));
    throw new Problem(code, `entry ${i + 1} (${group}/${action}): ${error.message}`, {
      ...members,
      ...(errors && { errors }),
      entry: i + 1,
    });
  }
}

/** True for a problem of the entry itself: not one that may pass, nor one of the service. */
function isOwn({ code }: Problem): boolean {
  const { status, retryable } = PROBLEMS[code];
  return status < 500 && !retryable;
}
