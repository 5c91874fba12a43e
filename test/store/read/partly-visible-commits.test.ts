import { beforeEach, describe, expect, test } from "vitest";
import { logPartition, TAGS } from "../../../shared/store/table/keys.ts";
import { OutcomeUnknown, type Write } from "../../../shared/store/table/table.ts";
import { createLateWorld, createPartlyVisible, type PartlyVisible } from "../support/partly-visible.ts";
import { type Caller, writtenBody } from "../support/service-over.ts";

/** How long items stay invisible to queries, in milliseconds; a single get sees them at once. */
const HIDDEN_MS = 200;
const M = { modelRef: "key:crm" };
const NEW_TYPE = { ...M, typeKey: "time" };

let scene: PartlyVisible;

beforeEach(async () => (scene = await createPartlyVisible()));

const all = () => HIDDEN_MS;
const those = (prefix: string) => (write: Write) => ("put" in write && write.put.pk.startsWith(prefix) ? HIDDEN_MS : 0);

function dying(delayOf: (write: Write) => number, call: (writer: Caller) => Promise<unknown>): Promise<void> {
  return new Promise((written, failed) => {
    const writer = scene.slowWriter(delayOf, () => {
      written();
      return new Promise(() => undefined);
    });
    call(writer).catch(failed);
  });
}

/** The revision that another process is shown: one object that is there is read without asking what comes after it. */
async function shownRevision(): Promise<number> {
  const { answer } = await scene.atOnce(() => scene.reader.call("type_get", { ...M, typeRef: "key:date" }));
  return Number(answer?.etag?.split("-").at(-1));
}

describe("a commit with some invisible items", () => {
  test("is answered after a lost answer once every process sees it", async () => {
    const writer = scene.slowWriter(all, () => Promise.reject(new OutcomeUnknown("no answer")));
    expect(writtenBody(await writer.call("type_create", NEW_TYPE))).toMatchObject({ changed: true, revision: 3 });
    expect(await shownRevision()).toBe(3);
  });

  test("is answered to a call with the same idempotency key once every process sees it", async () => {
    const controls = { idempotencyKey: "once" };
    await dying(all, (writer) => writer.call("type_create", NEW_TYPE, controls));
    expect(await shownRevision()).toBe(2);
    const { answer } = await scene.reader.call("type_create", NEW_TYPE, controls);
    expect(answer).toMatchObject({ replayed: true, body: { changed: true, revision: 3 } });
    expect(await shownRevision()).toBe(3);
  });
});

test("a repeated change of a model is answered once the list of models shows it", async () => {
  const controls = { idempotencyKey: "once" };
  const name = { ...M, value: "Named" };
  await dying(those("models"), (writer) => writer.call("model_update_name", name, controls));
  const { answer } = await scene.reader.call("model_update_name", name, controls);
  expect(answer).toMatchObject({ replayed: true, body: { changed: true } });
  const listed = await scene.atOnce(() => scene.reader.call("model_list", {}));
  expect(listed.answer?.body).toMatchObject([{ key: "crm", name: "Named" }]);
});

describe("a release with some invisible items", () => {
  const release = (writer: Caller) => writer.call("model_release", { ...M, value: "1.0.0" });
  const released = async (): Promise<unknown> => {
    const { answer, problem } = await scene.reader.call("model_export_version", { ...M, version: "1.0.0" });
    return problem?.code ?? (answer?.body as { readonly version: unknown }).version;
  };

  test("is found by every reader that sees its commit", async () => {
    writtenBody(await release(scene.slowWriter(those("release#"), async () => undefined)));
    expect(await scene.atOnce(released)).toBe("1.0.0");
  });

  test("is not reported as missing", async () => {
    await dying(all, release);
    expect(await released()).toBe("1.0.0");
  });
});

test("a link to a tag that is visible before its commit is in the past state too", async () => {
  const { world, clock } = scene;
  await world.run("tag/tag_group_create", { key: "g" });
  const tag = { groupRef: "key:g", key: "new" };
  await dying(those(logPartition(TAGS.model)), (writer) => writer.call("tag/tag_global_create", tag));
  const { revision } = writtenBody(await scene.reader.call("model_add_tag", { ...M, tagRef: "key:g/new" }));
  clock.advance(HIDDEN_MS);
  const { tags, tagGroups } = await world.run("model/model_export", { ...M, revision });
  expect(tags).toEqual(["key:g/new"]);
  expect(tagGroups).toMatchObject([{ key: "g", tags: [{ key: "new" }] }]);
});

test("a tag that lists do not show yet keeps its links, though more has happened since than the head contains", async () => {
  const lateMs = 60_000;
  const { clock, world } = await createLateWorld({ isLate: ({ sk }) => sk === "tag#t4", lateMs });
  const { run } = world;
  await run("model/model_create", { key: "m", name: "M" });
  const inModel = { modelRef: "key:m" };
  const onEntity = { ...inModel, entityRef: "key:e" };
  await run("model/entity_create", { ...inModel, entityKey: "e" });
  for (const key of ["t1", "t2", "t3", "t4"]) {
    await run("tag/tag_local_create", { ...inModel, key });
    await run("model/entity_add_tag", { ...onEntity, tagRef: `key:${key}` });
  }
  await run("tag/tag_local_create", { ...inModel, key: "t5" });
  for (let i = 0; i < 5; i++) await run("model/type_create", { ...inModel, typeKey: `type-${i}` });
  await run("model/entity_add_tag", { ...onEntity, tagRef: "key:t5" });
  clock.advance(lateMs);
  const { tags } = await run("model/entity_get", onEntity);
  expect(tags.map(({ key }: { readonly key: string }) => key)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
});
