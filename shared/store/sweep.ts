import type { Ambient } from "../actions/call.ts";
import { SWEEP } from "../domain/limits.ts";
import { deleteAll } from "./batches.ts";
import { readHead } from "./head.ts";
import { idKey } from "./items.ts";
import { blobPartition, idsPartition, logKey, objectsPartition, STAGINGS, SWEEPS, stagingKey } from "./keys.ts";
import { createPace, type Pace } from "./pace.ts";
import { createRetryPolicy, type RetryingTable, type RetryPolicy, retryingTable } from "./retry.ts";
import type { Item, Seam } from "./seam.ts";
import { makeSnapshot } from "./snapshot-writes.ts";
import { closingWrites, type Staging, stagingOf } from "./stagings.ts";
import { type SweepNote, sweepItem, sweepNoteOf } from "./sweep-notes.ts";
import { ifAsRead, type PlaceSwept, sweepOwned } from "./sweep-owned.ts";

/** What one round of sweeping did. */
export interface Swept {
  /** Unpublished generations given up. */
  readonly closed: number;
  /** Notes worked off; each place is swept twice. */
  readonly notes: number;
  readonly items: number;
}

interface Ground {
  readonly seam: RetryingTable;
  readonly ambient: Ambient;
  readonly waiting: RetryPolicy;
  /** Of the partitions it deletes, one after the other. */
  readonly pace: Pace;
}

/**
 * Works off everything that is due: gives up abandoned generations, deletes what removed objects left behind. It may
 * stop anywhere and start again, and two may run at once. `goOn` is asked between pages, for callers with little time.
 */
export async function sweep(table: Seam, ambient: Ambient, goOn: () => boolean = () => true): Promise<Swept> {
  const waiting = createRetryPolicy(ambient);
  const seam = retryingTable(table, waiting);
  const ground: Ground = { seam, ambient, waiting, pace: createPace(ambient, waiting) };
  const closed = await closeAbandoned(ground);
  let notes = 0;
  let items = 0;
  const now = new Date(ambient.now()).toISOString();
  let after: string | undefined;
  do {
    const page = await seam.query({ pk: SWEEPS, to: `${now}~`, ...(after !== undefined && { after }) });
    for (const item of page.items) {
      if (!goOn()) return { closed, notes, items };
      const swept = await sweepPlace(ground, sweepNoteOf(item), goOn);
      items += swept.items;
      if (!swept.done) return { closed, notes, items };
      await finish(ground, item);
      notes += 1;
    }
    after = page.more;
  } while (after !== undefined);
  return { closed, notes, items };
}

/** Closes stagings left open too long, which keeps their writers from publishing, and notes their sweep. */
async function closeAbandoned({ seam, ambient }: Ground): Promise<number> {
  const page = await seam.query({ pk: STAGINGS });
  let closed = 0;
  for (const item of page.items) {
    const staging = stagingOf(item);
    if (Date.parse(staging.since) + SWEEP.stagingMs > ambient.now()) continue;
    if (staging.state !== "open" || (await isPublished(seam, staging))) {
      const expect = { equal: { state: staging.state, epoch: staging.epoch } };
      await ifAsRead(() => seam.write({ delete: stagingKey(staging.generation), expect }));
    } else if (await ifAsRead(() => seam.transactWrite(closingWrites(staging, ambient.now())))) {
      closed += 1;
    }
  }
  return closed;
}

/** True for an open staging that the log knows as published, as a table restored to a moment inside a transaction may hold it. */
async function isPublished(seam: Seam, { model, generation, blobs, revision }: Staging): Promise<boolean> {
  if (revision === undefined) return lives(seam, { model, generation, round: 1 });
  const entry = await seam.get(logKey(model, revision));
  return blobs.some((blob) => blob === entry?.blob || blob === entry?.snapshot);
}

/** True when the head names the generation, and in it the owner is there if it is about one. */
async function lives(seam: Seam, { model, generation, owner }: SweepNote): Promise<boolean> {
  const head = (await readHead(seam, model))?.entry;
  if (head?.state !== "live" || head.generation !== generation) return false;
  return owner === undefined || (await seam.get(idKey({ model, generation }, owner))) !== undefined;
}

async function sweepPlace(ground: Ground, note: SweepNote, goOn: () => boolean): Promise<PlaceSwept> {
  if (note.snapshot) return { items: await makeSnapshot(ground, note.model, note.snapshot), done: true };
  // A table restored to a moment inside a transaction may hold a note without what it was for: what lives stays.
  if (await lives(ground.seam, note)) return { items: 0, done: true };
  if (note.owner !== undefined) return sweepOwned(ground, note, goOn);
  let items = 0;
  for (const pk of [objectsPartition(note.model, note.generation), idsPartition(note.model, note.generation)]) {
    for (;;) {
      const page = await ground.seam.query({ pk });
      // Nobody can read or write in a dead generation, so nothing in it needs a condition.
      await deleteAll(
        ground.seam,
        page.items.map(({ sk }) => ({ pk, sk })),
        ground.pace,
      );
      items += page.items.length;
      if (page.more === undefined) break;
      if (!goOn()) return { items, done: false };
    }
  }
  for (const blob of note.blobs ?? []) items += await sweepPartition(ground, blobPartition(blob));
  return { items, done: true };
}

/** Deletes a partition; answers how many items there were. */
async function sweepPartition({ seam, pace }: Ground, pk: string): Promise<number> {
  let count = 0;
  for (;;) {
    const { items, more } = await seam.query({ pk });
    const keys = items.map(({ sk }) => ({ pk, sk }));
    await deleteAll(seam, keys, pace);
    count += items.length;
    if (more === undefined) return count;
  }
}

/** After the first round notes a second look, for a write that arrived late; after the second it is done. */
async function finish({ seam, ambient }: Ground, item: Item): Promise<void> {
  const note = sweepNoteOf(item);
  const gone = { delete: { pk: item.pk, sk: item.sk }, expect: { equal: { round: note.round } } };
  const id = item.sk.split("#").slice(1).join("#");
  const again = sweepItem({ ...note, round: 2 }, ambient.now() + SWEEP.secondLookMs, id);
  await ifAsRead(() =>
    note.round === 1 ? seam.transactWrite([gone, { put: again, expect: { absent: true } }]) : seam.write(gone),
  );
}
