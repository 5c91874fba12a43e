import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { openLocalTransport, post } from "../http/support/transports.ts";
import { runtimeAt } from "../support/runtime.ts";
import { createWorld } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, entryOf as entry } from "./support/models.ts";

const world = useWorld();

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, "accept-encoding": "gzip" });

/** Letters and digits that do not compress: a hexadecimal text would. */
const noise = (bytes: number) => {
  const words = crypto.getRandomValues(new Uint8Array(Math.ceil((bytes * 3) / 4)));
  return Buffer.from(words).toString("base64url").slice(0, bytes);
};

/** A model of about 3 MB: 500 entities with a long description each. */
async function aLargeModel(): Promise<string> {
  const key = newKey("large");
  await world.ok("model/model_create", { key, name: key });
  // Each batch is one transaction: a publication may become a job on a busy machine.
  for (let batch = 0; batch < 20; batch += 1) {
    const entities = Array.from({ length: 25 }, (_, i) =>
      entry("entity_create", { modelRef: `key:${key}`, entityKey: `e${batch}_${i}`, description: noise(6_000) }),
    );
    await world.ok("batch/batch_run", { actions: entities });
  }
  return `key:${key}`;
}

describe("a batch that reads more than one answer may hold", () => {
  test("1,000 exports of a 3 MB model are refused early, by entry and limit, while /health answers", async () => {
    const actions = Array(1_000).fill(entry("model_export", { modelRef: await aLargeModel() }));
    const transport = await openLocalTransport(world.service, () => undefined);
    const call = post("/api/batch/batch_run", { actions }, bearer(world.people.reader));
    await transport.send(post("/api/batch/batch_run", { actions: actions.slice(0, 1) }, bearer(world.people.reader)));
    let running: ReturnType<typeof transport.send> | undefined;
    // The least of three, because other programs of the machine may take its processor.
    let longest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && longest >= 1_000; attempt++) {
      let isAnswered = false;
      running = transport.send(call).finally(() => {
        isAnswered = true;
      });
      const waits: number[] = [];
      do {
        const asked = performance.now();
        expect((await transport.send({ target: "/health" })).status).toBe(200);
        waits.push(performance.now() - asked);
      } while (!isAnswered);
      longest = Math.max(...waits);
    }
    expect(longest).toBeLessThan(1_000);
    const { status, json } = (await running) ?? expect.unreachable();
    expect([status, json.code]).toEqual([413, "too_large"]);
    expect(json.entry).toBeLessThanOrEqual(LIMITS.batchAnswerBytes / 3_000_000 + 1);
    expect(json.detail).toContain("batchAnswerBytes");
    await transport.close();
  }, 60_000);

  test("a reference that repeats a long text is counted each time", async () => {
    const model = await aModel(world);
    const { ref: entityRef } = await anEntity(world, model);
    const update = { modelRef: model.ref, entityRef, value: "d".repeat(LIMITS.descriptionBytes) };
    await world.ok("model/entity_update_description", update);
    const property = { modelRef: model.ref, entityRef, property: "a:b", value: Array(1_000).fill("$1.description") };
    const actions = [
      entry("entity_get", { modelRef: model.ref, entityRef }),
      entry("entity_update_property", property),
    ];
    const problem = await world.writesNothing(() => world.refused("batch/batch_run", { actions }));
    expect([problem.code, problem.members.entry]).toEqual(["too_large", 2]);
    expect(problem.message).toContain("batchAnswerBytes");
  });
});

test("a batch that works until its deadline is out_of_time and writes nothing", async () => {
  const clock = runtimeAt("2026-03-01T08:00:00.000Z");
  let isTicking = false;
  const now = () => {
    if (isTicking) clock.advance(50);
    return clock.now();
  };
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const slow = await createWorld({ runtime: { ...clock, now, sleep } });
  await slow.run("model/model_create", { key: "crm", name: "CRM" });
  const create = (i: number) => entry("entity_create", { modelRef: "key:crm", entityKey: `e${i}` });
  isTicking = true;
  const problem = await slow.problem("batch/batch_run", { actions: Array.from({ length: 600 }, (_, i) => create(i)) });
  isTicking = false;
  expect([problem.code, problem.message]).toEqual(["out_of_time", expect.stringContaining("callMs")]);
  // Other calls run between its entries.
  expect(pauses.filter((ms) => ms === 0).length).toBeGreaterThan(50);
  expect((await slow.run("model/model_get", { modelRef: "key:crm" })).revision).toBe(1);
});

test.each(["identity", "gzip"])("an answer too large to send as %s is detected before the commit", async (encoding) => {
  const modelRef = await aLargeModel();
  const renamed = entry("model_update_name", { modelRef, name: "Renamed" });
  const actions = [renamed, ...Array(4).fill(entry("model_export", { modelRef }))];
  const transport = await openLocalTransport(world.service, () => undefined);
  const headers = { ...bearer(world.people.admin), "accept-encoding": encoding };
  const send = () => transport.send(post("/api/batch/batch_run", { actions }, headers));
  const { status, json } = await world.writesNothing(send);
  expect([status, json.code]).toEqual([413, "result_too_large"]);
  expect((await world.read("model/model_get", { modelRef })).name).not.toBe("Renamed");
  await transport.close();
});

describe("the stored answer of a batch with an idempotency key", () => {
  test("keeps the answers of entries that wrote, and replays those of reads as omitted", async () => {
    const modelRef = await aLargeModel();
    const renamed = entry("model_update_name", { modelRef, name: "Renamed" });
    const unchanged = entry("model_update_name", { modelRef, name: "Renamed" });
    const actions = [renamed, entry("model_get", { modelRef }), unchanged, entry("model_export", { modelRef })];
    const control = { idempotencyKey: newKey("idempotency") };
    const first = await world.ok("batch/batch_run", { actions }, control);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(3_000_000);
    const again = await world.writesNothing(() => world.ok("batch/batch_run", { actions }, control));
    const { results, ...others } = first.body;
    const omitted = { omitted: true };
    expect(again.body).toEqual({ ...others, results: [results[0], omitted, results[2], omitted] });
    expect([again.replayed, again.etag]).toEqual([true, first.etag]);
  });

  test("a batch that reads only is stored without what it read", async () => {
    const actions = [entry("model_export", { modelRef: await aLargeModel() })];
    const control = { idempotencyKey: newKey("idempotency") };
    await world.ok("batch/batch_run", { actions }, control);
    const { body } = await world.ok("batch/batch_run", { actions }, control);
    expect([body.changed, body.results]).toEqual([false, [{ omitted: true }]]);
  });

  test(`has at most ${LIMITS.idempotencyRecordBytes} bytes; a larger one is refused before the commit`, async () => {
    const model = await aModel(world);
    const create = (i: number) => entry("entity_create", { modelRef: model.ref, entityKey: `e${i}` });
    const actions = Array.from({ length: 1_000 }, (_, i) => create(i));
    const control = { idempotencyKey: newKey("idempotency") };
    const problem = await world.writesNothing(() => world.refused("batch/batch_run", { actions }, control));
    expect(problem.code).toBe("too_large");
    expect(problem.message).toMatch(/^Idempotency-Key: .*idempotencyRecordBytes/);
    const { body } = await world.ok("batch/batch_run", { actions: actions.slice(0, 400) }, control);
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(LIMITS.idempotencyRecordBytes);
    expect((await world.ok("batch/batch_run", { actions: actions.slice(400) })).body.changed).toBe(true);
  });
});
