import { isDeepStrictEqual } from "node:util";
import type { RecordedCall } from "../../actions/contract/call.ts";
import type { StoredBlob } from "../../actions/contract/store.ts";
import { SWEEP } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
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
import type { ModelView, StoreContext } from "../read/view.ts";
import { deleteAll, putAll, Throttle } from "../table/batch-writes.ts";
import { checkObjectSize, type Partition, toIdItem, toObjectItem } from "../table/items.ts";
import { hasIdItem, type ItemKey, stagingKey } from "../table/keys.ts";
import type { Item, Write } from "../table/table.ts";

/** A snapshot of the stage. */
export interface Snapshot {
  readonly name: string;
  /** Last revision whose commit is in the snapshot. */
  readonly at: number;
  /** False if the stage was written to after the snapshot. */
  readonly exact: boolean;
}

/** Milliseconds after which a writer renews its record. */
const RENEW_MS = SWEEP.stagingMs / 5;

/** A generation that is being written. Only differences are written. */
export class Stage {
  readonly partition: Partition;
  readonly #context: StoreContext;
  #held: ReadonlyMap<string, AnyObject> = new Map();
  /** Names that are in the record but not used yet. */
  readonly #spareNames: string[];
  readonly #writtenBlobs: string[] = [];
  #record: Staging;
  #snapshot: Snapshot | undefined;
  // The objects share a partition; each blob has its own.
  readonly #objectThrottle: Throttle;
  readonly #blobThrottle: Throttle;
  #isRenewing = false;
  #renewals = Promise.resolve();

  constructor(context: StoreContext, model: string) {
    const { runtime, retryPolicy } = context;
    this.#context = context;
    this.partition = { model, generation: runtime.newId() };
    // Names for the blobs that most stages need are in the record from the beginning.
    this.#spareNames = [this.partition.generation, runtime.newId()];
    this.#record = createStaging({ ...this.partition, blobs: [...this.#spareNames] }, runtime.now());
    this.#objectThrottle = new Throttle(runtime, retryPolicy);
    this.#blobThrottle = new Throttle(runtime, retryPolicy);
  }

