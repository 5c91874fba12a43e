import type { Runtime } from "../../actions/contract/call.ts";
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
import { deleteAll, Throttle } from "../table/batch-writes.ts";
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

/** Work done by one run of the sweeper. */
export interface SweepResult {
  readonly closed: number;
  /** Completed notes. Each note is processed twice. */
  readonly notes: number;
  readonly items: number;
}

interface SweepContext {
  readonly table: RetryingTable;
  readonly runtime: Runtime;
  readonly retryPolicy: RetryPolicy;
  readonly throttle: Throttle;
}

/** Processes everything due, also twice at once, while `hasTime`. Throws the first failure at the end. */
export async function sweep(
  plainTable: Table,
  runtime: Runtime,
  hasTime: () => boolean = () => true,
): Promise<SweepResult> {
  const retryPolicy = createRetryPolicy(runtime);
  const table = createRetryingTable(plainTable, retryPolicy);
  const context: SweepContext = { table, runtime, retryPolicy, throttle: new Throttle(runtime, retryPolicy) };
  const attempts = new Attempts(hasTime);
  let [closed, notes, items] = [0, 0, 0];
  for await (const item of readItems(table, { pk: STAGINGS })) {
    if (!attempts.mayContinue()) break;
    const isClosed = await attempts.run(() => closeIfAbandoned(context, toStaging(item)));
    if (isClosed) closed += 1;
  }
  const now = new Date(runtime.now()).toISOString();
  for await (const item of readItems(table, { pk: SWEEPS, to: `${now}~` })) {
    if (!attempts.mayContinue()) break;
    const outcome = await attempts.run(async () => {
      const result = await processNote(context, toSweepNote(item), hasTime);
      if (result.done) await finishNote(context, item, result);
      return result;
    });
    items += outcome?.items ?? 0;
    if (outcome?.done) notes += 1;
  }
  attempts.throwFirst();
  return { closed, notes, items };
}

/** Consecutive failures after which the table counts as failing and the sweep ends. */
const MAX_FAILURES = 5;

class Attempts {
  readonly #hasTime: () => boolean;
  readonly #failures: unknown[] = [];
  #failuresInSequence = 0;

