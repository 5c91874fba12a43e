import type { KeptBlob } from "../../actions/contract/store.ts";
import { SWEEP } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/objects.ts";
import type { GuardedWrite } from "../commit/writes.ts";
import { blobItems, listItems } from "../log/blob-writes.ts";
import { orAbandon } from "../log/staging-abandoned.ts";
import { asHeld, closingWrites, openStaging, type Staging, stagingItem, stagingOf } from "../log/stagings.ts";
import { abandonedNote, sweepItem } from "../log/sweep-notes.ts";
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
  /** The last revision whose commit the snapshot holds. */
  readonly at: number;
  /** False once the stage was written to after it. */
  readonly exact: boolean;
}

/** A generation that is being written. It keeps the objects it holds, so that only differences are written. */
export interface Stage {
  readonly partition: Partition;
  readonly snapshot: Snapshot | undefined;
  /** Makes the stage hold exactly the wanted objects. `onProgress` gets the share of the objects that is written, from 0 to 1. */
  hold(wanted: Wanted, onProgress: (share: number) => Promise<void>): Promise<void>;
  /** Writes a snapshot of all objects in the stage, which knows the commits up to a revision. */
  takeSnapshot(at: number): Promise<Snapshot>;
  /** Takes the last snapshot for one of this later revision as well. */
  keepSnapshot(at: number): Snapshot;
  /** Writes blobs under names of their own. */
  writeBlobs(blobs: readonly KeptBlob[]): Promise<void>;
  /** Writes a list as a blob; answers its name. */
  writeList(elements: Iterable<unknown>): Promise<string>;
  /**
   * The writes that publish the stage: `named` are the blobs that the log will name, `replaced` is the generation that
   * is swept.
   */
  publishing(named: readonly string[], replaced: string | undefined): GuardedWrite[];
  /** True while the record that was read is the one this writer holds. */
  isHeldIn(record: Item | undefined): boolean;
  readonly key: ItemKey;
  /** Gives the stage up, so that it is swept soon; where this fails, the sweeper finds it later. */
  close(): Promise<void>;
  /**
   * Leaves a stage that cannot be published to the sweeper, which finds it by its record. Where that is another's by now, or
   * gone, what was written since is noted once more: a writer that stood still may write into a stage that was swept.
   */
  leave(): Promise<void>;
}

/** Milliseconds after which a writer renews its record. */
const RENEW_MS = SWEEP.stagingMs / 5;

/** Begins a generation of a model. Its record is written first; by it the sweeper finds the rest. */
export async function beginStage({ table, retryPolicy, ambient }: StoreContext, model: string): Promise<Stage> {
  const partition: Partition = { model, generation: ambient.newId() };
  let held: ReadonlyMap<string, AnyObject> = new Map();
  // The names that most stages need are in the record from the beginning.
  const spare = [partition.generation, ambient.newId()];
  const written: string[] = [];
  let record = openStaging({ ...partition, blobs: [...spare] }, ambient.now());
  let snapshot: Snapshot | undefined;
  // The objects share a partition; each blob has one of its own.
  const ofObjects = createPace(ambient, retryPolicy);
  const ofBlobs = createPace(ambient, retryPolicy);
  let renewing = false;
  let renewals = Promise.resolve();

  /** Renews the record, one renewal after the other, so that none undoes another. */
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
    partition,
    key: stagingKey(partition.generation),
    get snapshot() {
      return snapshot;
    },
    hold: (wanted, onProgress) =>
      orAbandon(async () => {
        const different = differences(partition, held, wanted);
        const { puts, deletes } = different;
        if (puts.length === 0 && deletes.length === 0) return;
        // Set at once for a snapshot that is taken meanwhile; where a write fails the whole stage is given up.
        if (snapshot) snapshot = { ...snapshot, exact: false };
        held = heldAfter(held, wanted, different);
        const count = puts.reduce((sum, { kind }) => sum + (hasIdItem(kind) ? 2 : 1), 0);
        await putAll(table, itemsOf(partition, puts), ofObjects, async (written) => {
          await showLife();
          await onProgress(written / count);
        });
        await deleteAll(table, deletes, ofObjects);
      }),
    writeBlobs: (blobs) =>
      orAbandon(async () => {
        for (const { name, value } of blobs) {
          if (written.includes(name)) continue;
          written.push(name);
          await renew(name);
          await putAll(table, blobItems(name, value), ofBlobs, showLife);
        }
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
      // Where no generation is replaced the note names one that never was: a note of what lives sweeps nothing, and the first
      // blob has the name of the stage.
      const gone = replaced ?? (useless.length > 0 ? ambient.newId() : undefined);
      const note = gone !== undefined && { model, generation: gone, blobs: useless, round: 1 };
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
        // The caller gets the first problem.
      }
    },
    leave: async () => {
      try {
        const item = await table.get(stagingKey(partition.generation));
        if (item && stagingOf(item).state !== "closed") return;
        await table.write({ put: abandonedNote(record, ambient.now() + SWEEP.generationMs), expect: { absent: true } });
      } catch {
        // The call goes on with another stage.
      }
    },
  };
}
