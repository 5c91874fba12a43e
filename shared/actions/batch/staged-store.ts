import { KINDS, type KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createKeyTakenProblem } from "../../domain/model/changes.ts";
import { compareByKey, listObjects, removeOrphans, toModelContent } from "../../domain/model/content.ts";
import { type AnyObject, getOwnerId, type Model, type ObjectByKind } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { createNoModelProblem, type Ref } from "../../domain/refs.ts";
import { findOrUndefined } from "../building/reads.ts";
import type { Commit, Past, Store } from "../contract/store.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";
import { StagedObjects } from "./staged-objects.ts";

/** The store and the ledgers of an attempt that a batch reads. */
export interface StagedContext {
  readonly store: Store;
  readonly open: Store["open"];
  readonly tags: () => Promise<ReadView>;
  readonly entries: number;
}

/** The methods of the store that an entry may call. */
export type EntryStore = "open" | "openTags" | "beginModel" | "openPast";

/** The store that the entries of a batch use. Writes nothing. */
export interface StagedStore {
  readonly store: Pick<Store, EntryStore>;
  readonly ledgers: readonly StagedView[];
  findLedger(view: ReadView): StagedView;
  /** Stages the changes of an entry in every ledger they concern. Throws `key_taken`. */
  stage(main: StagedView, commit: Commit): Promise<void>;
}

/** A large batch reads a ledger as a whole once this many of its entries use the ledger. */
const PRELOAD_AFTER = 25;

/** Creates a store without staged changes. */
export function createStagedStore(context: StagedContext): StagedStore {
  const ledgers: StagedView[] = [];
  const findById = (id: string) => ledgers.find(({ ledgerId }) => ledgerId === id);
  const addLedger = (base: ReadView, isNew: boolean) => {
    const view = createStagedView(base, isNew);
    ledgers.push(view);
    return view;
  };

  let pastReads = 0;
  const uses = new Map<StagedView, number>();
  const countUse = async (view: StagedView) => {
    const times = (uses.get(view) ?? 0) + 1;
    uses.set(view, times);
    if (times === PRELOAD_AFTER && context.entries > LIMITS.transactionItems && !view.begun) await view.preload();
    return view;
  };

  const openOnce: (...args: Parameters<Store["open"]>) => Promise<StagedView> = async (ref, isShown) => {
    const isNamed = (view: StagedView) => (ref.scheme === "id" ? view.ledgerId : view.modelKey) === ref.value;
    const match = ledgers.find((view) => isNamed(view) && !isDeleted(view));
    const isHidden = match && (await isShown)?.({ id: match.ledgerId, key: match.modelKey }) === false;
    if (match && !isHidden) return match;
    if (ref.scheme === "id" && findById(ref.value)) throw createNoModelProblem(ref);
    const base = await context.open(ref, isShown);
    const stagedView = findById(base.ledgerId);
    if (!stagedView) return addLedger(base, false);
    // The table still has the model under this key, but the batch changed the key or deleted the model.
    if (ref.scheme === "key" || isDeleted(stagedView)) throw createNoModelProblem(ref);
    return stagedView;
  };

  /** Throws the problem unless the key is unique among all models, including those of the batch. */
  const checkModelKey = async (id: string, key: string, createProblem: () => Problem) => {
    const isHolder = (view: StagedView) => view.ledgerId !== id && view.modelKey === key && !isDeleted(view);
    if (ledgers.some(isHolder)) throw createProblem();
    const existing = await findOrUndefined(context.store.open({ scheme: "key", value: key }));
    if (existing && !findById(existing.ledgerId)) throw createProblem();
  };

  const findLedger = (view: ReadView) => {
    const match = ledgers.find((one) => one === view);
    if (!match) throw new Error(`The view of ${view.ledgerId} does not belong to this batch`);
    return match;
  };

  return {
    ledgers,
    findLedger,
    store: {
      open: async (...args) => countUse(await openOnce(...args)),
      openTags: async () => {
        const base = await context.tags();
        return countUse(findById(base.ledgerId) ?? addLedger(base, false));
      },
      openPast: async () => {
        pastReads += 1;
        if (pastReads > LIMITS.batchPastReads) throw createTooMuchPastProblem();
        return createBasePast(await context.store.openPast(), (view) => findLedger(view).base);
      },
      beginModel: (id, key) => addLedger(context.store.beginModel(id, key), true),
    },
    stage: async (main, commit) => {
      for (const part of [{ ...commit, view: main }, ...(commit.alongside ?? [])]) {
        for (const change of part.changes) {
          if (change.does === "delete" || change.after.kind !== "model") continue;
          const { after } = change;
          if (change.does === "update" && change.before.key === after.key) continue;
          await checkModelKey(after.id, after.key, () => createKeyTakenProblem(after));
        }
        await findLedger(part.view).stage(part.changes);
      }
    },
  };
}

function createTooMuchPastProblem(): Problem {
  const detail = `At most ${LIMITS.batchPastReads} entries of a batch may read versions, revisions or the history of models; send the others in another batch`;
  return new Problem("result_too_large", detail);
}

function createBasePast(past: Past, getBase: (view: ReadView) => ReadView): Past {
  return {
    readBlob: past.readBlob,
    readState: (view, point) => past.readState(getBase(view), point),
    readObjects: (view, point) => past.readObjects(getBase(view), point),
    listReleases: (view, version) => past.listReleases(getBase(view), version),
    readCommitFacts: (view, revisions) => past.readCommitFacts(getBase(view), revisions),
    readStanding: (view, revisions) => past.readStanding(getBase(view), revisions),
    listCommits: (view, range) => past.listCommits(getBase(view), range),
    listEdits: (view, from) => past.listEdits(getBase(view), from),
    findRequest: (view, requestId) => past.findRequest(getBase(view), requestId),
    findRun: (view, run) => past.findRun(getBase(view), run),
  };
}

