import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../actions/contract/call.ts";
import type { StoredBlob } from "../../actions/contract/store.ts";
import { SWEEP } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import type { PlannedWrite } from "../commit/writes.ts";
import { toBlobItems, toListItems } from "../log/blobs.ts";
import {
  abandonOnFailure,
  createAbandonedNote,
  createClosingWrites,
  createStaging,
  expectOwnStaging,
  type Staging,
  toStaging,
  toStagingItem,
  toSweepItem,
} from "../log/stagings.ts";
import type { StoreContext } from "../read/contexts.ts";
import { createThrottle, deleteAll, putAll } from "../table/batch-writes.ts";
import { checkObjectSize, type Partition, toIdItem, toObjectItem } from "../table/items.ts";
import { hasIdItem, type ItemKey, stagingKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";

/** A snapshot of the stage. */
export interface Snapshot {
  readonly name: string;
  /** Last revision whose commit is in the snapshot. */
  readonly at: number;
  /** False if the stage was written to after the snapshot. */
  readonly exact: boolean;
}

/** A generation that is being written. It remembers its objects, so that only differences are written. */
export interface Stage {
  readonly partition: Partition;
  readonly snapshot: Snapshot | undefined;
  /**
   * Makes the stage hold exactly the wanted objects. `onProgress` gets the written share of the objects, from 0 to 1.
   */
  hold(wanted: Wanted, onProgress: (share: number) => Promise<void>): Promise<void>;
  /** Writes a snapshot of all objects in the stage. It contains the commits up to the revision. */
  takeSnapshot(at: number): Promise<Snapshot>;
  /** Uses the last snapshot also for this later revision. */
  keepSnapshot(at: number): Snapshot;
  /** Writes blobs under their own names. */
  writeBlobs(blobs: readonly StoredBlob[]): Promise<void>;
  /** Writes a list as a blob and returns its name. */
  writeList(elements: Iterable<unknown>): Promise<string>;
  /**
   * Creates the writes that publish the stage. `named` are the blobs that the log entry names, `replaced` is the
   * generation to sweep.
   */
  createPublishingWrites(named: readonly string[], replaced: string | undefined): PlannedWrite[];
  /** Returns true if the record that was read still belongs to this writer. */
  isHeldIn(record: Item | undefined): boolean;
  readonly key: ItemKey;
  /** Gives up the stage, so that it is swept soon. If this fails, the sweeper finds it later. */
  close(): Promise<void>;
  /**
   * Leaves a stage that cannot be published to the sweeper, which finds it by its record. If the record is closed or
   * gone, the stage is noted again: a suspended writer may have written into a stage that was swept.
   */
  leave(): Promise<void>;
}

/** Milliseconds after which a writer renews its record. */
const RENEW_MS = SWEEP.stagingMs / 5;

/** Begins a generation of a model. Its record is written first, so that the sweeper finds everything else. */
export async function beginStage({ table, retryPolicy, ambient }: StoreContext, model: string): Promise<Stage> {
  const partition: Partition = { model, generation: ambient.newId() };
  let held: ReadonlyMap<string, AnyObject> = new Map();
  // Names for the blobs that most stages need are in the record from the beginning.
  const spare = [partition.generation, ambient.newId()];
  const written: string[] = [];
  let record = createStaging({ ...partition, blobs: [...spare] }, ambient.now());
  let snapshot: Snapshot | undefined;
  // The objects share a partition; each blob has its own.
  const ofObjects = createThrottle(ambient, retryPolicy);
  const ofBlobs = createThrottle(ambient, retryPolicy);
  let renewing = false;
  let renewals = Promise.resolve();

  /** Renews the record. Renewals run one after the other, so that none undoes another. */
  const renew = (...blobs: readonly string[]): Promise<void> => {
    renewals = renewals.then(async () => {
      const since = new Date(ambient.now()).toISOString();
      const next: Staging = { ...record, blobs: [...record.blobs, ...blobs], since };
      await table.write({ put: toStagingItem(next), expect: expectOwnStaging(record) });
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
    abandonOnFailure(async () => {
      const name = await nameBlob();
      await putAll(table, toListItems(name, elements), ofBlobs, showLife);
      return name;
    });

  await abandonOnFailure(() => table.write({ put: toStagingItem(record), expect: { absent: true } }));
  return {
    partition,
    key: stagingKey(partition.generation),
    get snapshot() {
      return snapshot;
    },
    hold: (wanted, onProgress) =>
      abandonOnFailure(async () => {
        const different = computeDifferences(partition, held, wanted);
        const { puts, deletes } = different;
        if (puts.length === 0 && deletes.length === 0) return;
        // Set at once for a snapshot that is taken meanwhile. If a write fails the whole stage is given up.
        if (snapshot) snapshot = { ...snapshot, exact: false };
        held = computeHeld(held, wanted, different);
        const count = puts.reduce((sum, { kind }) => sum + (hasIdItem(kind) ? 2 : 1), 0);
        await putAll(table, toItems(partition, puts), ofObjects, async (written) => {
          await showLife();
          await onProgress(written / count);
        });
        await deleteAll(table, deletes, ofObjects);
      }),
    writeBlobs: (blobs) =>
      abandonOnFailure(async () => {
        for (const { name, value } of blobs) {
          if (written.includes(name)) continue;
          written.push(name);
          await renew(name);
          await putAll(table, toBlobItems(name, value), ofBlobs, showLife);
        }
      }),
    writeList,
    takeSnapshot: async (at) => {
      snapshot = { name: await writeList(sortObjects(held)), at, exact: true };
      return snapshot;
    },
    keepSnapshot: (at) => {
      if (!snapshot?.exact) throw new Error("the stage was written to after its snapshot");
      snapshot = { ...snapshot, at };
      return snapshot;
    },
    createPublishingWrites: (named, replaced) => {
      const useless = written.filter((name) => !named.includes(name));
      // Without a replaced generation the note names an unused one, because a note of a live generation sweeps nothing.
      // The stage's own name cannot be used: it is live.
      const gone = replaced ?? (useless.length > 0 ? ambient.newId() : undefined);
      const note = gone !== undefined && { model, generation: gone, blobs: useless, round: 1 };
      const due = ambient.now() + SWEEP.generationMs;
      return [
        { write: { put: toStagingItem({ ...record, state: "published" }), expect: expectOwnStaging(record) } },
        ...(note
          ? [{ write: { put: toSweepItem(note, due, note.generation), expect: { absent: true } as const } }]
          : []),
      ];
    },
    isHeldIn: (item) => {
      const found = item && toStaging(item);
      return found?.state === "open" && found.epoch === record.epoch;
    },
    close: async () => {
      try {
        await table.transactWrite(createClosingWrites(record, ambient.now()));
      } catch {
        // The caller gets the first problem.
      }
    },
    leave: async () => {
      try {
        const item = await table.get(stagingKey(partition.generation));
        if (item && toStaging(item).state !== "closed") return;
        await table.write({
          put: createAbandonedNote(record, ambient.now() + SWEEP.generationMs),
          expect: { absent: true },
        });
      } catch {
        // The call continues with another stage.
      }
    },
  };
}

/** Stages of the calls of a store. All attempts of a call share one. */
export interface Stages {
  /** Returns the stage of a call in a model. Begins it if there is none. */
  getOrBegin(model: string, call: Call): Promise<Stage>;
  has(model: string, call: Call): boolean;
  /** Forgets a stage that is published or has an unknown outcome. */
  forget(model: string, call: Call): void;
  /** Leaves a stage that cannot be published to the sweeper. */
  leave(model: string, call: Call): Promise<void>;
  /** Gives a stage up. */
  close(model: string, call: Call): Promise<void>;
  closeAll(): Promise<void>;
}

export function createStages(context: StoreContext): Stages {
  const stages = new Map<string, Stage>();
  const name = (model: string, { operationId }: Call): string => `${operationId} ${model}`;
  const taken = (which: string): Stage | undefined => {
    const stage = stages.get(which);
    stages.delete(which);
    return stage;
  };
  return {
    getOrBegin: async (model, call) => {
      const which = name(model, call);
      const stage = stages.get(which) ?? (await beginStage(context, model));
      stages.set(which, stage);
      return stage;
    },
    has: (model, call) => stages.has(name(model, call)),
    forget: (model, call) => void taken(name(model, call)),
    leave: async (model, call) => taken(name(model, call))?.leave(),
    close: async (model, call) => taken(name(model, call))?.close(),
    closeAll: async () => {
      for (const which of [...stages.keys()]) await taken(which)?.close();
    },
  };
}

/** Objects that a generation should hold. */
export interface Wanted {
  /** By sort key. */
  readonly objects: ReadonlyMap<string, AnyObject>;
  /**
   * Returns true for an object that the call itself changed. If it is unchanged otherwise, it keeps the revision it was
   * staged with.
   */
  readonly isOwn: (object: AnyObject) => boolean;
}

/** Objects to write, and keys of items to delete. */
interface Differences {
  readonly puts: readonly AnyObject[];
  readonly deletes: readonly ItemKey[];
}

/**
 * Computes the differences between the held and the wanted objects. Throws `too_large` for an object that does not fit
 * into an item.
 */
function computeDifferences(partition: Partition, held: ReadonlyMap<string, AnyObject>, wanted: Wanted): Differences {
  const puts: AnyObject[] = [];
  const leaving: AnyObject[] = [];
  for (const [sk, object] of wanted.objects) {
    const there = held.get(sk);
    if (there && isSame(there, object, wanted.isOwn(object))) continue;
    checkObjectSize(toObjectItem(partition, object, object.revision));
    if (there) leaving.push(there);
    puts.push(object);
  }
  for (const [sk, object] of held) if (!wanted.objects.has(sk)) leaving.push(object);
  return {
    puts,
    deletes: leaving.length === 0 ? [] : excludeItems(toItems(partition, leaving), toItems(partition, puts)),
  };
}

/** Returns the objects of a generation after the differences are written. Objects that did not differ stay the same. */
function computeHeld(
  held: ReadonlyMap<string, AnyObject>,
  { objects }: Wanted,
  { puts }: Differences,
): ReadonlyMap<string, AnyObject> {
  // The first time all objects are written, and one map of so many is enough.
  if (held.size === 0) return objects;
  const came = new Set(puts);
  const all = new Map<string, AnyObject>();
  for (const [sk, object] of objects) all.set(sk, came.has(object) ? object : (held.get(sk) ?? object));
  return all;
}

function isSame(there: AnyObject, object: AnyObject, own: boolean): boolean {
  return there === object || isDeepStrictEqual(own ? { ...there, revision: object.revision } : there, object);
}

/** Yields objects in the order of their sort keys, as snapshots store them. */
function* sortObjects(objects: ReadonlyMap<string, AnyObject>): Generator<AnyObject> {
  for (const sk of [...objects.keys()].sort()) {
    const object = objects.get(sk);
    if (object) yield object;
  }
}

/** Yields the item of each object and of its id lazily, because there may be very many. */
function* toItems(partition: Partition, objects: Iterable<AnyObject>): Generator<Item> {
  for (const object of objects) {
    yield toObjectItem(partition, object, object.revision);
    const id = toIdItem(partition, object, object.revision);
    if (id) yield id;
  }
}

/** Returns the keys of leaving items that no arriving item overwrites. */
function excludeItems(leaving: Iterable<Item>, coming: Iterable<Item>): ItemKey[] {
  const kept = new Set<string>();
  for (const item of coming) kept.add(toKeyText(item));
  return [...leaving].filter((item) => !kept.has(toKeyText(item))).map(({ pk, sk }) => ({ pk, sk }));
}

function toKeyText({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}