  constructor(hasTime: () => boolean) {
    this.#hasTime = hasTime;
  }

  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#failuresInSequence = 0;
      return done;
    } catch (error) {
      this.#failures.push(error);
      this.#failuresInSequence += 1;
      return undefined;
    }
  }

  mayContinue(): boolean {
    return this.#failuresInSequence < MAX_FAILURES && this.#hasTime();
  }

  throwFirst(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

async function closeIfAbandoned({ table, runtime }: SweepContext, staging: Staging): Promise<boolean> {
  if (Date.parse(staging.since) + SWEEP.stagingMs > runtime.now()) return false;
  if (staging.state !== "open" || (await isPublished(table, staging))) {
    const expect = { equal: { state: staging.state, epoch: staging.epoch } };
    await tryWrite(() => table.write({ delete: stagingKey(staging.generation), expect }));
    return false;
  }
  return tryWrite(() => table.transactWrite(createClosingWrites(staging, runtime.now())));
}

/** Tests for an open staging in the log, as in a table restored inside a transaction. */
async function isPublished(table: Table, { model, generation, blobs, revision }: Staging): Promise<boolean> {
  if (revision === undefined) return isAlive(table, { model, generation, round: 1 });
  const entry = await table.get(logKey(model, revision));
  const blobNames = [entry?.blob, entry?.snapshot, ...((entry?.keeps ?? []) as readonly string[])];
  return blobs.some((blob) => blobNames.includes(blob));
}

async function isAlive(table: Table, { model, generation, owner }: SweepNote): Promise<boolean> {
  const head = (await readHead(table, model))?.entry;
  if (head?.state !== "live" || head.generation !== generation) return false;
  return owner === undefined || (await table.get(toIdKey({ model, generation }, owner))) !== undefined;
}

async function processNote(context: SweepContext, note: SweepNote, hasTime: () => boolean): Promise<NoteResult> {
  if (note.snapshot) {
    const items = await makeSnapshot(context, note.model, note.snapshot);
    // The log may have been read while written. If really broken, the table check reports it.
    return { items: items ?? 0, done: true, isLast: items !== undefined };
  }
  // A table restored inside a transaction may contain a note without its commit. Live items stay.
  if (await isAlive(context.table, note)) return { items: 0, done: true };
  if (note.owner !== undefined) return sweepOwned(context, note, hasTime);
  let items = 0;
  for (const pk of [objectsPartition(note.model, note.generation), idsPartition(note.model, note.generation)]) {
    const result = await sweepPartition(context, pk, hasTime);
    items += result.items;
    if (!result.done) return { items, done: false };
  }
  for (const blob of note.blobs ?? []) items += (await sweepPartition(context, blobPartition(blob))).items;
  return { items, done: true };
}

/** Deletes a partition that nobody reads or writes any more, so that no condition is needed. */
async function sweepPartition(
  { table, throttle }: SweepContext,
  pk: string,
  hasTime: () => boolean = () => true,
): Promise<NoteResult> {
  for (let items = 0; ; ) {
    const page = await table.query({ pk });
    const keys = page.items.map(({ sk }) => ({ pk, sk }));
    await deleteAll(table, keys, throttle);
    items += page.items.length;
    if (page.more === undefined) return { items, done: true };
    if (!hasTime()) return { items, done: false };
  }
}

/** Removes a completed note. The first pass writes another note for a second pass, which finds late writes. */
async function finishNote({ table, runtime }: SweepContext, item: Item, { isLast = false }: NoteResult) {
  const note = toSweepNote(item);
  const removal = { delete: { pk: item.pk, sk: item.sk }, expect: { equal: { round: note.round } } };
  const id = item.sk.split("#").slice(1).join("#");
  const nextItem = toSweepItem({ ...note, round: 2 }, runtime.now() + SWEEP.secondLookMs, id);
  await tryWrite(() =>
    note.round === 1 && !isLast
      ? table.transactWrite([removal, { put: nextItem, expect: { absent: true } }])
      : table.write(removal),
  );
}

interface NoteResult {
  readonly items: number;
  readonly done: boolean;
  /** True if a second pass would find nothing. */
  readonly isLast?: boolean;
}

/** Kinds of owned objects. `inKey` is true if the sort key contains the owner. */
const OWNED_KINDS: readonly { readonly kind: KindName; readonly inKey: boolean }[] = [
  { kind: "attribute", inKey: true },
  { kind: "business_key", inKey: false },
  { kind: "global_tag", inKey: true },
];

/** Deletes the objects of a removed owner, each if unchanged. Others are left to the second pass. */
async function sweepOwned(
  { table }: { readonly table: Table },
  note: SweepNote,
  hasTime: () => boolean,
): Promise<NoteResult> {
  const { owner = "" } = note;
  let items = 0;
  for (const { kind, inKey } of OWNED_KINDS) {
    const prefix = kindPrefix(kind, inKey ? owner : undefined);
    let after: string | undefined;
    do {
      const page = await readPage(table, note, prefix, after);
      const ownedItems = page.items.filter((item) => inKey || item.entity === owner);
      for (const item of ownedItems) if (await sweepObject(table, note, item)) items += 1;
      after = page.more;
      if (after !== undefined && !hasTime()) return { items, done: false };
    } while (after !== undefined);
  }
  return { items, done: true };
}

function readPage(table: Table, partition: Partition, prefix: string, after: string | undefined): Promise<ItemPage> {
  const pk = objectsPartition(partition.model, partition.generation);
  return table.query({ pk, prefix, ...(after !== undefined && { after }) });
}

/** Deletes the id item of an object and then the object. After a crash in between, another sweep finds the object. */
async function sweepObject(table: Table, partition: Partition, item: Item): Promise<boolean> {
  const object = toObject(item);
  if (hasIdItem(object.kind)) {
    // The id of a removed object is never used again in this generation.
    await table.write({ delete: toIdKey(partition, object.id), expect: { anything: true } });
  }
  const expect = { equal: { revision: Number(item.revision) } };
  return tryWrite(() => table.write({ delete: { pk: item.pk, sk: item.sk }, expect }));
}
