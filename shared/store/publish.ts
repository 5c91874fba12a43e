import type { Ambient, Call } from "../actions/call.ts";
import type { Commit, CommitOutcome } from "../actions/store.ts";
import { LIMITS } from "../domain/limits.ts";
import type { AnyObject } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import { putAll } from "./batches.ts";
import { blobItems } from "./blobs.ts";
import { sendCommit } from "./commit.ts";
import { checkObjectSize } from "./item-size.ts";
import { idItem, objectItem, type Place } from "./items.ts";
import { jobDoneWrite } from "./job-store.ts";
import { logEntry, logItem } from "./log.ts";
import { patiently } from "./patience.ts";
import { recordWrite } from "./records.ts";
import { Lost, Refused, type Seam } from "./seam.ts";
import { closingWrites, type Staging, stagingItem } from "./stagings.ts";
import type { ModelView } from "./view.ts";
import type { Waiting } from "./waiting.ts";
import { type GuardedWrite, newSummary, releaseWrite } from "./writes.ts";

interface Ground {
  readonly seam: Seam;
  readonly waiting: Waiting;
  readonly ambient: Ambient;
}

/**
 * Writes a model that begins with this call as a generation of its own, invisible until one last transaction publishes
 * it. An attempt that goes wrong leaves an open staging record, by which the sweeper finds what was written.
 */
export async function publishNewModel(
  ground: Ground,
  view: ModelView,
  commit: Commit,
  call: Call,
): Promise<CommitOutcome> {
  const { seam, waiting, ambient } = ground;
  const objects = commit.changes.map((change) => {
    if (change.does !== "create") throw new Error("a new model has nothing to change yet");
    return change.after;
  });
  checkObjectCount(objects.length, commit.job ? LIMITS.objectsPerJob : LIMITS.objectsPerCall);
  const revision = view.revision + 1;
  const place: Place = { model: view.modelId, generation: ambient.newId() };
  const staging: Staging = {
    generation: place.generation,
    model: place.model,
    state: "open",
    epoch: 1,
    since: new Date(ambient.now()).toISOString(),
  };
  const snapshot = place.generation;
  try {
    await patiently(waiting, () => seam.write({ put: stagingItem(staging), expect: { absent: true } }));
    const items = [...stagedItems(place, objects, revision), ...blobItems(snapshot, snapshotOf(objects, revision))];
    await putAll(seam, items, waiting, (written) => told(commit, objects.length, written / items.length));
  } catch (error) {
    // The generation is spoilt: nothing of it is ever published, and the next attempt takes a new one. A record refused
    // is one that the client below sent twice, because nobody else knows this generation.
    if (error instanceof Lost || error instanceof Refused) return "moved";
    await giveUp(ground, staging);
    throw error;
  }
  const facts = { key: view.modelKey, generation: place.generation, state: "live" as const };
  const entry = { ...logEntry(revision, facts, call), snapshot };
  const writes: GuardedWrite[] = [
    {
      write: {
        put: stagingItem({ ...staging, state: "published" }),
        expect: { equal: { state: "open", epoch: staging.epoch } },
      },
    },
    ...objects.flatMap((object) => newSummary(object, revision)),
    ...(commit.release === undefined ? [] : [releaseWrite(place, commit.release, revision, call)]),
    ...jobWrites(commit, ambient.now()),
  ];
  const record = commit.job ? undefined : commit.record;
  try {
    const outcome = await sendCommit(seam, place.model, logItem(place.model, entry), writes, call, record);
    if (typeof outcome === "object" && "twin" in outcome) await giveUp(ground, staging);
    return outcome;
  } catch (error) {
    await giveUp(ground, staging);
    throw error;
  }
}

/** Closes a generation that is certainly not published, so that it is swept soon; otherwise the sweeper finds it later. */
async function giveUp({ seam, waiting, ambient }: Ground, staging: Staging): Promise<void> {
  try {
    await patiently(waiting, () => seam.transactWrite(closingWrites(staging, ambient.now())));
  } catch {
    // The caller is told of what came first.
  }
}

async function told({ job }: Commit, total: number, share: number): Promise<void> {
  await job?.mark.progress(Math.floor(total * share), total);
}

/** A job ends with the commit it was for, and the record that it runs becomes the record of its answer. */
function jobWrites({ job, record }: Commit, now: number): GuardedWrite[] {
  if (!job) return [];
  const done = jobDoneWrite(job.mark, job.result, new Date(now).toISOString());
  return record ? [done, { write: recordWrite(record, Math.floor(now / 1000), job.mark.id) }] : [done];
}

function stagedItems(place: Place, objects: readonly AnyObject[], revision: number) {
  return objects.flatMap((object) => {
    const item = objectItem(place, object, revision);
    checkObjectSize(item);
    const id = idItem(place, object, revision);
    return id ? [item, id] : [item];
  });
}

/** Everything there is after a publication, for whoever replays the log. */
function snapshotOf(objects: readonly AnyObject[], revision: number): readonly AnyObject[] {
  return objects.map((object) => ({ ...object, revision }));
}

function checkObjectCount(count: number, most: number): void {
  if (count <= most) return;
  throw new Problem("too_large", `one call may write ${most} objects; this one has ${count}: split the model`);
}
