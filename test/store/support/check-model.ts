import { expect } from "vitest";
import { checkModel as findViolations } from "../../../shared/store/fsck/check-model.ts";
import { IDENTITY, type ItemKey, TAGS } from "../../../shared/store/table/keys.ts";
import { type Item, readItems, type Table } from "../../../shared/store/table/table.ts";
import { realRuntime } from "../../support/runtime.ts";

/** Returns what fsck finds about one model, a sentence each. `test/store/fsck` proves that it finds every kind of damage. */
export async function checkModel(table: Table, modelId: string): Promise<readonly string[]> {
  const violations = await findViolations(table, realRuntime, modelId);
  return violations.map(({ code, sentence }) => `model ${modelId}: ${code}, ${sentence}`);
}

/** Returns what fsck finds about every model that has a log. */
export async function checkAll(table: Table, items: readonly Item[]): Promise<readonly string[]> {
  const logs = new Set(
    items.map(({ pk }) => pk.split("#")).flatMap(([word, id]) => (word === "log" && id ? [id] : [])),
  );
  const models = [...logs].filter((id) => id !== IDENTITY && id !== TAGS.model);
  return (await Promise.all(models.map((id) => checkModel(table, id)))).flat();
}

/** Returns an item that has to be in the table. */
export async function getItem(table: Table, { pk, sk }: ItemKey): Promise<Item> {
  const item = await table.get({ pk, sk });
  if (!item) throw new Error(`there is nothing at ${pk} ${sk}`);
  return item;
}

/** Puts any number of items into a table. */
export async function putItems(table: Table, items: readonly Item[]): Promise<void> {
  for (let at = 0; at < items.length; at += 25) expect(await table.batchPut(items.slice(at, at + 25))).toEqual([]);
}

export const partition = (table: Table, pk: string): Promise<Item[]> => Array.fromAsync(readItems(table, { pk }));
