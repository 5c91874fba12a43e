import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { AnyObject } from "../../../shared/domain/model/objects.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { checkModel } from "../../../shared/store/fsck/check-model.ts";
import { toBlobItems } from "../../../shared/store/log/blobs.ts";
import { toLogEntry } from "../../../shared/store/log/log.ts";
import { readObjectsInOrder } from "../../../shared/store/log/object-streams.ts";
import { loadObjectsAfter, toPointer, toSnapshotValue } from "../../../shared/store/log/replay.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { blobPartition, logPartition, snapshotKey, TAGS } from "../../../shared/store/table/keys.ts";
import { readItems } from "../../../shared/store/table/table.ts";
import { countOfRun, createChance, seedOf } from "../../support/chance.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { type Body, createWorld, type World } from "../../support/world.ts";
import { NO_ID, payloadFor, prepare } from "../support/batch-comparison.ts";
import { randomEntries } from "../support/random-entries.ts";

/** One model, and the answers about it while each of its revisions was the newest. */
interface Model {
  readonly id: string;
  readonly exports: Map<number, { readonly text: string; readonly etag: string | undefined }>;
  readonly releases: Map<string, number>;
  /** The revision that deleted the model. */
  deletedAt?: number;
}

interface History {
  readonly seed: number;
  readonly world: World;
  readonly runtime: ReturnType<typeof runtimeAt>;
  readonly models: ReadonlyMap<string, Model>;
}

const HISTORIES = countOfRun("METACTION_HISTORIES", 10);
const CALLS = 50;
const TIMEOUT_MS = 60_000 + HISTORIES * 20_000;

const { snapshotCommits } = LIMITS;
let histories: Promise<readonly History[]> | undefined;

beforeAll(() => {
  // The limit is so small that every history passes some of its snapshots.
  Object.assign(LIMITS, { snapshotCommits: 7 });
});

afterAll(() => Object.assign(LIMITS, { snapshotCommits }));

async function runHistories(): Promise<readonly History[]> {
  const done: History[] = [];
  const first = seedOf("past-properties");
  for (let seed = first; seed < first + HISTORIES; seed++) {
    const history = await runHistory(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    done.push(history);
  }
  return done;
}

test("every past state is exported as when it was the newest, and none of a deleted model after its end", {
  timeout: TIMEOUT_MS,
}, async () => {
  histories ??= runHistories();
  const counts = { states: 0, deleted: 0 };
  for (const { seed, world, models } of await histories) {
    for (const { id, exports, deletedAt } of models.values()) {
      const modelRef = `id:${id}`;
      for (const [revision, { text, etag }] of exports) {
        const past = await world.answer("model/model_export", { modelRef, revision });
        expect(JSON.stringify(past.body), `seed ${seed}, ${id} at ${revision}`).toBe(text);
        expect(past.etag, `seed ${seed}, ${id} at ${revision}`).toBe(etag);
      }
      counts.states += exports.size;
      if (deletedAt === undefined) continue;
      counts.deleted += 1;
      for (const [revision, caller] of [
        [deletedAt, world.people.admin],
        [1, world.people.reader],
      ] as const)
        expect((await world.problem("model/model_export", { modelRef, revision }, caller)).code).toBe("not_found");
    }
  }
  process.stdout.write(`past-properties: ${JSON.stringify(counts)}\n`);
  expect(counts.states).toBeGreaterThan(HISTORIES * 10);
  if (HISTORIES >= 40) expect(counts.deleted).toBeGreaterThan(0);
});

test("every released version is listed, and equals the export of its revision", { timeout: TIMEOUT_MS }, async () => {
  histories ??= runHistories();
  let count = 0;
  for (const { seed, world, models } of await histories) {
    for (const { id, exports, releases } of models.values()) {
      const modelRef = `id:${id}`;
      const { items } = await world.run("model/history_versions", { modelRef });
      const listed = items.map(({ version, revision }: { version: string; revision: number }) => [version, revision]);
      expect(listed, `seed ${seed}`).toEqual([...releases].reverse());
      for (const [version, revision] of releases) {
        const document = await world.run("model/model_export_version", { modelRef, version });
        expect(JSON.stringify(document), `seed ${seed}, ${id} ${version}`).toBe(exports.get(revision)?.text);
      }
      count += releases.size;
    }
  }
  expect(count).toBeGreaterThan(HISTORIES);
});

test("a past state read in order equals the state read as a whole, the sweeper's snapshot is byte for byte that of the whole, and fsck finds nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  histories ??= runHistories();
  const counts = { states: 0, objects: 0, snapshots: 0 };
  for (const { seed, world, runtime, models } of await histories) {
    const { table } = world;
    for (const ledger of [TAGS.model, ...models.keys()]) {
      const states = new Map<number, readonly AnyObject[]>();
      for await (const item of readItems(table, { pk: logPartition(ledger) })) {
        const entry = toLogEntry(item);
        if (entry.state === "deleted") continue;
        const whole = toSnapshotValue((await loadObjectsAfter(table, ledger, entry)).values());
        const inOrder = await Array.fromAsync(readObjectsInOrder(table, ledger, entry));
        expect(inOrder, `seed ${seed}, ${ledger} at ${entry.revision}`).toEqual(whole);
        states.set(entry.revision, whole);
        counts.states += 1;
        counts.objects += whole.length;
      }
      for await (const item of readItems(table, { pk: snapshotKey(ledger, 0).pk })) {
        const { revision, blob } = toPointer(item);
        const written = await Array.fromAsync(readItems(table, { pk: blobPartition(blob) }));
        const wanted = toBlobItems(blob, states.get(revision));
        const bytes = (items: typeof written) => items.map((one) => Buffer.from(one.bytes as Uint8Array));
        expect(bytes(written), `seed ${seed}, ${ledger} at ${revision}`).toEqual(bytes(wanted));
        counts.snapshots += 1;
      }
      expect(await checkModel(table, runtime, ledger), `seed ${seed}`).toEqual([]);
    }
  }
  process.stdout.write(`past-properties: ${JSON.stringify(counts)}\n`);
  expect(counts.objects).toBeGreaterThan(counts.states);
  expect(counts.snapshots).toBeGreaterThan(0);
});

