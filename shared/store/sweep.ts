import type { Ambient } from "../actions/call.ts";
import { SWEEP } from "../domain/limits.ts";
import { answeringSeam } from "./answering-seam.ts";
import { deleteAll } from "./batches.ts";
import { readHead } from "./head.ts";
import { idKey } from "./items.ts";
import { blobPartition, idsPartition, kindPrefix, objectsPartition, STAGINGS, SWEEPS, stagingKey } from "./keys.ts";
import { patiently } from "./patience.ts";
import { type Item, Refused, type Seam } from "./seam.ts";
import { closingWrites, stagingOf } from "./stagings.ts";
import { type SweepNote, sweepItem, sweepNoteOf } from "./sweep-notes.ts";
import { createWaiting, type Waiting } from "./waiting.ts";

/** What one round of sweeping did. */
export interface Swept {
  /** Unpublished generations given up. */
  readonly closed: number;
  /** Notes worked off; each place is swept twice. */
  readonly notes: number;
  readonly items: number;
}

interface Ground {
  readonly seam: Seam;
  readonly ambient: Ambient;
  readonly waiting: Waiting;
}

/**
 * Works off everything that is due: gives up abandoned generations, deletes what removed objects left behind. It may
 * stop anywhere and start again, and two may run at once. `goOn` is asked between pages, for callers with little time.
 */
export async function sweep(table: Seam, ambient: Ambient, goOn: () => boolean = () => true): Promise<Swept> {
  const waiting = createWaiting(ambient);
  const seam = answeringSeam(table, waiting);
  const ground: Ground = { seam, ambient, waiting };
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
async function closeAbandoned({ seam, ambient, waiting }: Ground): Promise<number> {
  const page = await seam.query({ pk: STAGINGS });
  let closed = 0;
  for (const item of page.items) {
    const staging = stagingOf(item);
    if (Date.parse(staging.since) + SWEEP.stagingMs > ambient.now()) continue;
    if (staging.state !== "open" || (await lives(seam, { ...staging, round: 1 }))) {
      const expect = { equal: { state: staging.state, epoch: staging.epoch } };
      await ifAsRead(() => seam.write({ delete: stagingKey(staging.generation), expect }));
    } else if (
      await ifAsRead(() => patiently(waiting, () => seam.transactWrite(closingWrites(staging, ambient.now()))))
    ) {
      closed += 1;
    }
  }
  return closed;
}

/** False when another sweeper, or the writer itself, was faster. */
async function ifAsRead(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** True when the head names the generation, and in it the owner is there if it is about one. */
async function lives(seam: Seam, { model, generation, owner }: SweepNote): Promise<boolean> {
  const head = (await readHead(seam, model))?.entry;
  if (head?.state !== "live" || head.generation !== generation) return false;
  return owner === undefined || (await seam.get(idKey({ model, generation }, owner))) !== undefined;
}

interface PlaceSwept {
  readonly items: number;
  readonly done: boolean;
}

async function sweepPlace(ground: Ground, note: SweepNote, goOn: () => boolean): Promise<PlaceSwept> {
  // A table restored to a moment inside a transaction may hold a note without what it was for: what lives stays.
  if (await lives(ground.seam, note)) return { items: 0, done: true };
  if (note.owner !== undefined) return sweepOwned(ground, note, note.owner, goOn);
  let items = 0;
  for (const pk of [objectsPartition(note.model, note.generation), idsPartition(note.model, note.generation)]) {
    for (;;) {
      const page = await ground.seam.query({ pk });
      // Nobody can read or write in a dead generation, so nothing in it needs a condition.
      await deleteAll(
        ground.seam,
        page.items.map(({ sk }) => ({ pk, sk })),
        ground.waiting,
      );
      items += page.items.length;
      if (page.more === undefined) break;
      if (!goOn()) return { items, done: false };
    }
  }
  if (note.blob !== undefined) items += await sweepPartition(ground, blobPartition(note.blob));
  return { items, done: true };
}

/** Deletes a partition; answers how many items there were. */
async function sweepPartition({ seam, waiting }: Ground, pk: string): Promise<number> {
  let count = 0;
  for (;;) {
    const { items, more } = await seam.query({ pk });
    const keys = items.map(({ sk }) => ({ pk, sk }));
    await deleteAll(seam, keys, waiting);
    count += items.length;
    if (more === undefined) return count;
  }
}

/** In a living generation each item goes only as it was read. */
async function sweepOwned({ seam }: Ground, note: SweepNote, owner: string, goOn: () => boolean): Promise<PlaceSwept> {
  const pk = objectsPartition(note.model, note.generation);
  let items = 0;
  for (;;) {
    const page = await seam.query({ pk, prefix: kindPrefix("attribute", owner) });
    const gone = await Promise.all(page.items.map((item) => deleteAsRead(seam, item)));
    items += gone.filter(Boolean).length;
    // What another writer holds is left to the second look.
    if (page.more === undefined || !gone.some(Boolean)) return { items, done: true };
    if (!goOn()) return { items, done: false };
  }
}

function deleteAsRead(seam: Seam, item: Item): Promise<boolean> {
  const expect = { equal: { revision: Number(item.revision) } };
  return ifAsRead(() => seam.write({ delete: { pk: item.pk, sk: item.sk }, expect }));
}

/** After the first round notes a second look, for a write that arrived late; after the second it is done. */
async function finish({ seam, ambient, waiting }: Ground, item: Item): Promise<void> {
  const note = sweepNoteOf(item);
  const gone = { delete: { pk: item.pk, sk: item.sk }, expect: { equal: { round: note.round } } };
  const id = item.sk.split("#").slice(1).join("#");
  const again = sweepItem({ ...note, round: 2 }, ambient.now() + SWEEP.secondLookMs, id);
  await ifAsRead(() =>
    patiently(waiting, () =>
      note.round === 1 ? seam.transactWrite([gone, { put: again, expect: { absent: true } }]) : seam.write(gone),
    ),
  );
}
