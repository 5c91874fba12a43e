import type { Ambient } from "../actions/contract/call.ts";
import type { Store } from "../actions/contract/store.ts";
import type { View } from "../actions/contract/view.ts";
import type { Change } from "../domain/change.ts";
import { Problem } from "../domain/problems.ts";
import { printRef } from "../domain/refs.ts";
import { commitInOneTransaction } from "./commit/commit.ts";
import { keepRecord, recordOf } from "./commit/records.ts";
import { operationAt } from "./log/head.ts";
import type { Publisher } from "./publish/publish.ts";
import { confirm, openById, openByKey, openDeleted, openIdentity, openTags } from "./read/open.ts";
import type { StoreContext } from "./read/store-context.ts";
import { listModels } from "./read/summaries.ts";
import { createView, type ModelView } from "./read/view.ts";
import { recordKey } from "./table/keys.ts";
import { createRetryPolicy, type RetryBudget, retryingTable } from "./table/retry.ts";
import type { Table } from "./table/table.ts";

/** The store of models over one table, for one call; `budget` is that of the process. */
export function createStore(plainTable: Table, ambient: Ambient, budget?: RetryBudget): Store {
  const retryPolicy = createRetryPolicy(ambient, budget);
  const table = retryingTable(plainTable, retryPolicy);
  const context: StoreContext = { table, ambient, retryPolicy };
  // Few calls write a whole model, so the code is loaded when it is asked for.
  let loading: Promise<Publisher> | undefined;
  const publisher = (): Promise<Publisher> => {
    loading ??= import("./publish/publish.ts").then(({ createPublisher }) => createPublisher(context));
    return loading;
  };
  return {
    open: async (ref, isShown) => {
      const view = await (ref.scheme === "id" ? openById : openByKey)(context, ref, isShown);
      if (view) return view;
      throw new Problem("not_found", `no model ${printRef(ref)}`);
    },
    openDeleted: (ref) => openDeleted(context, ref),
    // Few calls look back, so the code is loaded when it is asked for.
    past: async () => (await import("./read/past.ts")).createPast(table),
    tags: () => openTags(context),
    identity: () => openIdentity(context),
    begin: (id, key) => createView(table, id, key, ambient.newId(), undefined, false),
    confirm: (view) => confirm(context, own(view)),
    // Searches alone ask it, so the code is loaded when it is asked for.
    unmoved: async (seen) => (await import("./read/unmoved.ts")).unmovedOf(table, seen),
    commit: async (view, commit, call) => {
      const mine = own(view);
      if (mine.stale) return "conflict";
      return (
        (await commitInOneTransaction(context, mine, commit, call)) ?? (await publisher()).publish(mine, commit, call)
      );
    },
    giveUp: async () => (await loading)?.closeAll(),
    listed: async (commit) => {
      const parts = [commit, ...(commit.alongside ?? [])];
      // Few commits change a row of the list, so the code is loaded for them alone.
      if (parts.some(({ changes }) => changes.some(isOfModel)))
        await (await import("./commit/listed.ts")).untilListed(table, parts);
    },
    rehearse: async (view, commit, call) => {
      const { rehearse } = await import("./commit/rehearse.ts");
      await rehearse(context, own(view), commit, call, async (whole) =>
        (await publisher()).rehearse(own(view), whole, call),
      );
    },
    // After a failed precondition alone.
    since: async (view, revision) =>
      (await import("./log/commit-notes.ts")).commitNotes(table, own(view).ledgerId, revision, view.revision),
    operationAt: (ledgerId, revision) => operationAt(table, ledgerId, revision),
    getRecord: async (id) => recordOf(table, await table.get(recordKey(id)), id, seconds(ambient)),
    putRecord: (record) => keepRecord(table, record, seconds(ambient)),
    models: (page = {}) => listModels(context, page),
  };
}

function seconds(ambient: Ambient): number {
  return Math.floor(ambient.now() / 1000);
}

/** True for a change of a model itself. */
function isOfModel(change: Change): boolean {
  return (change.does === "delete" ? change.before : change.after).kind === "model";
}

/** A view as this store made it: callers hand back only those. */
function own(view: View): ModelView {
  return view as ModelView;
}
