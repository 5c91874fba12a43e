import { SWEEP } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/objects.ts";
import type { GuardedWrite } from "../commit/writes.ts";
import { listItems } from "../log/blob-writes.ts";
import { orAbandon } from "../log/staging-abandoned.ts";
import { asHeld, closingWrites, openStaging, type Staging, stagingItem, stagingOf } from "../log/stagings.ts";
import { sweepItem } from "../log/sweep-notes.ts";
import type { StoreContext } from "../read/store-context.ts";
import { deleteAll, putAll } from "../table/batches.ts";
import type { Partition } from "../table/items.ts";
import { hasIdItem, type ItemKey, stagingKey } from "../table/keys.ts";
import { createPace } from "../table/pace.ts";
import type { Item } from "../table/table.ts";
import { differences, heldAfter, inOrder, itemsOf, type Wanted } from "./stage-items.ts";

/** A snapshot of the stage. */
export interface Snapshot {
  readonly name: string;
  /** The revision whose commits it knows. */
  readonly at: number;
  /** False once the stage was written to after it. */
  readonly exact: boolean;
}

/** A generation that is being written. It knows what it holds, so that only what differs is written. */
export interface Stage {
  readonly place: Partition;
  readonly snapshot: Snapshot | undefined;
  /**
   * Makes it hold exactly what is wanted. `told` hears which share of what is to be written is there.
   */
  hold(wanted: Wanted, onProgress: (share: number) => Promise<void>): Promise<void>;
  /** Writes a snapshot of all it holds, which knows the commits up to a revision. */
  takeSnapshot(at: number): Promise<Snapshot>;
  /** The last snapshot is one of this later revision as well. */
  keepSnapshot(at: number): Snapshot;
  /** Writes a list as a blob; answers its name. */
  writeList(elements: Iterable<unknown>): Promise<string>;
  /** What publishing it writes about itself: `named` are the blobs that the log will name, `replaced` goes in its place. */
  publishing(named: readonly string[], replaced: string | undefined): GuardedWrite[];
  /** True while its record, as it was just read, is the one this writer holds. */
  isHeldIn(record: Item | undefined): boolean;
  readonly key: ItemKey;
  /** Gives it up, so that it is swept soon; where that fails the sweeper finds it later. */
  close(): Promise<void>;
}

/** A living writer renews its record after this time, in milliseconds. */
const RENEW_MS = SWEEP.stagingMs / 5;

/** Begins a generation of a model. Its record is written first; by it the sweeper finds the rest. */
export async function beginStage({ table, waiting, ambient }: StoreContext, model: string): Promise<Stage> {
  const place: Partition = { model, generation: ambient.newId() };
  let held: ReadonlyMap<string, AnyObject> = new Map();
  // The names that most stages need are in the record from the beginning.
  const spare = [place.generation, ambient.newId()];
  const written: string[] = [];
  let record = openStaging({ ...place, blobs: [...spare] }, ambient.now());
  let snapshot: Snapshot | undefined;
  // The objects share a partition; each blob has one of its own.
  const ofObjects = createPace(ambient, waiting);
  const ofBlobs = createPace(ambient, waiting);
  let renewing = false;
  let renewals = Promise.resolve();

  /** One renewal after the other, so that none undoes another. */
  const renew = (...blobs: readonly string[]): Promise<void> => {
    renewals = renewals.then(async () => {
      const since = new Date(ambient.now()).toISOString();
      const next: Staging = { ...record, blobs: [...record.blobs, ...blobs], since };
      await table.write({ put: stagingItem(next), expect: asHeld(record) });
      record = next;
    });
    return renewals;
  };

  const showLife = async (): Promise<void> => {
    if (renewing || Date.parse(record.since) + RENEW_MS > ambient.now()) return;
    renewing = true;
    try {
      await renew();
    } finally {
      renewing = false;
    }
  };

  const nameBlob = async (): Promise<string> => {
    const name = spare.shift() ?? ambient.newId();
    written.push(name);
    if (!record.blobs.includes(name)) await renew(name);
    return name;
  };

  const writeList = (elements: Iterable<unknown>): Promise<string> =>
    orAbandon(async () => {
      const name = await nameBlob();
      await putAll(table, listItems(name, elements), ofBlobs, showLife);
      return name;
    });

  await orAbandon(() => table.write({ put: stagingItem(record), expect: { absent: true } }));
  return {
    place,
    key: stagingKey(place.generation),
    get snapshot() {
      return snapshot;
    },
    hold: (wanted, told) =>
      orAbandon(async () => {
        const different = differences(place, held, wanted);
        const { puts, deletes } = different;
        if (puts.length === 0 && deletes.length === 0) return;
        // At once, for whoever takes a snapshot meanwhile; where a write fails nothing of the stage counts any more.
        if (snapshot) snapshot = { ...snapshot, exact: false };
        held = heldAfter(held, wanted, different);
        const count = puts.reduce((sum, { kind }) => sum + (hasIdItem(kind) ? 2 : 1), 0);
        await putAll(table, itemsOf(place, puts), ofObjects, async (written) => {
          await showLife();
          await told(written / count);
        });
        await deleteAll(table, deletes, ofObjects);
      }),
    writeList,
    takeSnapshot: async (at) => {
      snapshot = { name: await writeList(inOrder(held)), at, exact: true };
      return snapshot;
    },
    keepSnapshot: (at) => {
      if (!snapshot?.exact) throw new Error("the stage was written to after its snapshot");
      snapshot = { ...snapshot, at };
      return snapshot;
    },
    publishing: (named, replaced) => {
      const useless = written.filter((name) => !named.includes(name));
      // Under a name of its own where no generation goes: the stage itself will be alive.
      const gone = replaced ?? useless[0];
      const note = gone && { model, generation: gone, blobs: useless, round: 1 };
      const due = ambient.now() + SWEEP.generationMs;
      return [
        { write: { put: stagingItem({ ...record, state: "published" }), expect: asHeld(record) } },
        ...(note ? [{ write: { put: sweepItem(note, due, note.generation), expect: { absent: true } as const } }] : []),
      ];
    },
    isHeldIn: (item) => {
      const found = item && stagingOf(item);
      return found?.state === "open" && found.epoch === record.epoch;
    },
    close: async () => {
      try {
        await table.transactWrite(closingWrites(record, ambient.now()));
      } catch {
        // The caller is told of what came first.
      }
    },
  };
}
