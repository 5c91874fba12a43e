import { KINDS, type KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createKeyTakenProblem } from "../../domain/model/changes.ts";
import { compareByKey, listObjects, removeOrphans, toModelContent } from "../../domain/model/content.ts";
import { type AnyObject, getOwnerId, type Model, type ObjectByKind } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { findOrUndefined } from "../building/reads.ts";
import type { Commit, Past, Store } from "../contract/store.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";
import { createStagedObjects, type StagedObjects } from "./staged-objects.ts";

/** The store and the ledgers of an attempt that a batch reads through; each ledger is confirmed with the answer. */
export interface StagedContext {
  readonly store: Store;
  readonly open: Store["open"];
  readonly tags: () => Promise<ReadView>;
  /** How many entries there are. */
  readonly entries: number;
}

/** The calls of the store that an entry may make. */
export type EntryStore = "open" | "openTags" | "beginModel" | "openPast";

/** The store as the entries of a batch see it: nothing is written before the end. */
export interface StagedStore {
  readonly store: Pick<Store, EntryStore>;
  /** Every ledger that was opened or begun, in that order. */
  readonly ledgers: readonly StagedView[];
  /** The ledger an action sees through a view of this store. */
  findLedger(view: ReadView): StagedView;
  /** Stages what an entry wants written, in every ledger it concerns. */
  stage(main: StagedView, commit: Commit): Promise<void>;
}

/** How many entries of a batch that one transaction cannot hold anyway read a ledger piece by piece. */
const PRELOAD_AFTER = 25;

/** A store with nothing staged yet. */
export function createStagedStore(context: StagedContext): StagedStore {
  const ledgers: StagedView[] = [];
  const byId = (id: string): StagedView | undefined => ledgers.find(({ ledgerId }) => ledgerId === id);
  const add = (base: ReadView, begun: boolean): StagedView => {
    const view = createStagedView(base, begun);
    ledgers.push(view);
    return view;
  };

  let pastReads = 0;
  const asked = new Map<StagedView, number>();
  /** A ledger that many entries concern is read once as a whole. */
  const counted = async (view: StagedView): Promise<StagedView> => {
    const times = (asked.get(view) ?? 0) + 1;
    asked.set(view, times);
    if (times === PRELOAD_AFTER && context.entries > LIMITS.transactionItems && !view.begun) await view.preload();
    return view;
  };

  const openOnce: (...named: Parameters<Store["open"]>) => Promise<StagedView> = async (ref, isShown) => {
    const isNamed = (view: StagedView) => (ref.scheme === "id" ? view.ledgerId : view.modelKey) === ref.value;
    const known = ledgers.find((view) => isNamed(view) && !isDeleted(view));
    const isHidden = known && (await isShown)?.({ id: known.ledgerId, key: known.modelKey }) === false;
    if (known && !isHidden) return known;
    if (ref.scheme === "id" && byId(ref.value)) throw new Problem("not_found", `no model ${printRef(ref)}`);
    const base = await context.open(ref, isShown);
    const same = byId(base.ledgerId);
    if (!same) return add(base, false);
    // The table still has it under this key, the batch does not.
    if (ref.scheme === "key" || isDeleted(same)) throw new Problem("not_found", `no model ${printRef(ref)}`);
    return same;
  };

  /** The key of a model is unique among all models, those of the batch included. */
  const checkModelKey = async (id: string, key: string, refuse: () => Problem): Promise<void> => {
    const isHolder = (view: StagedView) => view.ledgerId !== id && view.modelKey === key && !isDeleted(view);
    if (ledgers.some(isHolder)) throw refuse();
    const inTable = await findOrUndefined(context.store.open({ scheme: "key", value: key }));
    if (inTable && !byId(inTable.ledgerId)) throw refuse();
  };

  const of = (view: ReadView): StagedView => {
    const known = ledgers.find((one) => one === view);
    if (!known) throw new Error(`the view of ${view.ledgerId} is not of this batch`);
    return known;
  };

  return {
    ledgers,
    findLedger: of,
    store: {
      open: async (...named) => counted(await openOnce(...named)),
      openTags: async () => {
        const base = await context.tags();
        return counted(byId(base.ledgerId) ?? add(base, false));
      },
      openPast: async () => {
        pastReads += 1;
        if (pastReads > LIMITS.batchPastReads) throw createTooMuchPastProblem();
        return createBasePast(await context.store.openPast(), (view) => of(view).base);
      },
      beginModel: (id, key) => add(context.store.beginModel(id, key), true),
    },
    stage: async (main, commit) => {
      for (const part of [{ ...commit, view: main }, ...(commit.alongside ?? [])]) {
        for (const change of part.changes) {
          if (change.does === "delete" || change.after.kind !== "model") continue;
          const { after } = change;
          if (change.does === "update" && change.before.key === after.key) continue;
          await checkModelKey(after.id, after.key, () => createKeyTakenProblem(after));
        }
        await of(part.view).stage(part.changes);
      }
    },
  };
}

function createTooMuchPastProblem(): Problem {
  const most = `${LIMITS.batchPastReads} entries of a batch may read versions, revisions or the history of models`;
  return new Problem("result_too_large", `at most ${most}; ask for the others in another batch`);
}

/** The past of the ledgers in the table: staged changes have no past yet. */
function createBasePast(past: Past, baseOf: (view: ReadView) => ReadView): Past {
  return {
    readBlob: past.readBlob,
    readState: (view, moment) => past.readState(baseOf(view), moment),
    readObjects: (view, moment) => past.readObjects(baseOf(view), moment),
    listReleases: (view, wanted) => past.listReleases(baseOf(view), wanted),
    readCommitFacts: (view, revisions) => past.readCommitFacts(baseOf(view), revisions),
    listCommits: (view, range) => past.listCommits(baseOf(view), range),
  };
}