  get key(): ItemKey {
    return stagingKey(this.partition.generation);
  }

  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  async begin(): Promise<void> {
    const put = toStagingItem(this.#record);
    await abandonOnFailure(() => this.#context.table.write({ put, expect: { absent: true } }));
  }

  /** Makes the stage hold exactly the wanted objects. `onProgress` gets the written share, from 0 to 1. */
  hold(target: Target, onProgress: (share: number) => Promise<void>): Promise<void> {
    return abandonOnFailure(async () => {
      const { partition } = this;
      const { table } = this.#context;
      const differences = computeDifferences(partition, this.#held, target);
      const { puts, deletes } = differences;
      if (puts.length === 0 && deletes.length === 0) return;
      // Set at once for a snapshot that is taken meanwhile. A failed write abandons the stage.
      if (this.#snapshot) this.#snapshot = { ...this.#snapshot, exact: false };
      this.#held = computeHeld(this.#held, target, differences);
      const count = puts.reduce((sum, { kind }) => sum + (hasIdItem(kind) ? 2 : 1), 0);
      await putAll(table, toItems(partition, puts), this.#objectThrottle, async (putCount) => {
        await this.#renewIfDue();
        await onProgress(putCount / count);
      });
      await deleteAll(table, deletes, this.#objectThrottle);
    });
  }

  /** Writes a snapshot of all objects in the stage. It contains the commits up to the revision. */
  async takeSnapshot(at: number): Promise<Snapshot> {
    this.#snapshot = { name: await this.writeList(sortObjects(this.#held)), at, exact: true };
    return this.#snapshot;
  }

  keepSnapshot(at: number): Snapshot {
    if (!this.#snapshot?.exact) throw new Error("the stage was written to after its snapshot");
    this.#snapshot = { ...this.#snapshot, at };
    return this.#snapshot;
  }

  writeBlobs(blobs: readonly StoredBlob[]): Promise<void> {
    return abandonOnFailure(async () => {
      for (const { name, value } of blobs) {
        if (this.#writtenBlobs.includes(name)) continue;
        this.#writtenBlobs.push(name);
        await this.#renew(name);
        await this.#putBlob(toBlobItems(name, value));
      }
    });
  }

  writeList(elements: Iterable<unknown>): Promise<string> {
    return abandonOnFailure(async () => {
      const name = this.#spareNames.shift() ?? this.#context.runtime.newId();
      this.#writtenBlobs.push(name);
      if (!this.#record.blobs.includes(name)) await this.#renew(name);
      await this.#putBlob(toListItems(name, elements));
      return name;
    });
  }

  /** Creates the writes that publish the stage. The entry names the blobs `blobNames`; `leftover` is to be swept. */
  createPublishingWrites(blobNames: readonly string[], leftover: string | undefined): Write[] {
    const { runtime } = this.#context;
    const orphans = this.#writtenBlobs.filter((name) => !blobNames.includes(name));
    const put = toStagingItem({ ...this.#record, state: "published" });
    const write: Write = { put, expect: expectOwnStaging(this.#record) };
    // Without a replaced generation the note names an unused one: a note of a live generation sweeps nothing.
    // The stage's own name cannot be used: it is live.
    const generation = leftover ?? (orphans.length > 0 ? runtime.newId() : undefined);
    if (generation === undefined) return [write];
    const note = { model: this.partition.model, generation, blobs: orphans, round: 1 };
    const noteItem = toSweepItem(note, runtime.now() + SWEEP.generationMs, generation);
    return [write, { put: noteItem, expect: { absent: true } }];
  }

  /** Returns true if the record that was read still belongs to this writer. */
  isHeldIn(item: Item | undefined): boolean {
    const staging = item && toStaging(item);
    return staging?.state === "open" && staging.epoch === this.#record.epoch;
  }

  /** Gives up the stage, so that it is swept soon. Returns false if this fails: the sweeper finds it later. */
  async close(): Promise<boolean> {
    const { table, runtime } = this.#context;
    try {
      await table.transactWrite(createClosingWrites(this.#record, runtime.now()));
      return true;
    } catch {
      // The caller gets the first problem.
      return false;
    }
  }

  /**
   * Leaves a stage that cannot be published to the sweeper, which finds it by its record. If the record is closed or
   * gone, the stage is noted again: a suspended writer may have written into a stage that was swept.
   */
  async leave(): Promise<void> {
    const { table, runtime } = this.#context;
    try {
      const item = await table.get(this.key);
      if (item && toStaging(item).state !== "closed") return;
      const put = createAbandonedNote(this.#record, runtime.now() + SWEEP.generationMs);
      await table.write({ put, expect: { absent: true } });
    } catch {
      // The call continues with another stage.
    }
  }

  async #putBlob(items: Iterable<Item>): Promise<void> {
    await putAll(this.#context.table, items, this.#blobThrottle, () => this.#renewIfDue());
  }

  /** Renews the record and adds names of blobs. Renewals run one after the other. */
  #renew(...blobs: readonly string[]): Promise<void> {
    const { table, runtime } = this.#context;
    this.#renewals = this.#renewals.then(async () => {
      const since = new Date(runtime.now()).toISOString();
      const next: Staging = { ...this.#record, blobs: [...this.#record.blobs, ...blobs], since };
      await table.write({ put: toStagingItem(next), expect: expectOwnStaging(this.#record) });
      this.#record = next;
    });
    return this.#renewals;
  }

  async #renewIfDue(): Promise<void> {
    if (this.#isRenewing || Date.parse(this.#record.since) + RENEW_MS > this.#context.runtime.now()) return;
    this.#isRenewing = true;
    try {
      await this.#renew();
    } finally {
      this.#isRenewing = false;
    }
  }
}

/** Stages of the calls of a store. All attempts of a call share one. */
export class Stages {
  /** Stages whose publication had no answer. */
  readonly pendingStages: Map<ModelView, Stage> = new Map();
  readonly #context: StoreContext;
  readonly #stages = new Map<string, Stage>();

  constructor(context: StoreContext) {
    this.#context = context;
  }

  /** Returns the stage of a call in a model. Begins a missing one: its record is written before all else. */
  async getOrBegin(model: string, call: RecordedCall): Promise<Stage> {
    const match = this.#stages.get(toStageName(model, call));
    if (match) return match;
    const stage = new Stage(this.#context, model);
    await stage.begin();
    this.#stages.set(toStageName(model, call), stage);
    return stage;
  }

  has(model: string, call: RecordedCall): boolean {
    return this.#stages.has(toStageName(model, call));
  }

  /** Removes and returns the stage of a call. */
  take(model: string, call: RecordedCall): Stage | undefined {
    const name = toStageName(model, call);
    const stage = this.#stages.get(name);
    this.#stages.delete(name);
    return stage;
  }

  async closeAll(): Promise<void> {
    const stages = [...this.#stages.values()];
    this.#stages.clear();
    for (const stage of stages) await stage.close();
  }
}

function toStageName(model: string, { operationId }: RecordedCall) {
  return `${operationId} ${model}`;
}

/** Objects that a generation should hold. */
export interface Target {
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** Returns true for an object of this call. If unchanged otherwise, it keeps the revision it was staged with. */
  readonly isOwn: (object: AnyObject) => boolean;
}

interface Differences {
  readonly puts: readonly AnyObject[];
  readonly deletes: readonly ItemKey[];
}

function computeDifferences(partition: Partition, base: ReadonlyMap<string, AnyObject>, target: Target): Differences {
  const puts: AnyObject[] = [];
  const removals: AnyObject[] = [];
  for (const [sk, object] of target.objects) {
    const baseObject = base.get(sk);
    if (baseObject && isSame(baseObject, object, target.isOwn(object))) continue;
    checkObjectSize(toObjectItem(partition, object, object.revision));
    if (baseObject) removals.push(baseObject);
    puts.push(object);
  }
  for (const [sk, object] of base) if (!target.objects.has(sk)) removals.push(object);
  return {
    puts,
    deletes: removals.length === 0 ? [] : excludeItems(toItems(partition, removals), toItems(partition, puts)),
  };
}

function computeHeld(
  base: ReadonlyMap<string, AnyObject>,
  { objects }: Target,
  { puts }: Differences,
): ReadonlyMap<string, AnyObject> {
  // The first time all objects are written, and one map of so many is enough.
  if (base.size === 0) return objects;
  const putSet = new Set(puts);
  const all = new Map<string, AnyObject>();
  for (const [sk, object] of objects) all.set(sk, putSet.has(object) ? object : (base.get(sk) ?? object));
  return all;
}

function isSame(base: AnyObject, object: AnyObject, own: boolean) {
  return base === object || isDeepStrictEqual(own ? { ...base, revision: object.revision } : base, object);
}

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

function excludeItems(items: Iterable<Item>, exclusions: Iterable<Item>): ItemKey[] {
  const keys = new Set<string>();
  for (const item of exclusions) keys.add(toKeyText(item));
  return [...items].filter((item) => !keys.has(toKeyText(item))).map(({ pk, sk }) => ({ pk, sk }));
}

function toKeyText({ pk, sk }: ItemKey) {
  return `${pk} ${sk}`;
}
