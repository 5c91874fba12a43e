import type { Item, Range, Seam } from "./seam.ts";

/** The items of a range, read page after page as they are asked for. */
export async function* itemsOf(seam: Seam, range: Range): AsyncGenerator<Item> {
  let after = range.after;
  do {
    const page = await seam.query({ ...range, ...(after !== undefined && { after }) });
    yield* page.items;
    after = page.more;
  } while (after !== undefined);
}
