import type { Ambient } from "../../actions/contract/call.ts";
import { SWEEP } from "../../domain/limits.ts";
import { makeSnapshot } from "../commit/snapshot-writes.ts";
import { readHead } from "../log/head.ts";
import { closingWrites, type Staging, stagingOf } from "../log/stagings.ts";
import { type SweepNote, sweepItem, sweepNoteOf } from "../log/sweep-notes.ts";
import { deleteAll } from "../table/batches.ts";
import { idKey } from "../table/items.ts";
import { blobPartition, idsPartition, logKey, objectsPartition, STAGINGS, SWEEPS, stagingKey } from "../table/keys.ts";
import { createPace, type Pace } from "../table/pace.ts";
import { itemsOf } from "../table/pages.ts";
import { createRetryPolicy, type RetryingTable, type RetryPolicy, retryingTable } from "../table/retry.ts";
import { type Item, isWritten, type Table } from "../table/table.ts";
import { type NoteSwept, sweepOwned } from "./sweep-owned.ts";

/** The work of one round of sweeping. */
export interface Swept {
  /** Unpublished generations given up. */
  readonly closed: number;
  /** Notes worked off; each is worked off twice. */
  readonly notes: number;
  readonly items: number;
}

interface SweepContext {
  readonly table: RetryingTable;
  readonly ambient: Ambient;
  readonly retryPolicy: RetryPolicy;
  /** The pace at which partitions are deleted, one after the other. */
  readonly pace: Pace;
}

/**
 * Works off everything that is due: gives up abandoned generations, deletes what removed objects left behind. It may
 * stop anywhere and start again, and two may run at once. `goOn` is asked between pages, for callers with little time.
 * A failure does not keep it from the rest; at the end the first failure is thrown.
 */
export async function sweep(plainTable: Table, ambient: Ambient, goOn: () => boolean = () => true): Promise<Swept> {
  const retryPolicy = createRetryPolicy(ambient);
  const table = retryingTable(plainTable, retryPolicy);
  const context: SweepContext = { table, ambient, retryPolicy, pace: createPace(ambient, retryPolicy) };
  const attempts = createAttempts(goOn);
  let [closed, notes, items] = [0, 0, 0];
  for await (const item of itemsOf(table, { pk: STAGINGS })) {
    if (!attempts.goOn()) break;
    const isClosed = await attempts.of(() => closeIfAbandoned(context, stagingOf(item)));
    if (isClosed) closed += 1;
  }
  const now = new Date(ambient.now()).toISOString();
  for await (const item of itemsOf(table, { pk: SWEEPS, to: `${now}~` })) {
    if (!attempts.goOn()) break;
    const swept = await attempts.of(async () => {
      const noted = await sweepNoted(context, sweepNoteOf(item), goOn);
      if (noted.done) await finish(context, item, noted);
      return noted;
    });
    items += swept?.items ?? 0;
    if (swept?.done) notes += 1;
  }
  attempts.end();
  return { closed, notes, items };
}

/** Failures in a row after which the table itself counts as failing, and the sweep ends. */
const MOST_FAILURES = 5;

/** Runs attempts each of which may fail on its own. */
interface Attempts {
  /** The result of an attempt; undefined where it failed. */
  of<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** False when there is no more time, or nothing but failures. */
  goOn(): boolean;
  /** Throws the first failure, if there was any. */
  end(): void;
}

function createAttempts(goOn: () => boolean): Attempts {
  const failures: unknown[] = [];
  let inARow = 0;
  return {
    of: async (work) => {
      try {
        const done = await work();
        inARow = 0;
        return done;
      } catch (error) {
        failures.push(error);
        inARow += 1;
        return undefined;
      }
    },
    goOn: () => inARow < MOST_FAILURES && goOn(),
    end: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Closes a staging left open too long, which keeps its writer from publishing, and notes its sweep; true where it did. */
async function closeIfAbandoned({ table, ambient }: SweepContext, staging: Staging): Promise<boolean> {
  if (Date.parse(staging.since) + SWEEP.stagingMs > ambient.now()) return false;
  if (staging.state !== "open" || (await isPublished(table, staging))) {
    const expect = { equal: { state: staging.state, epoch: staging.epoch } };
    await isWritten(() => table.write({ delete: stagingKey(staging.generation), expect }));
    return false;
  }
  return isWritten(() => table.transactWrite(closingWrites(staging, ambient.now())));
}

/** True for an open staging that the log knows as published, as a table restored to a moment inside a transaction may hold it. */
async function isPublished(table: Table, { model, generation, blobs, revision }: Staging): Promise<boolean> {
  if (revision === undefined) return lives(table, { model, generation, round: 1 });
  const entry = await table.get(logKey(model, revision));
  const named = [entry?.blob, entry?.snapshot, ...((entry?.keeps ?? []) as readonly string[])];
  return blobs.some((blob) => named.includes(blob));
}

/** True when the head names the generation, and the owner of the note, if it has one, is still there. */
async function lives(table: Table, { model, generation, owner }: SweepNote): Promise<boolean> {
  const head = (await readHead(table, model))?.entry;
  if (head?.state !== "live" || head.generation !== generation) return false;
  return owner === undefined || (await table.get(idKey({ model, generation }, owner))) !== undefined;
}

async function sweepNoted(context: SweepContext, note: SweepNote, goOn: () => boolean): Promise<NoteSwept> {
  if (note.snapshot) {
    const items = await makeSnapshot(context, note.model, note.snapshot);
    // A log that cannot be read through may have been read while it was written; one that is broken stays so, and the
    // check of the table tells of it.
    return { items: items ?? 0, done: true, isLast: items !== undefined };
  }
  // A table restored to a moment inside a transaction may hold a note without the commit it belongs to: live items
  // stay.
  if (await lives(context.table, note)) return { items: 0, done: true };
  if (note.owner !== undefined) return sweepOwned(context, note, goOn);
  let items = 0;
  for (const pk of [objectsPartition(note.model, note.generation), idsPartition(note.model, note.generation)]) {
    for (;;) {
      const page = await context.table.query({ pk });
      // Nobody can read or write in a dead generation, so nothing in it needs a condition.
      await deleteAll(
        context.table,
        page.items.map(({ sk }) => ({ pk, sk })),
        context.pace,
      );
      items += page.items.length;
      if (page.more === undefined) break;
      if (!goOn()) return { items, done: false };
    }
  }
  for (const blob of note.blobs ?? []) items += await sweepPartition(context, blobPartition(blob));
  return { items, done: true };
}

/** Deletes a partition; answers how many items there were. */
async function sweepPartition({ table, pace }: SweepContext, pk: string): Promise<number> {
  let count = 0;
  for (;;) {
    const { items, more } = await table.query({ pk });
    const keys = items.map(({ sk }) => ({ pk, sk }));
    await deleteAll(table, keys, pace);
    count += items.length;
    if (more === undefined) return count;
  }
}

/**
 * Removes a note that was worked off. The first round writes another note for a second look, which finds writes that
 * arrive late.
 */
async function finish({ table, ambient }: SweepContext, item: Item, { isLast = false }: NoteSwept): Promise<void> {
  const note = sweepNoteOf(item);
  const gone = { delete: { pk: item.pk, sk: item.sk }, expect: { equal: { round: note.round } } };
  const id = item.sk.split("#").slice(1).join("#");
  const again = sweepItem({ ...note, round: 2 }, ambient.now() + SWEEP.secondLookMs, id);
  await isWritten(() =>
    note.round === 1 && !isLast
      ? table.transactWrite([gone, { put: again, expect: { absent: true } }])
      : table.write(gone),
  );
}
