import type { ItemKey } from "../../../shared/store/table/keys.ts";
import { type Item, type Range, readItems, type Table } from "../../../shared/store/table/table.ts";
import { createChance } from "../../support/chance.ts";

export const keyText = ({ pk, sk }: ItemKey): string => `${pk}|${sk}`;

/** Creates a record of items that a transaction has changed in the table while readers still see them as they were. */
export function createHiddenItems(inner: Table) {
  /** Key -> the item as it was, in the order in which they become visible. */
  const hidden = new Map<string, { readonly key: ItemKey; readonly old: Item | undefined; readonly due: number }>();

  let applied = 0;

  /** Hides items that `apply` changes; from turn `from`, one becomes visible per turn, in a random order. */
  const hide = async (keys: readonly ItemKey[], seed: number, from: number, apply: () => Promise<void>) => {
    const before = await Promise.all(keys.map(({ pk, sk }) => inner.get({ pk, sk })));
    const rows = keys.map(({ pk, sk }, i) => ({ key: { pk, sk }, old: before[i] }));
    // Hidden before it is applied, so that no reader slips in between and sees the new ones.
    for (const [i, row] of shuffled(rows, seed).entries()) hidden.set(keyText(row.key), { ...row, due: from + i });
    try {
      await apply();
      applied += 1;
    } catch (error) {
      for (const { key } of rows) hidden.delete(keyText(key));
      throw error;
    }
  };

  const seen = (key: ItemKey, item: Item | undefined): Item | undefined => {
    const row = hidden.get(keyText(key));
    return row ? row.old : item;
  };

  /** Returns a page as readers see it. Reads the whole partition if one of its items is hidden. */
  const page: Table["query"] = async (range) => {
    if (![...hidden.values()].some(({ key }) => key.pk === range.pk)) return inner.query(range);
    const { limit = Number.POSITIVE_INFINITY, descending = false } = range;
    const rows = new Map<string, Item>();
    for await (const item of readItems(inner, { pk: range.pk })) rows.set(item.sk, item);
    for (const { key, old } of hidden.values()) {
      if (key.pk !== range.pk) continue;
      if (old) rows.set(key.sk, old);
      else rows.delete(key.sk);
    }
    const wanted = [...rows.values()].filter(({ sk }) => isInside(sk, range)).sort((a, b) => (a.sk < b.sk ? -1 : 1));
    if (descending) wanted.reverse();
    const items = wanted.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(wanted.length > limit && last && { more: last.sk }) };
  };

  return {
    hide,
    seen,
    page,
    reveal: (turn: number) => {
      for (const [text, { due }] of hidden) if (due <= turn) hidden.delete(text);
    },
    revealOne: () => {
      const [first] = hidden.keys();
      if (first !== undefined) hidden.delete(first);
    },
    revealAll: () => hidden.clear(),
    any: () => applied > 0 && hidden.size > 0,
    anyOf: (keys: readonly string[]) => keys.some((key) => hidden.has(key)),
  };
}

function isInside(sk: string, { prefix, from, to, after, descending }: Range) {
  if (prefix !== undefined && !sk.startsWith(prefix)) return false;
  if (from !== undefined && sk < from) return false;
  if (to !== undefined && sk > to) return false;
  if (after === undefined) return true;
  return descending ? sk < after : sk > after;
}

function shuffled<T>(rows: readonly T[], seed: number): T[] {
  const chance = createChance(seed);
  return rows
    .map((row) => ({ row, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}
