import type { Item, Range, Table } from "./table.ts";

/** The pages of a range, read as they are asked for. */
export async function* pagesOf(table: Table, range: Range): AsyncGenerator<readonly Item[]> {
  let after = range.after;
  do {
    const page = await table.query({ ...range, ...(after !== undefined && { after }) });
    yield page.items;
    after = page.more;
  } while (after !== undefined);
}

/** The items of a range, read page after page as they are asked for. */
export async function* itemsOf(table: Table, range: Range): AsyncGenerator<Item> {
  for await (const items of pagesOf(table, range)) yield* items;
}
