import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../shared/domain/limits.ts";
import type { AnyObject } from "../../shared/domain/model/objects.ts";
import { runtime } from "../../shared/service/runtime.ts";
import { checkModel } from "../../shared/store/fsck/check-model.ts";
import { readList } from "../../shared/store/log/blobs.ts";
import { toPointer } from "../../shared/store/log/replay.ts";
import { objectSortKey, snapshotKey } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { BESIDE, called, LARGE, newPlace, withTable } from "./support/staging-run.ts";

const MEMORY_MB = 256;
/** Limits of the heap: the young generation as in Lambda, the old one smaller. */
const FLAGS = ["--max-semi-space-size=12", "--max-old-space-size=128"];
const execute = promisify(execFile);

/** The factor by which time goes faster, so high that only the machine is waited for. */
const SCALE = 100;

test("the sweeper makes a snapshot of 200,000 objects after 1,000 commits, in 256 MB", async () => {
  const place = newPlace(SCALE);
  const imported = await called(place, { call: "model/import", fields: LARGE, payload: {} });
  const { job } = imported.outcome as { readonly job?: string };
  expect(job, JSON.stringify(imported.outcome)).toBeDefined();
  expect((await called(place, { job: String(job).slice("id:".length) })).outcome).toBe("done");
  const commits = LIMITS.snapshotCommits - 1;
  expect((await called(place, { commits, model: "wide" })).outcome).toEqual({ commits });

  const script = join(import.meta.dirname, "support/sweep-process.ts");
  const now = String(Date.now() + 2 * SWEEP.generationMs);
  const { stdout } = await execute(process.execPath, [...FLAGS, script, place.folder, now]);
  process.stdout.write(`snapshot of 200,000: ${stdout}`);
  expect(JSON.parse(stdout).rssMb).toBeLessThanOrEqual(MEMORY_MB);

  await withTable(place, async (table) => {
    const [summary] = await partition(table, "models");
    const model = String(summary?.id);
    const [pointer] = await partition(table, snapshotKey(model, 0).pk);
    if (!pointer) throw new Error("there is no snapshot");
    const { revision, blob } = toPointer(pointer);
    expect(revision).toBe(LIMITS.snapshotCommits);
    let [count, changed, last] = [0, 0, ""];
    for await (const object of readList(table, blob)) {
      const sk = objectSortKey(object as AnyObject);
      expect(sk > last, `${last} before ${sk}`).toBe(true);
      last = sk;
      count += 1;
      if ((object as AnyObject).revision > 1) changed += 1;
    }
    expect({ count, changed }).toEqual({ count: LARGE + BESIDE, changed: commits });
    expect(await checkModel(table, runtime, model)).toEqual([]);
  });
});
