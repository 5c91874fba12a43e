import { describe, expect, test } from "vitest";
import { checkModel } from "../support/check-model.ts";
import type { Match } from "../support/fault-plan.ts";
import type { FaultTable } from "../support/fault-table.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

/** 90 kB: eleven of them fill a page of 1 MB. */
const LONG = "é".repeat(45_000);

const faulty = await openFaultyWorld();

async function newLargeModel(key: string): Promise<string> {
  const scene = sceneDocument(key);
  const types = Array.from({ length: 32 }, (_, i) => ({ key: `t${String(i).padStart(2, "0")}`, description: LONG }));
  return (await faulty.world.run("model/import", { content: { ...scene, types: [...scene.types, ...types] } })).id;
}

/** Commits before every page of the model but the first; answers the export and those that were right meanwhile. */
async function readWhile(id: string, writes: readonly (readonly [string, object])[]) {
  const exported = async (): Promise<string> =>
    JSON.stringify((await faulty.quiet.call("model_export", { modelRef: `id:${id}` })).answer);
  const right = [await exported()];
  let next = 0;
  const before = async () => {
    const [name, payload] = writes[next++] ?? [];
    if (name) writtenBody(await faulty.quiet.call(name, { modelRef: `id:${id}`, ...payload }));
    right.push(await exported());
  };
  const match: Match = { operation: ["query", "transactGet"], key: /^(model|log)#/, nth: 2 };
  faulty.table.arm({ rules: [{ match, times: writes.length, do: { before } }] });
  const { answer } = await faulty.caller.call("model_export", { modelRef: `id:${id}` });
  return { given: JSON.stringify(answer), right, done: next, trace: [...faulty.table.trace] };
}

const pages = (trace: FaultTable["trace"]) =>
  trace.filter(({ operation, keys }) => operation === "query" && keys[0]?.startsWith("model#")).length;

describe("a read of several pages", () => {
  test("ends at one revision with a commit between all pages, and never starts again", async () => {
    const id = await newLargeModel("large");
    const { given, right, done, trace } = await readWhile(id, [
      ["type_update_name", { typeRef: "key:t00", value: "First" }],
      ["type_update_name", { typeRef: "key:t31", value: "Last" }],
      ["type_update_key", { typeRef: "key:t30", value: "a-to-the-front" }],
      ["type_delete", { typeRef: "key:t15" }],
      ["entity_create", { entityKey: "supplier" }],
      ["entity_delete", { entityRef: "key:customer" }],
    ]);
    expect(done).toBe(6);
    expect(right).toContain(given);
    expect(pages(trace)).toBeGreaterThanOrEqual(3);
    faulty.table.arm({});
    await faulty.caller.call("model_export", { modelRef: "key:large" });
    expect(pages(trace)).toBe(pages(faulty.table.trace));
    expect(await checkModel(faulty.opened.table, id)).toEqual([]);
  });

  test("does not start again if the model gets another key between its pages", async () => {
    const id = await newLargeModel("moving");
    const { given, right, trace } = await readWhile(id, [["model_update_key", { value: "moved" }]]);
    expect(right).toContain(given);
    // 3 MB in pages of 1 MB.
    expect(pages(trace)).toBeLessThanOrEqual(4);
  });
});