/** True for a model whose root is gone again; the tags ledger has none. */
export function isDeleted({ staged, ledgerId }: StagedView): boolean {
  return staged.isGone(ledgerId);
}

/** A ledger at one revision with the changes staged so far in a batch: what its next entry sees. */
export interface StagedView extends ReadView {
  /** The ledger without the changes. */
  readonly base: ReadView;
  /** True for a model that begins with the batch. */
  readonly begun: boolean;
  readonly staged: StagedObjects;
  /** Stages changes; `key_taken` where an object would come to a key that another one has. */
  stage(changes: readonly Change[]): Promise<void>;
}

/** A ledger before the first entry; `begun` for a model that is not in the table yet. */
function createStagedView(base: ReadView, begun: boolean): StagedView {
  const staged = createStagedObjects();

  /** An object of the table that no entry before has changed; undefined for one that is changed or gone. */
  const untouched = (object: AnyObject | undefined): AnyObject | undefined =>
    object && !staged.has(object.id) && !staged.isGone(getOwnerId(object)) ? object : undefined;

  /** In the table there is nothing yet of a model that begins, nor of an owner that was made here. */
  const inTable = (owner: string | undefined): boolean => !begun && !(owner !== undefined && staged.isNew(owner));

  const atKey = async (kind: KindName, owner: string | undefined, key: string): Promise<AnyObject | undefined> => {
    const here = staged.findByKey(kind, owner, key);
    if (here || !inTable(owner)) return here;
    return untouched(await base.find(kind, { scheme: "key", value: key }, owner));
  };

  const byId = async (kind: KindName, ref: Ref, owner: string | undefined): Promise<AnyObject | undefined> => {
    if (!staged.has(ref.value)) return inTable(owner) ? untouched(await base.find(kind, ref, owner)) : undefined;
    const here = staged.get(ref.value);
    const isHere = here?.kind === kind && (owner === undefined || !KINDS[kind].owned || getOwnerId(here) === owner);
    return isHere ? here : undefined;
  };

  const find = async (kind: KindName, ref: Ref, owner?: string): Promise<AnyObject | undefined> => {
    if (ref.model !== undefined && ref.model !== base.ledgerId) return undefined;
    if (ref.scheme === "id") return byId(kind, ref, owner);
    if (ref.group === undefined) return atKey(kind, owner, ref.value);
    const group = await atKey("tag_group", undefined, ref.group);
    return group && atKey(kind, group.id, ref.value);
  };

  const list = async (kind: KindName, owner: string | undefined, page: Page): Promise<Rows<AnyObject>> => {
    if (staged.isGone(owner)) return { items: [] };
    const limit = page.limit ?? Number.POSITIVE_INFINITY;
    const here = staged.listKind(kind, owner).filter(({ key }) => page.after === undefined || key > page.after);
    // As many more rows as are staged, so that those hidden here cannot make the page short.
    const more = { ...page, ...(page.limit !== undefined && { limit: page.limit + staged.countObjects() + 1 }) };
    const rows = inTable(owner) ? await base.list(kind, owner, more) : { items: [] };
    const { next } = rows;
    const merged = [
      ...rows.items.filter((object) => untouched(object)),
      ...here.filter(({ key }) => next === undefined || key <= next),
    ].sort(compareByKey);
    const items = merged.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(merged.length > limit && last && { next: last.key }) };
  };

  const merged = (objects: Iterable<AnyObject>): AnyObject[] => [
    ...[...objects].filter((object) => untouched(object)),
    ...staged.listAll(),
  ];

  const checkKey = async (change: Change): Promise<void> => {
    // The key of a model is not unique in the model.
    if (change.does === "delete" || change.after.kind === "model") return;
    const { kind, key, id } = change.after;
    if (change.does === "update" && change.before.key === key) return;
    const holder = await atKey(kind, KINDS[kind].owned ? getOwnerId(change.after) : undefined, key);
    if (holder && holder.id !== id) throw createKeyTakenProblem(change.after);
  };

  return {
    base,
    begun,
    staged,
    ledgerId: base.ledgerId,
    get modelKey() {
      return staged.get(base.ledgerId)?.key ?? base.modelKey;
    },
    get revision() {
      return base.revision + (staged.countObjects() > 0 ? 1 : 0);
    },
    stage: async (changes) => {
      for (const change of changes) {
        await checkKey(change);
        staged.stage(change);
      }
    },
    // The root of a model is a model; the kinds below are those asked for.
    readModel: async () => (staged.get(base.ledgerId) as Model | undefined) ?? base.readModel(),
    find: async <N extends KindName>(kind: N, ref: Ref, owner?: string) =>
      (await find(kind, ref, owner)) as ObjectByKind[N] | undefined,
    list: async <N extends KindName>(kind: N, owner?: string, page: Page = {}) =>
      (await list(kind, owner, page)) as Rows<AnyObject> as Rows<ObjectByKind[N]>,
    findOrphan: async <N extends KindName>(kind: N, key: string) => {
      if (begun || staged.findByKey(kind, undefined, key)) return undefined;
      const left = await base.findOrphan(kind, key);
      if (left) return left;
      const object = await base.find(kind, { scheme: "key", value: key });
      return object && !staged.has(object.id) && staged.isGone(getOwnerId(object)) ? object : undefined;
    },
    readContent: async (lookBack) => {
      const content = toModelContent(merged(begun ? [] : listObjects(await base.readContent(lookBack))));
      if (!content) throw new Problem("not_found", `no model ${base.modelKey}`);
      return content;
    },
    readObjects: async () => removeOrphans(merged(begun ? [] : await base.readObjects())),
    preload: () => base.preload(),
    takeNextOrder: () => base.takeNextOrder(),
  };
}
