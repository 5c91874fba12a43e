import { beforeAll, describe, expect, test } from "vitest";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, serviceOver, writtenBody } from "../support/service-over.ts";

/** 90 kB: eleven of them fill a page of 1 MB. */
const LONG = "é".repeat(45_000);

let opened: TestTable;
let world: World;
let table: FaultTable;
let caller: Caller;
let quiet: Caller;

beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  caller = serviceOver(world, table, quickAmbient());
  quiet = serviceOver(world, opened.table, quickAmbient());
});

/** A model of about 3 MB. */
async function newLargeModel(key: string): Promise<string> {
  const scene = sceneDocument(key);
  const types = Array.from({ length: 32 }, (_, i) => ({ key: `t${String(i).padStart(2, "0")}`, description: LONG }));
  return (await world.run("model/import", { content: { ...scene, types: [...scene.types, ...types] } })).id;
}

/** Commits before every page of the model but the first; answers the export and those that were right meanwhile. */
async function readWhile(key: string, writes: readonly (readonly [string, object])[]) {
  const exported = async (): Promise<string> =>
    JSON.stringify((await quiet.call("model_export", { modelRef: `key:${key}` })).answer);
  const right = [await exported()];
  let next = 0;
  table.arm({
    rules: [
      {
        match: { operation: ["query", "transactGet"], key: /^(model|log)#/, nth: 2 },
        times: writes.length,
        do: {
          before: async () => {
            const [name, payload] = writes[next++] ?? [];
            if (name) writtenBody(await quiet.call(name, { modelRef: `key:${key}`, ...payload }));
            right.push(await exported());
          },
        },
      },
    ],
  });
  const { answer } = await caller.call("model_export", { modelRef: `key:${key}` });
  return { given: JSON.stringify(answer), right, done: next, trace: [...table.trace] };
}

const pages = (trace: FaultTable["trace"]): number =>
  trace.filter(({ operation, keys }) => operation === "query" && keys[0]?.startsWith("model#")).length;

describe("a read of several pages", () => {
  test("ends at one revision with a commit between all pages, and never starts again", async () => {
    const id = await newLargeModel("large");
    const { given, right, done, trace } = await readWhile("large", [
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
    const quietly = createFaultTable(opened.table);
    await serviceOver(world, quietly, quickAmbient()).call("model_export", { modelRef: "key:large" });
    expect(pages(trace)).toBe(pages(quietly.trace));
    expect(await checkModel(opened.table, id)).toEqual([]);
  });

  test("ends before a deletion of the model between its pages", async () => {
    await newLargeModel("leaving");
    const { given, right } = await readWhile("leaving", [
      ["type_update_name", { typeRef: "key:t31", value: "Last" }],
      ["model_delete", {}],
    ]);
    // The read may also find out that the model is gone; it must not be torn.
    expect([...right, undefined]).toContain(given);
  });

  test("does not start again if the model gets another key between its pages", async () => {
    const id = await newLargeModel("moving");
    const exported = async (): Promise<string> =>
      JSON.stringify((await quiet.call("model_export", { modelRef: `id:${id}` })).answer);
    const right = [await exported()];
    const renaming = async (): Promise<void> => {
      writtenBody(await quiet.call("model_update_key", { modelRef: `id:${id}`, value: "moved" }));
      right.push(await exported());
    };
    table.arm({ rules: [{ match: { operation: "query", key: /^model#/, nth: 2 }, do: { before: renaming } }] });
    const { answer } = await caller.call("model_export", { modelRef: `id:${id}` });
    expect(right).toContain(JSON.stringify(answer));
    // 3 MB in pages of 1 MB.
    expect(pages(table.trace)).toBeLessThanOrEqual(4);
  });

  test("that decides a deletion keeps the key that the model got during it", async () => {
    const id = await newLargeModel("renamed");
    table.arm({
      rules: [
        {
          match: { operation: "query", key: /^model#/, nth: 2 },
          do: { before: () => quiet.call("model_update_key", { modelRef: "key:renamed", value: "renamed-since" }) },
        },
      ],
    });
    await caller.call("type_delete", { modelRef: `id:${id}`, typeRef: "key:t15" });
    expect(await checkModel(opened.table, id)).toEqual([]);
    expect((await quiet.call("model_get", { modelRef: "key:renamed-since" })).problem).toBeUndefined();
    expect((await quiet.call("model_get", { modelRef: "key:renamed" })).problem?.code).toBe("not_found");
  });

  test("decides a deletion on one complete state, with any number of concurrent commits", async () => {
    const id = await newLargeModel("busy");
    table.arm({
      rules: [
        {
          match: { operation: "query", key: /^model#/, nth: 3 },
          do: {
            before: () =>
              quiet.call("entity_attribute_create", {
                modelRef: "key:busy",
                entityRef: "key:empty",
                attributeKey: "first",
                type: "key:t15",
                optional: true,
              }),
          },
        },
      ],
    });
    const { problem } = await caller.call("type_delete", { modelRef: "key:busy", typeRef: "key:t15" });
    expect(problem?.code).toBe("still_used");
    expect(await checkModel(opened.table, id)).toEqual([]);
  });
});
