import type { IsShown, OpenFrom, Seen } from "../../actions/contract/store.ts";
import type { View } from "../../actions/contract/view.ts";
import type { Ref } from "../../domain/refs.ts";
import { type Head, readEntry, readEntrySerializably, readHead } from "../log/log.ts";
import { isMoved, toSummary } from "../table/items.ts";
import { ACCOUNTS_LEDGER, logKey, summaryKey, TAGS } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { StoreContext } from "./contexts.ts";
import { createView, type ModelView } from "./view.ts";

/** A test for the models that the caller may see; absent where the caller may see all. */
type VisibilityTest = IsShown | Promise<IsShown | undefined> | undefined;

/** The model of an id at its newest revision; undefined where there is none, or none for the caller. */
export async function openById(
  context: StoreContext,
  { value: id }: Ref,
  shown: VisibilityTest,
  from: OpenFrom,
): Promise<ModelView | undefined> {
  const { table } = context;
  const known = await findCachedHead(context, () => id, shown, from);
  const first = known?.head ?? (await readNewestHead(context, id));
  const isShown = await shown;
  const opened = (head: Head | undefined, isAssumed = false): ModelView | undefined => {
    if (head?.entry.state !== "live" || isShown?.({ id, key: head.entry.key }) === false) return undefined;
    return createView(context, { ledgerId: id, ...placeIn(head), head, isAssumed });
  };
  const view = opened(first, known?.isAssumed);
  if (view) return view;
  // The model is deleted, which is no secret to a caller that may see all models.
  if (first && !isShown) return undefined;
  // A model that comes into being may show its summary before its log; whoever saw it has to find it. The question is the
  // same for one that never was, one that is gone and one that is not shown.
  const next = await readEntrySerializably(table, id, (first?.entry.revision ?? 0) + 1);
  return next && opened(await readHead(table, id));
}

function placeIn({ entry: { key, generation } }: Head): { readonly key: string; readonly generation: string } {
  return { key, generation };
}

/** A head that this process knows. */
interface CachedHead {
  readonly ledgerId: string;
  readonly head: Head;
  /** True where nobody asked whether it is the newest. */
  readonly isAssumed: boolean;
}

/**
 * The head that this process knows of a live ledger, where one question to the log shows that nothing is after it, or where it
 * may be assumed. A caller who may see some models only is waited for first, whatever they named: the work must not tell what
 * is known. For them nothing is assumed, because a key may have changed.
 */
async function findCachedHead(
  { table, cache }: StoreContext,
  idOf: () => string | undefined,
  shown: VisibilityTest,
  { mayAssume = false, seesAll = false }: OpenFrom,
): Promise<CachedHead | undefined> {
  if (!cache || cache.weight === 0) return undefined;
  const isShown = seesAll || !shown ? undefined : await shown;
  const ledgerId = idOf();
  const head = ledgerId === undefined ? undefined : cache.of(ledgerId)?.head;
  if (ledgerId === undefined || !head || isShown?.({ id: ledgerId, key: head.entry.key }) === false) return undefined;
  if (mayAssume && !isShown && !(await shown)) return { ledgerId, head, isAssumed: true };
  const later = await readEntry(table, ledgerId, head.entry.revision + 1);
  return later ? undefined : { ledgerId, head, isAssumed: false };
}

/** The head of a ledger, read; what is known is brought up to it. */
async function readNewestHead({ table, cache }: StoreContext, ledgerId: string): Promise<Head | undefined> {
  const head = await readHead(table, ledgerId);
  if (!head || !cache) return head;
  cache.catchUp(ledgerId, head);
  // What this process followed reaches further back.
  const followed = cache.of(ledgerId)?.head;
  return followed?.entry.revision === head.entry.revision ? followed : head;
}

/** A model that was deleted, at its last revision. */
export async function openDeleted(context: StoreContext, ref: Ref): Promise<View | undefined> {
  const head = ref.scheme === "id" ? await readHead(context.table, ref.value) : undefined;
  if (head?.entry.state !== "deleted") return undefined;
  return { ...createView(context, { ledgerId: ref.value, ...placeIn(head), head }), deleted: true };
}

/** The ledger of tags. It has always been there; before its first commit it is at revision 0. */
export async function openTags(context: StoreContext): Promise<ModelView> {
  const { model, generation } = TAGS;
  const known = await findCachedHead(context, () => model, undefined, {});
  const head = known?.head ?? (await readNewestHead(context, model));
  return createView(context, { ledgerId: model, key: "", generation, head });
}

/** The ledger of accounts, which begins with the first administrator. Nothing of it is kept: some of it is outside its log. */
export async function openIdentity({ table }: StoreContext): Promise<ModelView> {
  const { model, generation } = ACCOUNTS_LEDGER;
  const head = await readHead(table, model);
  return createView({ table }, { ledgerId: model, key: model, generation, head });
}

/** Number of times a key is looked up while its summary and the model's head disagree. */
const MAX_LOOKS = 10;

/** The model of a key, found through its summary, which counts only if the model's head agrees. */
export async function openByKey(
  context: StoreContext,
  { value: key }: Ref,
  shown: VisibilityTest,
  from: OpenFrom,
): Promise<ModelView | undefined> {
  const known = await findCachedHead(context, () => context.cache?.idOf(key), shown, from);
  if (known?.head.entry.key === key && (await shown)?.({ id: known.ledgerId, key }) !== false) {
    return createView(context, { ...known, ...placeIn(known.head), byKey: true });
  }
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const seen = await context.table.get(summaryKey(key));
    const isShown = await shown;
    const isHere = (item: Item): boolean => !isMoved(item) && isShown?.({ id: toSummary(item).id, key }) !== false;
    const summary = seen && isHere(seen) ? seen : await readConfirmedSummary(context, key);
    if (!summary || !isHere(summary)) return undefined;
    const { id } = toSummary(summary);
    const head = await readNewestHead(context, id);
    if (head?.entry.state === "live" && head.entry.key === key) {
      return createView(context, { ledgerId: id, ...placeIn(head), head, byKey: true });
    }
    await context.retryPolicy.pause(looks);
  }
  return undefined;
}

/** Asks once more for a summary that was not there, in a way that waits for a rename under way. */
async function readConfirmedSummary({ table }: StoreContext, key: string): Promise<Item | undefined> {
  return (await table.transactGet([summaryKey(key)]))[0];
}

/** True when no later commit touches anything the answer rests on. */
export async function confirm({ table, cache }: StoreContext, view: ModelView): Promise<boolean> {
  if (view.stale) return false;
  const question = view.reads.getQuestion();
  for (; question; ) {
    const ask = question === "serializable" ? readEntrySerializably : readEntry;
    const next = await ask(table, view.ledgerId, view.revision + 1);
    if (!next) break;
    // Where nobody asked before, there may be many.
    if (view.reads.isAssumed || !(await view.advance(next))) return false;
  }
  const learned = view.learned();
  if (learned) cache?.learn(learned);
  return true;
}

/**
 * Ids of the ledgers that have no commit after the revision they were seen at. A commit that was answered before this
 * call is found; one that is under way may be or not.
 */
export async function findUnmoved(table: RetryingTable, seen: readonly Seen[]): Promise<ReadonlySet<string>> {
  const next = new Map(seen.map(({ ledgerId, revision }) => [logKey(ledgerId, revision + 1).pk, ledgerId]));
  const keys = seen.map(({ ledgerId, revision }) => logKey(ledgerId, revision + 1));
  for (const { pk } of await table.batchGet(keys)) next.delete(pk);
  return new Set(next.values());
}
