import { expect, test } from "vitest";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

const faulty = await openFaultyWorld();
/** Another process on the faulty.table, whose queries see the items of a transaction one after the other. */
const reader = serviceOver(faulty.world, faulty.table, faulty.clock);

/** The rows of the list for models whose key begins so, as `<key> <name> <version>`. */
async function listed(begin: string, limit?: number): Promise<readonly string[]> {
  const { answer } = await reader.call("model_list", limit === undefined ? {} : { limit });
  const rows = answer?.body as readonly { readonly key: string; readonly name: string; readonly version: string }[];
  return rows.filter(({ key }) => key.startsWith(begin)).map(({ key, name, version }) => `${key} ${name} ${version}`);
}

/** Cases with the rows that are listed afterwards, without the first key of the model. */
const WRITES: readonly (readonly [action: string, payload: (key: string) => object, rows: readonly string[]])[] = [
  ["model_create", (key) => ({ key: `${key}-new`, name: "New" }), [" Customers 0.0.1", "-new New 0.0.1"]],
  ["import", (key) => ({ content: sceneDocument(`${key}-in`) }), [" Customers 0.0.1", "-in Customers 0.0.1"]],
  ["model_update_key", (key) => ({ modelRef: `key:${key}`, value: `${key}-moved` }), ["-moved Customers 0.0.1"]],
  ["model_update_name", (key) => ({ modelRef: `key:${key}`, name: "Named" }), [" Named 0.0.1"]],
  ["model_release", (key) => ({ modelRef: `key:${key}`, value: "1.0.0" }), [" Customers 1.0.0"]],
  ["model_delete", (key) => ({ modelRef: `key:${key}` }), []],
];

test.each(
  WRITES,
)("the list of models shows every answered write in every process: %s", async (action, payload, rows) => {
  for (let scatter = 0; scatter < 18; scatter++) {
    const key = `${action.replaceAll("_", "-")}-${String(scatter).padStart(2, "0")}`;
    await faulty.world.run("model/import", { content: sceneDocument(key) });
    const match = { operation: "transactWrite", key: /^models\|/ } as const;
    faulty.table.arm({ rules: [{ match, do: { scatter, hold: 50, answered: true } }] });
    writtenBody(await faulty.caller.call(action, payload(key)));
    const expected = rows.map((row) => `${key}${row}`);
    expect(await listed(key)).toEqual(expected);
    await faulty.table.settle();
    expect(await listed(key)).toEqual(expected);
  }
});
