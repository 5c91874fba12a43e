import type { IsVisible, OpenOptions, SeenRevision } from "../../actions/contract/store.ts";
import type { Ref } from "../../domain/refs.ts";
import { type Head, readEntry, readEntrySerializably, readHead } from "../log/log.ts";
import { isMoved, toSummary } from "../table/items.ts";
import { ACCOUNTS_LEDGER, logKey, summaryKey, TAGS } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import type { Item } from "../table/table.ts";
import type { CachedLedger } from "./model-cache.ts";
import { ModelView, type StoreContext } from "./view.ts";

/** Lookups of a model while what was read of it disagrees, because it is being changed. */
const MAX_LOOKS = 10;

type VisibilityTest = IsVisible | Promise<IsVisible | undefined> | undefined;

/** Opens the model of an id at its newest revision; undefined if it is missing, deleted or not visible. */
export async function openById(
  context: StoreContext,
  ref: Ref,
  visibility: VisibilityTest,
  from: OpenOptions,
): Promise<ModelView | undefined> {
  const { table } = context;
  const id = ref.value;
  const hit = await findCachedHead(context, ref, visibility, from);
  let head = hit?.head ?? (await readNewestHead(context, id));
  const isShown = await visibility;
  const isVisible = ({ entry }: Head) => isShown?.({ id, key: entry.key }) !== false;
  if (head?.entry.state === "live" && isVisible(head)) return new ModelView(context, { ledgerId: id, ...hit, head });
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    // The summary of a new or undeleted model may become visible before its log, and a caller that saw the summary has to
    // find the model. The same read is made for a model that never existed, is deleted, or is hidden.
    const next = await readEntrySerializably(table, id, (head?.entry.revision ?? 0) + 1);
    const isDeleted = head?.entry.state === "deleted" && isVisible(head);
    if (!next) return from.findsDeleted && isDeleted ? createDeletedView(context, id, head) : undefined;
    head = await readHead(table, id);
    if (head?.entry.state === "live")
      return isVisible(head) ? new ModelView(context, { ledgerId: id, head }) : undefined;
  }
  return undefined;
}

function createDeletedView(context: StoreContext, ledgerId: string, head: Head | undefined): ModelView {
  return new ModelView(context, { ledgerId, head, deleted: true });
}

interface CachedHead {
  readonly ledgerId: string;
  readonly ledger: CachedLedger;
  readonly head: Head;
  readonly isAssumed: boolean;
}

/**
 * Returns the cached head of a live ledger if one read of the log confirms it, or if it may be assumed. For callers
 * with limited visibility the rights are awaited first, so that the work does not reveal what is cached. Nothing is
 * assumed for them, because a key may have changed.
 */
async function findCachedHead(
  { table, cache }: StoreContext,
  { scheme, value }: Pick<Ref, "scheme" | "value">,
  visibility: VisibilityTest,
  { mayAssume = false, seesAll = false }: OpenOptions,
): Promise<CachedHead | undefined> {
  if (!cache || cache.weight === 0) return undefined;
  const isShown = seesAll || !visibility ? undefined : await visibility;
  const ledgerId = scheme === "id" ? value : cache.findId(value);
  const ledger = ledgerId === undefined ? undefined : cache.get(ledgerId);
  const head = ledger?.head;
  if (ledgerId === undefined || !head || isShown?.({ id: ledgerId, key: head.entry.key }) === false) return undefined;
  if (mayAssume && !isShown && !(await visibility)) return { ledgerId, ledger, head, isAssumed: true };
  const nextEntry = await readEntry(table, ledgerId, head.entry.revision + 1);
  return nextEntry ? undefined : { ledgerId, ledger, head, isAssumed: false };
}

async function readNewestHead({ table, cache }: StoreContext, ledgerId: string): Promise<Head | undefined> {
  const head = await readHead(table, ledgerId);
  if (!head || !cache) return head;
  // The entries that this process followed reach further back.
  const cachedHead = cache.catchUp(ledgerId, head)?.head;
  return cachedHead?.entry.revision === head.entry.revision ? cachedHead : head;
}

/** Opens the ledger of tags, at revision 0 before its first commit. */
export async function openTags(context: StoreContext): Promise<ModelView> {
  const { model, generation } = TAGS;
  const hit = await findCachedHead(context, { scheme: "id", value: model }, undefined, {});
  const head = hit?.head ?? (await readNewestHead(context, model));
  return new ModelView(context, { ledgerId: model, key: "", generation, ...hit, head });
}

/** Opens the ledger of accounts. It is never cached, because some data of accounts is outside its log. */
export async function openIdentity({ table }: StoreContext): Promise<ModelView> {
  const { model, generation } = ACCOUNTS_LEDGER;
  const head = await readHead(table, model);
  return new ModelView({ table }, { ledgerId: model, key: model, generation, head });
}

/** Opens the model of a key. The key's summary counts only if the model's head agrees. */
export async function openByKey(
  context: StoreContext,
  ref: Ref,
  visibility: VisibilityTest,
  from: OpenOptions,
): Promise<ModelView | undefined> {
  const key = ref.value;
  const hit = await findCachedHead(context, ref, visibility, from);
  if (hit?.head.entry.key === key && (await visibility)?.({ id: hit.ledgerId, key }) !== false) {
    return new ModelView(context, { ...hit, byKey: true });
  }
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const summaryItem = await context.table.get(summaryKey(key));
    const isShown = await visibility;
    const isHere = (item: Item) => !isMoved(item) && isShown?.({ id: toSummary(item).id, key }) !== false;
    const summary = summaryItem && isHere(summaryItem) ? summaryItem : await readConfirmedSummary(context, key);
    if (!summary || !isHere(summary)) return undefined;
    const { id } = toSummary(summary);
    const head = await readNewestHead(context, id);
    if (head?.entry.state === "live" && head.entry.key === key) {
      return new ModelView(context, { ledgerId: id, head, byKey: true });
    }
    await context.retryPolicy.pause(looks);
  }
  return undefined;
}

async function readConfirmedSummary({ table }: StoreContext, key: string): Promise<Item | undefined> {
  return (await table.transactGet([summaryKey(key)]))[0];
}

/** Returns true if no later commit touches the data. Then caches what was read. */
export async function confirm({ table, cache }: StoreContext, view: ModelView): Promise<boolean> {
  if (view.stale) return false;
  const question = view.reads.getQuestion();
  for (; question; ) {
    const ask = question === "serializable" ? readEntrySerializably : readEntry;
    const next = await ask(table, view.ledgerId, view.revision + 1);
    if (!next) break;
    // The assumed head may be many commits old.
    if (view.reads.isAssumed || !(await view.advance(next))) return false;
  }
  const ledger = view.getReadLedger();
  if (ledger) cache?.learn(ledger);
  return true;
}

/** Returns the ledgers without a later commit. A commit under way may be missed. */
export async function findUnmoved(table: RetryingTable, heads: readonly SeenRevision[]): Promise<ReadonlySet<string>> {
  const next = new Map(heads.map(({ ledgerId, revision }) => [logKey(ledgerId, revision + 1).pk, ledgerId]));
  const keys = heads.map(({ ledgerId, revision }) => logKey(ledgerId, revision + 1));
  for (const { pk } of await table.batchGet(keys)) next.delete(pk);
  return new Set(next.values());
}
