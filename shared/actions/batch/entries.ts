import type { BatchEntry } from "../../domain/batch-types.ts";
import type { Principal } from "../../domain/principal.ts";
import { PROBLEMS, Problem } from "../../domain/problems.ts";
import type { Action } from "../define-action.ts";
import { notInBatch } from "../in-batch.ts";
import type { Ports } from "../ports.ts";
import { authorize } from "../rules.ts";

/** An entry whose action the caller may run. */
export interface ReadyEntry {
  readonly action: Action;
  readonly payload: BatchEntry["payload"];
  /** What the action prepared for an input, as canonical JSON, so that a repeat does not prepare it again. */
  prepared?: { readonly input: string; readonly value: unknown };
}

/** Finds every entry's action and asks its rule, before any of them runs. */
export async function readyEntries(
  entries: readonly BatchEntry[],
  ports: Pick<Ports, "find">,
  principal: Principal | undefined,
): Promise<readonly ReadyEntry[]> {
  const ready: ReadyEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    const action = await asEntry(i, entry, () => ports.find(entry.group, entry.action));
    await asEntry(i, entry, async () => authorize(action, principal));
    await asEntry(i, entry, async () => checkInBatch(action, entry, i));
    ready.push({ action, payload: entry.payload });
  }
  return ready;
}

function checkInBatch(action: Action, { payload }: BatchEntry, i: number): void {
  const not = notInBatch(action);
  if (!not || (not.parameter !== undefined && !Object.hasOwn(payload, not.parameter))) return;
  const what = `${action.group}/${action.name}${not.parameter === undefined ? "" : ` with ${not.parameter}`}`;
  const detail = `${what} cannot be part of a batch: ${not.why}; call it by itself`;
  const place = not.parameter === undefined ? "action" : `payload/${not.parameter}`;
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

/** What may pass by itself, and what is amiss with the service, is nothing of the entry. */
function isOwn({ code }: Problem): boolean {
  const { status, retryable } = PROBLEMS[code];
  return status < 500 && !retryable;
}
