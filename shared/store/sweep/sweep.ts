import type { Ambient } from "../../actions/contract/call.ts";
import type { KindName } from "../../domain/kinds.ts";
import { SWEEP } from "../../domain/limits.ts";
import { makeSnapshot } from "../commit/snapshot-writes.ts";
import { readHead } from "../log/log.ts";
import {
  createClosingWrites,
  type Staging,
  type SweepNote,
  toStaging,
  toSweepItem,
  toSweepNote,
} from "../log/stagings.ts";
import { createThrottle, deleteAll, type Throttle } from "../table/batch-writes.ts";
import { type Partition, toIdKey, toObject } from "../table/items.ts";
import {
  blobPartition,
  hasIdItem,
  idsPartition,
  kindPrefix,
  logKey,
  objectsPartition,
  STAGINGS,
  SWEEPS,
  stagingKey,
} from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryingTable, type RetryPolicy } from "../table/retry.ts";
import { type Item, type ItemPage, readItems, type Table, tryWrite } from "../table/table.ts";

/** The work of one round of sweeping. */
export interface SweepResult {
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
  readonly pace: Throttle;
}

/**
 * Works off everything that is due: gives up abandoned generations, deletes what removed objects left behind. It may
 * stop anywhere and start again, and two may run at once. `goOn` is asked between pages, for callers with little time.
 * A failure does not keep it from the rest; at the end the first failure is thrown.
 */
export async function sweep(
  plainTable: Table,
  ambient: Ambient,
  goOn: () => boolean = () => true,
): Promise<SweepResult> {
  const retryPolicy = createRetryPolicy(ambient);
  const table = createRetryingTable(plainTable, retryPolicy);
  const context: SweepContext = { table, ambient, retryPolicy, pace: createThrottle(ambient, retryPolicy) };
  const attempts = createAttempts(goOn);
  let [closed, notes, items] = [0, 0, 0];
  for await (const item of readItems(table, { pk: STAGINGS })) {
    if (!attempts.mayContinue()) break;
    const isClosed = await attempts.run(() => closeIfAbandoned(context, toStaging(item)));
    if (isClosed) closed += 1;
  }
  const now = new Date(ambient.now()).toISOString();
  for await (const item of readItems(table, { pk: SWEEPS, to: `${now}~` })) {
    if (!attempts.mayContinue()) break;
    const swept = await attempts.run(async () => {
      const noted = await processNote(context, toSweepNote(item), goOn);
      if (noted.done) await finishNote(context, item, noted);
      return noted;
    });
    items += swept?.items ?? 0;
    if (swept?.done) notes += 1;
  }
  attempts.throwFirst();
  return { closed, notes, items };
}

/** Failures in a row after which the table itself counts as failing, and the sweep ends. */
const MAX_FAILURES = 5;

/** Runs attempts each of which may fail on its own. */
interface Attempts {
  /** The result of an attempt; undefined where it failed. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** False when there is no more time, or nothing but failures. */
  mayContinue(): boolean;
  /** Throws the first failure, if there was any. */
  throwFirst(): void;
}