/** Returns true for a model that the batch deleted. */
export function isDeleted({ delta, ledgerId }: StagedView): boolean {
  return delta.isGone(ledgerId);
}

/** A ledger at one revision with the changes staged so far. */
export interface StagedView extends ReadView {
  readonly base: ReadView;
  readonly begun: boolean;
  readonly delta: StagedObjects;
  stage(changes: readonly Change[]): Promise<void>;
}

function createStagedView(base: ReadView, isNew: boolean): StagedView {
  const delta = new StagedObjects();

  const keepUnchanged = (object: AnyObject | undefined) =>
    object && !delta.has(object.id) && !delta.isGone(getOwnerId(object)) ? object : undefined;

  const mayBeInTable = (owner: string | undefined) => !isNew && !(owner !== undefined && delta.isNew(owner));

  const findByKey = async (kind: KindName, owner: string | undefined, key: string): Promise<AnyObject | undefined> => {
    const object = delta.findByKey(kind, owner, key);
    if (object || !mayBeInTable(owner)) return object;
    return keepUnchanged(await base.find(kind, { scheme: "key", value: key }, owner));
  };

  const findById = async (kind: KindName, ref: Ref, owner: string | undefined) => {
    if (!delta.has(ref.value))
      return mayBeInTable(owner) ? keepUnchanged(await base.find(kind, ref, owner)) : undefined;
    const object = delta.get(ref.value);
    const matches =
      object?.kind === kind && (owner === undefined || !KINDS[kind].owned || getOwnerId(object) === owner);
    return matches ? object : undefined;
  };

  const find = async (kind: KindName, ref: Ref, owner?: string) => {
    if (ref.model !== undefined && ref.model !== base.ledgerId) return undefined;
    if (ref.scheme === "id") return findById(kind, ref, owner);
    if (ref.group === undefined) return findByKey(kind, owner, ref.value);
    const group = await findByKey("tag_group", undefined, ref.group);
    return group && findByKey(kind, group.id, ref.value);
  };

  const list = async (kind: KindName, owner: string | undefined, page: Page): Promise<Rows<AnyObject>> => {
    if (delta.isGone(owner)) return { items: [] };
    const limit = page.limit ?? Number.POSITIVE_INFINITY;
    const objects = delta.listKind(kind, owner).filter(({ key }) => page.after === undefined || key > page.after);
    // Reads as many additional rows as are staged, so that hidden rows cannot make the page too short.
    const longerPage = { ...page, ...(page.limit !== undefined && { limit: page.limit + delta.countObjects() + 1 }) };
    const rows = mayBeInTable(owner) ? await base.list(kind, owner, longerPage) : { items: [] };
    const { next } = rows;
    const union = [
      ...rows.items.filter((object) => keepUnchanged(object)),
      ...objects.filter(({ key }) => next === undefined || key <= next),
    ].sort(compareByKey);
    const items = union.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(union.length > limit && last && { next: last.key }) };
  };

  const merge = (objects: Iterable<AnyObject>): AnyObject[] => [
    ...[...objects].filter((object) => keepUnchanged(object)),
    ...delta.listAll(),
  ];

  const checkKey = async (change: Change) => {
    // The key of a model is unique among models: `checkModelKey` checks it.
    if (change.does === "delete" || change.after.kind === "model") return;
    const { kind, key, id } = change.after;
    if (change.does === "update" && change.before.key === key) return;
    const holder = await findByKey(kind, KINDS[kind].owned ? getOwnerId(change.after) : undefined, key);
    if (holder && holder.id !== id) throw createKeyTakenProblem(change.after);
  };

  return {
    base,
    begun: isNew,
    delta,
    ledgerId: base.ledgerId,
    get modelKey() {
      return delta.get(base.ledgerId)?.key ?? base.modelKey;
    },
    get revision() {
      return base.revision + (delta.countObjects() > 0 ? 1 : 0);
    },
    stage: async (changes) => {
      for (const change of changes) {
        await checkKey(change);
        delta.stage(change);
      }
    },
    // The root of a model is a model, and the methods below return objects of the requested kind.
    readModel: async () => (delta.get(base.ledgerId) as Model | undefined) ?? base.readModel(),
    find: async <N extends KindName>(kind: N, ref: Ref, owner?: string) =>
      (await find(kind, ref, owner)) as ObjectByKind[N] | undefined,
    list: async <N extends KindName>(kind: N, owner?: string, page: Page = {}) =>
      (await list(kind, owner, page)) as Rows<AnyObject> as Rows<ObjectByKind[N]>,
    findOrphan: async <N extends KindName>(kind: N, key: string) => {
      if (isNew || delta.findByKey(kind, undefined, key)) return undefined;
      const orphan = await base.findOrphan(kind, key);
      if (orphan) return orphan;
      const object = await base.find(kind, { scheme: "key", value: key });
      return object && !delta.has(object.id) && delta.isGone(getOwnerId(object)) ? object : undefined;
    },
    readContent: async (lookBack) => {
      const content = toModelContent(merge(isNew ? [] : listObjects(await base.readContent(lookBack))));
      if (!content) throw new Problem("not_found", `no model ${base.modelKey}`);
      return content;
    },
    readObjects: async () => removeOrphans(merge(isNew ? [] : await base.readObjects())),
    preload: () => base.preload(),
    takeNextOrder: () => base.takeNextOrder(),
  };
}
