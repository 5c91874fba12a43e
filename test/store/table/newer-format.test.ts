import { expect, test } from "vitest";
import { createPublicKeyStore } from "../../../shared/store/accounts/unlogged-items.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { jobKey, logKey, publicKeyKey, stagingKey } from "../../../shared/store/table/keys.ts";
import { FORMAT, type Item } from "../../../shared/store/table/table.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";

const NEWER = { code: "newer_format" };

test("calls, jobs, the sweeper and the keys refuse items of a later version with newer_format, and write nothing", async () => {
  const { opened, world, quiet, clock } = await openFaultyWorld();
  const { table } = opened;
  const { id } = await world.run("model/import", { content: sceneDocument("crm") });
  // A later version made the last commit, left a staging and a job, and stored a signing key.
  const log = { ...(await table.get(logKey(id, 1))), ...logKey(id, 2), operation: "another", revision: 2 };
  for (const key of [log, stagingKey("g"), jobKey("j"), publicKeyKey("k")])
    await table.write({ put: { ...key, v: FORMAT + 1 } as Item, expect: { absent: true } });
  const before = await opened.items();

  const type = { modelRef: "key:crm", typeKey: "new" };
  for (const controls of [{}, { dryRun: true }, { idempotencyKey: "k" }])
    expect((await quiet.call("type_create", type, controls)).problem).toMatchObject(NEWER);
  expect((await quiet.call("type_list", { modelRef: `id:${id}` })).problem).toMatchObject(NEWER);
  await expect(sweep(table, clock)).rejects.toMatchObject(NEWER);
  await expect(quiet.work("j")).rejects.toMatchObject(NEWER);
  await expect(createPublicKeyStore(() => table).get("k")).rejects.toMatchObject(NEWER);
  expect(await opened.items()).toEqual(before);
});
