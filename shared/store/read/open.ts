import type { IsShown } from "../../actions/contract/store.ts";
import type { View } from "../../actions/contract/view.ts";
import type { Ref } from "../../domain/refs.ts";
import type { Head } from "../log/head.ts";
import { entryAt, readHead } from "../log/head.ts";
import { isMoved, summaryOf } from "../table/items.ts";
import { ACCOUNTS_LEDGER, summaryKey, TAGS } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { StoreContext } from "./store-context.ts";
import type { ModelView } from "./view.ts";
import { createView } from "./view.ts";

/** A test for the models that the caller may see; absent where the caller may see all. */
type Shown = IsShown | Promise<IsShown | undefined> | undefined;

/** The model of an id at its newest revision; undefined where there is none, or none for the caller. */
export async function openById(
  { table }: StoreContext,
  { value: id }: Ref,
  shown: Shown,
): Promise<ModelView | undefined> {
  const first = await readHead(table, id);
  const isShown = await shown;
  const opened = (head: Head | undefined): ModelView | undefined => {
    if (head?.entry.state !== "live" || isShown?.({ id, key: head.entry.key }) === false) return undefined;
    return createView(table, id, head.entry.key, head.entry.generation, head, false);
  };
  const view = opened(first);
  if (view) return view;
  // The model is deleted, which is no secret to a caller that may see all models.
  if (first && !isShown) return undefined;
  // A model that comes into being may show its summary before its log; whoever saw it has to find it. The question is the
  // same for one that never was, one that is gone and one that is not shown.
  const next = await entryAt(table, id, (first?.entry.revision ?? 0) + 1);
  return next && opened(await readHead(table, id));
}

/** A model that was deleted, at its last revision. */
export async function openDeleted({ table }: StoreContext, ref: Ref): Promise<View | undefined> {
  const head = ref.scheme === "id" ? await readHead(table, ref.value) : undefined;
  if (head?.entry.state !== "deleted") return undefined;
  const { key, generation } = head.entry;
  return { ...createView(table, ref.value, key, generation, head, false), deleted: true };
}

/** The ledger of tags. It has always been there; before its first commit it is at revision 0. */
export async function openTags({ table }: StoreContext): Promise<ModelView> {
  return createView(table, TAGS.model, "", TAGS.generation, await readHead(table, TAGS.model), false);
}

/** The ledger of accounts, which begins with the first administrator. */
export async function openIdentity({ table }: StoreContext): Promise<ModelView> {
  const { model, generation } = ACCOUNTS_LEDGER;
  return createView(table, model, model, generation, await readHead(table, model), false);
}

/** Number of times a key is looked up while its summary and the model's head disagree. */
const MOST_LOOKS = 10;

/** The model of a key, found through its summary, which counts only if the model's head agrees. */
export async function openByKey(
  context: StoreContext,
  { value: key }: Ref,
  shown: Shown,
): Promise<ModelView | undefined> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = await context.table.get(summaryKey(key));
    const isShown = await shown;
    const isHere = (item: Item): boolean => !isMoved(item) && isShown?.({ id: summaryOf(item).id, key }) !== false;
    const summary = seen && isHere(seen) ? seen : await confirmedSummary(context, key);
    if (!summary || !isHere(summary)) return undefined;
    const { id } = summaryOf(summary);
    const head = await readHead(context.table, id);
    if (head?.entry.state === "live" && head.entry.key === key) {
      return createView(context.table, id, key, head.entry.generation, head, true);
    }
    await context.retryPolicy.pause(looks);
  }
  return undefined;
}

/** Asks once more for a summary that was not there, in a way that waits for a rename under way. */
async function confirmedSummary({ table }: StoreContext, key: string): Promise<Item | undefined> {
  return (await table.transactGet([summaryKey(key)]))[0];
}

/** True when no later commit touches anything the answer rests on. */
export async function confirm({ table }: StoreContext, view: ModelView): Promise<boolean> {
  if (view.stale) return false;
  if (!view.reads.needConfirmation()) return true;
  for (;;) {
    const next = await entryAt(table, view.ledgerId, view.revision + 1);
    if (!next) return true;
    if (!(await view.advance(next))) return false;
  }
}
