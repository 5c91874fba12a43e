import { beforeAll, describe, expect, test } from "vitest";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
/** The callers of two processes on one table, whose queries see the items of a transaction one after the other. */
let writer: Caller;
let reader: Caller;

beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  writer = serviceOver(world, table, quickAmbient());
  reader = serviceOver(world, table, quickAmbient());
});

/** The rows of the list for models whose key begins so, as `<key> <name> <version>`. */
async function listed(begin: string, limit?: number): Promise<readonly string[]> {
  const { answer } = await reader.call("model_list", limit === undefined ? {} : { limit });
  const rows = answer?.body as readonly { readonly key: string; readonly name: string; readonly version: string }[];
  return rows.filter(({ key }) => key.startsWith(begin)).map(({ key, name, version }) => `${key} ${name} ${version}`);
}

const WRITES: readonly (readonly [action: string, payload: (key: string) => object, rows: (key: string) => object])[] =
  [
    [
      "model_create",
      (key) => ({ key: `${key}-new`, name: "New" }),
      (key) => [`${key} Customers 0.0.1`, `${key}-new New 0.0.1`],
    ],
    [
      "import",
      (key) => ({ content: sceneDocument(`${key}-in`) }),
      (key) => [`${key} Customers 0.0.1`, `${key}-in Customers 0.0.1`],
    ],
    [
      "model_update_key",
      (key) => ({ modelRef: `key:${key}`, value: `${key}-moved` }),
      (key) => [`${key}-moved Customers 0.0.1`],
    ],
    ["model_update_name", (key) => ({ modelRef: `key:${key}`, name: "Named" }), (key) => [`${key} Named 0.0.1`]],
    ["model_release", (key) => ({ modelRef: `key:${key}`, value: "1.0.0" }), (key) => [`${key} Customers 1.0.0`]],
    ["model_delete", (key) => ({ modelRef: `key:${key}` }), () => []],
  ];

describe("the list of models shows every answered write, in every process:", () => {
  test.each(WRITES)("%s", async (action, payload, rows) => {
    for (let scatter = 0; scatter < 18; scatter++) {
      const key = `${action.replaceAll("_", "-")}-${String(scatter).padStart(2, "0")}`;
      await world.run("model/import", { content: sceneDocument(key) });
      const match = { operation: "transactWrite", key: /^models\|/ } as const;
      table.arm({ rules: [{ match, do: { scatter, hold: 50, answered: true } }] });
      writtenBody(await writer.call(action, payload(key)));
      expect(await listed(key)).toEqual(rows(key));
      await table.settle();
      expect(await listed(key)).toEqual(rows(key));
    }
  });
});
