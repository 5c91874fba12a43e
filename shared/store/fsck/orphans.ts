import type { Runtime } from "../../actions/contract/call.ts";
import { type LogEntry, readHead } from "../log/log.ts";
import { toStaging, toSweepItem, toSweepNote } from "../log/stagings.ts";
import {
  blobKey,
  blobPartition,
  idsPartition,
  JOBS,
  jobKey,
  objectsPartition,
  STAGINGS,
  SWEEPS,
  stagingKey,
} from "../table/keys.ts";
import { type Item, readItems, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { DAY_MS } from "./expected-state.ts";
import { createCorrection, createRemoval, createViolation, type Violation } from "./violation.ts";

/** A generation with items in the table. */
export interface StoredGeneration {
  readonly model: string;
  readonly generation: string;
}

/** Finds stagings and sweep notes that should have been processed a day ago. */
export async function* findForgotten(table: Table, runtime: Runtime): AsyncGenerator<Violation> {
  const repair = { how: "The sweeper is run.", by: "sweep" } as const;
  for await (const item of readItems(table, { pk: STAGINGS })) {
    const { generation, since, state } = toStaging(item);
    if (Date.parse(since) + DAY_MS > runtime.now()) continue;
    const sentence = `the staging of the generation ${generation} is ${state} since ${since}: does the sweeper run?`;
    yield createViolation("staging-stale", item, sentence, repair);
  }
  for await (const item of readItems(table, { pk: SWEEPS })) {
    const due = item.sk.split("#")[0] ?? "";
    if (Date.parse(due) + DAY_MS > runtime.now()) continue;
    const sentence = `a sweep was due at ${due}: does the sweeper run?`;
    yield createViolation("sweep-stale", item, sentence, repair);
  }
}

/** Finds stored generations that no model uses and no sweep is noted for. */
export async function* findOrphanedGenerations(
  table: Table,
  runtime: Runtime,
  all: readonly StoredGeneration[],
  heads: ReadonlyMap<string, LogEntry>,
): AsyncGenerator<Violation> {
  const doubtful: StoredGeneration[] = [];
  // Read in the order in which a generation uses the items: staged, published, noted for the sweep, swept.
  for (const one of all) {
    if (isPublished(heads.get(one.model), one)) continue;
    if (await table.get(stagingKey(one.generation))) continue;
    if (isPublished((await readHead(table, one.model))?.entry, one)) continue;
    doubtful.push(one);
  }
  const generations = new Set<string>();
  for await (const item of doubtful.length > 0 ? readItems(table, { pk: SWEEPS }) : []) {
    const note = toSweepNote(item);
    if (note.owner === undefined) generations.add(note.generation);
  }
  for (const one of doubtful) {
    if (generations.has(one.generation)) continue;
    const left = await findNewestRevision(table, one);
    if (left === undefined) continue;
    // Objects that were changed once had a log. If the log is lost, the objects must not be deleted too.
    const isSafe = heads.has(one.model) || left <= 1;
    const note = toSweepItem({ ...one, round: 1 }, runtime.now(), runtime.newId());
    const sentence = isSafe
      ? `the generation ${one.generation} does not belong to the model ${one.model} any more, and no sweep is noted for it`
      : `the model ${one.model} has lost its whole log; restore the table to an earlier point in time`;
    const key = { pk: objectsPartition(one.model, one.generation), sk: "" };
    const repair = { how: "It is noted for the sweep.", by: [createCorrection(undefined, note)] };
    yield createViolation("generation-orphaned", key, sentence, isSafe ? repair : undefined);
  }
}

function isPublished(head: LogEntry | undefined, { generation }: StoredGeneration) {
  return head?.state === "live" && head.generation === generation;
}

async function findNewestRevision(table: Table, { model, generation }: StoredGeneration): Promise<number | undefined> {
  let newest: number | undefined;
  for (const pk of [objectsPartition(model, generation), idsPartition(model, generation)]) {
    for await (const { revision } of readItems(table, { pk })) newest = Math.max(newest ?? 0, Number(revision));
  }
  return newest;
}

/** Finds blobs that no item names. `names` are the blobs of all logs and releases. */
export async function* findOrphanedBlobs(
  table: Table,
  runtime: Runtime,
  blobs: ReadonlySet<string>,
  names: ReadonlySet<string>,
): AsyncGenerator<Violation> {
  const doubtful = [...blobs].filter((name) => !names.has(name) && parseCreationTime(name) + DAY_MS <= runtime.now());
  if (doubtful.length === 0) return;
  // The items are read in the order in which a blob uses them: staged, noted for the sweep, swept.
  const usedNames = new Set<string>();
  for await (const item of readItems(table, { pk: STAGINGS }))
    for (const name of toStaging(item).blobs) usedNames.add(name);
  for await (const item of readItems(table, { pk: SWEEPS }))
    for (const name of toSweepNote(item).blobs ?? []) usedNames.add(name);
  for (const name of doubtful) {
    // The order of a job has the job's id as its name.
    if (usedNames.has(name) || (await table.get(jobKey(name)))) continue;
    const by = (await Array.fromAsync(readItems(table, { pk: blobPartition(name) }))).map(createRemoval);
    if (by.length === 0) continue;
    const sentence = `no log entry, no release, no snapshot and no job names the blob ${name}`;
    const key = { pk: blobPartition(name), sk: "" };
    yield createViolation("blob-orphaned", key, sentence, { how: "It is deleted.", by });
  }
}

/** Returns the milliseconds in a UUID of version 7 (RFC 9562 section 5.7); 0 for other names. */
function parseCreationTime(name: string) {
  return name[14] === "7" ? Number.parseInt(name.slice(0, 8) + name.slice(9, 13), 16) : 0;
}

/** Finds jobs that do not run. A person has to cancel them with `batch/job_cancel`. */
export async function* checkJobs(table: Table, runtime: Runtime): AsyncGenerator<Violation> {
  for await (const job of readItems(table, { pk: JOBS })) {
    if (hasEnded(job)) continue;
    // The job is read again if its order is missing, because it may have ended meanwhile.
    if (!(await table.get(blobKey(job.sk, 0))) && !hasEnded((await table.get(jobKey(job.sk))) ?? job)) {
      const sentence = `the ${job.state} job ${job.sk} has lost its order and cannot run; cancel it`;
      yield createViolation("job-order-missing", job, sentence);
    } else if (Number(job.leaseUntil) + DAY_MS <= runtime.now()) {
      const sentence = `nobody has worked on the ${job.state} job ${job.sk} since ${new Date(Number(job.leaseUntil)).toISOString()}: does the worker run?`;
      yield createViolation("job-stale", job, sentence);
    }
  }
}

/** Returns true for a job that has ended: only ended jobs expire. */
function hasEnded(job: Item) {
  return job[TABLE.timeToLive] !== undefined;
}