function createAttempts(goOn: () => boolean): Attempts {
  const failures: unknown[] = [];
  let inARow = 0;
  return {
    run: async (work) => {
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
    mayContinue: () => inARow < MAX_FAILURES && goOn(),
    throwFirst: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Closes a staging left open too long, which keeps its writer from publishing, and notes its sweep; true where it did. */
async function closeIfAbandoned({ table, ambient }: SweepContext, staging: Staging): Promise<boolean> {
  if (Date.parse(staging.since) + SWEEP.stagingMs > ambient.now()) return false;
  if (staging.state !== "open" || (await isPublished(table, staging))) {
    const expect = { equal: { state: staging.state, epoch: staging.epoch } };
    await tryWrite(() => table.write({ delete: stagingKey(staging.generation), expect }));
    return false;
  }
  return tryWrite(() => table.transactWrite(createClosingWrites(staging, ambient.now())));
}

/** True for an open staging that the log knows as published, as a table restored to a moment inside a transaction may hold it. */
async function isPublished(table: Table, { model, generation, blobs, revision }: Staging): Promise<boolean> {
  if (revision === undefined) return isAlive(table, { model, generation, round: 1 });
  const entry = await table.get(logKey(model, revision));
  const named = [entry?.blob, entry?.snapshot, ...((entry?.keeps ?? []) as readonly string[])];
  return blobs.some((blob) => named.includes(blob));
}

/** True when the head names the generation, and the owner of the note, if it has one, is still there. */
async function isAlive(table: Table, { model, generation, owner }: SweepNote): Promise<boolean> {
  const head = (await readHead(table, model))?.entry;
  if (head?.state !== "live" || head.generation !== generation) return false;
  return owner === undefined || (await table.get(toIdKey({ model, generation }, owner))) !== undefined;
}

async function processNote(context: SweepContext, note: SweepNote, goOn: () => boolean): Promise<NoteSwept> {
  if (note.snapshot) {
    const items = await makeSnapshot(context, note.model, note.snapshot);
    // A log that cannot be read through may have been read while it was written; one that is broken stays so, and the
    // check of the table tells of it.
    return { items: items ?? 0, done: true, isLast: items !== undefined };
  }
  // A table restored to a moment inside a transaction may hold a note without the commit it belongs to: live items
  // stay.
  if (await isAlive(context.table, note)) return { items: 0, done: true };
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
async function finishNote({ table, ambient }: SweepContext, item: Item, { isLast = false }: NoteSwept): Promise<void> {
  const note = toSweepNote(item);
  const gone = { delete: { pk: item.pk, sk: item.sk }, expect: { equal: { round: note.round } } };
  const id = item.sk.split("#").slice(1).join("#");
  const again = toSweepItem({ ...note, round: 2 }, ambient.now() + SWEEP.secondLookMs, id);
  await tryWrite(() =>
    note.round === 1 && !isLast
      ? table.transactWrite([gone, { put: again, expect: { absent: true } }])
      : table.write(gone),
  );
}

/** The number of items deleted or made for one sweep note, and whether the note is worked off. */
interface NoteSwept {
  readonly items: number;
  readonly done: boolean;
  /** True where a second look would find nothing more to do. */
  readonly isLast?: boolean;
}

/** The kinds of objects that go with an owner, and whether the owner stands in their sort keys. */
const OWNED_KINDS: readonly { readonly kind: KindName; readonly inKey: boolean }[] = [
  { kind: "attribute", inKey: true },
  { kind: "business_key", inKey: false },
  { kind: "global_tag", inKey: true },
];

/**
 * Deletes the objects of a removed owner in a live generation, each only as it was read. An object that another writer
 * changed is left to the second look.
 */
async function sweepOwned(
  { table }: { readonly table: Table },
  note: SweepNote,
  goOn: () => boolean,
): Promise<NoteSwept> {
  const { owner = "" } = note;
  let items = 0;
  for (const { kind, inKey } of OWNED_KINDS) {
    const prefix = kindPrefix(kind, inKey ? owner : undefined);
    let after: string | undefined;
    do {
      const page = await readPage(table, note, prefix, after);
      const mine = page.items.filter((item) => inKey || item.entity === owner);
      for (const item of mine) if (await sweepObject(table, note, item)) items += 1;
      after = page.more;
      if (after !== undefined && !goOn()) return { items, done: false };
    } while (after !== undefined);
  }
  return { items, done: true };
}

function readPage(table: Table, partition: Partition, prefix: string, after: string | undefined): Promise<ItemPage> {
  const pk = objectsPartition(partition.model, partition.generation);
  return table.query({ pk, prefix, ...(after !== undefined && { after }) });
}

/** Deletes an object and its id item, the id first: while the object is there, a sweep after a crash finds it. */
async function sweepObject(table: Table, partition: Partition, item: Item): Promise<boolean> {
  const object = toObject(item);
  if (hasIdItem(object.kind)) {
    // An id item of a removed object has no use any more: ids return only in another generation.
    await table.write({ delete: toIdKey(partition, object.id), expect: { anything: true } });
  }
  const expect = { equal: { revision: Number(item.revision) } };
  return tryWrite(() => table.write({ delete: { pk: item.pk, sk: item.sk }, expect }));
}