async function runHistory(seed: number): Promise<History> {
  const chance = createChance(seed);
  const runtime = runtimeAt(new Date().toISOString());
  const table = await freshTable();
  const world = await createWorld({ table, runtime });
  const models = new Map<string, Model>();
  const made = new Map<string, string>();

  const attempt = async (action: string, payload: object = {}): Promise<Body | undefined> => {
    try {
      const body = await world.run(action, payload);
      await noteExports(world, models);
      return body;
    } catch (error) {
      if (error instanceof Problem && error.code !== "internal") return undefined;
      throw error;
    }
  };
  /** Plans some entries of a batch, with the ids that earlier calls returned. */
  const planEntries = (count: number) =>
    randomEntries(chance, count).map((entry) => {
      const payload = payloadFor("", entry, (what) => (made.has(what) ? `id:${made.get(what)}` : NO_ID));
      return { ...entry, payload };
    });
  const runEntry = async () => {
    // Most calls that are planned so are refused.
    for (const { group, action, payload } of planEntries(4)) {
      // Only in a batch do two dollar signs stand for one.
      const plain = JSON.parse(JSON.stringify(payload).replaceAll("$$", "$"));
      const body = await attempt(`${group}/${action}`, plain);
      if (body?.id && body.key) made.set(`${action} ${body.key}`, body.id);
      if (body?.changed) return;
    }
  };
  const runBatch = () => attempt("batch/batch_run", { actions: planEntries(2 + chance.below(3)) });
  const runOnModel = async (action: string, payloadOf: (model: Model) => object) => {
    const living = [...models.values()].filter(({ deletedAt }) => deletedAt === undefined);
    if (living.length === 0) return;
    const model = chance.pick(living);
    await attempt(action, { modelRef: `id:${model.id}`, ...payloadOf(model) });
  };
  const release = (i: number) => runOnModel("model/model_release", () => ({ value: `${i + 1}.${chance.below(3)}.0` }));
  const restore = () =>
    runOnModel("model/model_restore", ({ exports }) => ({ revision: chance.pick([...exports.keys()]) }));

  await prepare(attempt, "");
  // Random calls rarely clear a text that an earlier call set.
  const entity = { modelRef: "key:m0", entityRef: "key:e0" };
  for (const text of [{ value: "Some text." }, {}])
    await attempt("model/entity_update_description", { ...entity, ...text });
  for (let i = 0; i < CALLS; i++) {
    runtime.advance(1_000);
    const step = chance.weighted<(i: number) => Promise<unknown>>([
      [runEntry, 80],
      [runBatch, 8],
      [release, 5],
      [restore, 4],
      [() => sweep(table, runtime), 3],
    ]);
    await step(i);
  }
  return { seed, world, runtime, models };
}

async function noteExports(world: World, models: Map<string, Model>) {
  const listed = new Set<string>();
  for (const { id } of await world.run("model/model_list")) {
    listed.add(id);
    const model = models.get(id) ?? { id, exports: new Map(), releases: new Map() };
    models.set(id, model);
    const { revision, version } = await world.run("model/model_get", { modelRef: `id:${id}` });
    if (model.exports.has(revision)) continue;
    const { body, etag } = await world.answer("model/model_export", { modelRef: `id:${id}` });
    model.exports.set(revision, { text: JSON.stringify(body), etag });
    if (!model.releases.has(version)) model.releases.set(version, revision);
  }
  for (const model of models.values())
    if (!listed.has(model.id)) model.deletedAt ??= Math.max(...model.exports.keys()) + 1;
}
