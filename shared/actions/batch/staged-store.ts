import { keyTaken } from "../../domain/key-taken.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef } from "../../domain/refs.ts";
import { ifFound } from "../building/if-found.ts";
import type { Past } from "../contract/past.ts";
import type { Commit, Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { createStagedView, type StagedView } from "./staged-view.ts";

/** The store and the ledgers of an attempt that a batch reads through; each ledger is confirmed with the answer. */
export interface StagedContext {
  readonly store: Store;
  readonly open: Store["open"];
  readonly tags: () => Promise<View>;
  /** How many entries there are. */
  readonly entries: number;
}

/** The calls of the store that an entry may make. */
export type EntryStore = "open" | "tags" | "begin" | "past";

/** The store as the entries of a batch see it: nothing is written before the end. */
export interface StagedStore {
  readonly store: Pick<Store, EntryStore>;
  /** Every ledger that was opened or begun, in that order. */
  readonly ledgers: readonly StagedView[];
  /** The ledger an action sees through a view of this store. */
  of(view: View): StagedView;
  /** Stages what an entry wants written, in every ledger it concerns. */
  stage(main: StagedView, commit: Commit): Promise<void>;
}

/** How many entries of a batch that one transaction cannot hold anyway read a ledger piece by piece. */
const OFTEN = 25;

/** A store with nothing staged yet. */
export function createStagedStore(context: StagedContext): StagedStore {
  const ledgers: StagedView[] = [];
  const byId = (id: string): StagedView | undefined => ledgers.find(({ ledgerId }) => ledgerId === id);
  const add = (base: View, begun: boolean): StagedView => {
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
    if (times === OFTEN && context.entries > LIMITS.transactionItems && !view.begun) await view.preload();
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
    const inTable = await ifFound(context.store.open({ scheme: "key", value: key }));
    if (inTable && !byId(inTable.ledgerId)) throw refuse();
  };

  const of = (view: View): StagedView => {
    const known = ledgers.find((one) => one === view);
    if (!known) throw new Error(`the view of ${view.ledgerId} is not of this batch`);
    return known;
  };

  return {
    ledgers,
    of,
    store: {
      open: async (...named) => counted(await openOnce(...named)),
      tags: async () => {
        const base = await context.tags();
        return counted(byId(base.ledgerId) ?? add(base, false));
      },
      past: async () => {
        pastReads += 1;
        if (pastReads > LIMITS.batchPastReads) throw tooMuchPast();
        return pastOfBases(await context.store.past(), (view) => of(view).base);
      },
      begin: (id, key) => add(context.store.begin(id, key), true),
    },
    stage: async (main, commit) => {
      for (const part of [{ ...commit, view: main }, ...(commit.alongside ?? [])]) {
        for (const change of part.changes) {
          if (change.does === "delete" || change.after.kind !== "model") continue;
          const { after } = change;
          if (change.does === "update" && change.before.key === after.key) continue;
          await checkModelKey(after.id, after.key, () => keyTaken(after));
        }
        await of(part.view).stage(part.changes);
      }
    },
  };
}

function tooMuchPast(): Problem {
  const most = `${LIMITS.batchPastReads} entries of a batch may read versions, revisions or the history of models`;
  return new Problem("result_too_large", `at most ${most}; ask for the others in another batch`);
}

/** The past of the ledgers in the table: staged changes have no past yet. */
function pastOfBases(past: Past, baseOf: (view: View) => View): Past {
  return {
    blob: past.blob,
    state: (view, moment) => past.state(baseOf(view), moment),
    objects: (view, moment) => past.objects(baseOf(view), moment),
    releases: (view, wanted) => past.releases(baseOf(view), wanted),
    facts: (view, revisions) => past.facts(baseOf(view), revisions),
    commits: (view, range) => past.commits(baseOf(view), range),
  };
}

/** True for a model whose root is gone again; the tags ledger has none. */
export function isDeleted({ staged, ledgerId }: StagedView): boolean {
  return staged.isGone(ledgerId);
}
