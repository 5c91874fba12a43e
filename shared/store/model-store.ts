import type { Runtime } from "../actions/contract/call.ts";
import type { Store } from "../actions/contract/store.ts";
import type { ModelContent } from "../domain/model/content.ts";
import { createNoModelProblem } from "../domain/refs.ts";
import { commitInOneTransaction, preview, waitUntilListed } from "./commit/commit.ts";
import { putRecord, readRecord } from "./commit/records.ts";
import { readOperation } from "./log/log.ts";
import type { Publisher } from "./publish/publish.ts";
import type { ModelCache } from "./read/model-cache.ts";
import { confirm, findUnmoved, openById, openByKey, openIdentity, openTags } from "./read/open.ts";
import { listDeletedModels, listModels } from "./read/summaries.ts";
import type { StoreContext } from "./read/view.ts";
import { ModelView } from "./read/view.ts";
import { recordKey } from "./table/keys.ts";
import { createRetryingTable, createRetryPolicy, type RetryPolicy } from "./table/retry.ts";
import type { Table } from "./table/table.ts";

/** State shared by the calls of one process, and what watches one call. */
export interface SharedState {
  readonly retryPolicy?: RetryPolicy;
  /** Without a cache each call reads everything from the table. */
  readonly cache?: ModelCache;
  /** Called with the content of each model that is read whole. It may throw. */
  readonly noteContent?: (content: ModelContent) => void;
}

/** Loads the reader of past states, which few calls need. */
const loadPast = () => import("./read/past.ts");

/** Creates the store of models over one table, for one call. */
export function createStore(
  plainTable: Table,
  runtime: Runtime,
  { retryPolicy = createRetryPolicy(runtime), cache, noteContent }: SharedState = {},
): Store {
  const table = createRetryingTable(plainTable, retryPolicy);
  const context: { -readonly [name in keyof StoreContext]: StoreContext[name] } = {
    table,
    runtime,
    retryPolicy,
    cache,
    noteContent,
  };
  /** Reads after a refused commit, and clears a cached state that others would be refused with. */
  const noteConflict = ({ ledgerId, revision }: ModelView) => {
    context.cache = undefined;
    if (cache?.get(ledgerId)?.head.entry.revision === revision) cache.forget(ledgerId);
  };
  // Few calls write a whole model, so the code is loaded lazily.
  let loading: Promise<Publisher> | undefined;
  const publisher = () => {
    loading ??= import("./publish/publish.ts").then(({ createPublisher }) => createPublisher(context));
    return loading;
  };
  const publish: Publisher["publish"] = async (view, commit, call) => {
    // A generation is written only for a state that is confirmed to be the newest.
    if (view.reads.isAssumed && !(await confirm(context, view))) return "conflict";
    const outcome = await (await publisher()).publish(view, commit, call);
    if (typeof outcome === "object" && "revision" in outcome) cache?.forget(view.ledgerId);
    return outcome;
  };
  return {
    open: async (ref, isShown, from = {}) => {
      const view = await (ref.scheme === "id" ? openById : openByKey)(context, ref, isShown, from);
      if (view) return view;
      throw createNoModelProblem(ref);
    },
    openPast: async () => (await loadPast()).createPast(table, noteContent),
    openTags: () => openTags(context),
    openIdentity: () => openIdentity(context),
    beginModel: (id, key) => new ModelView(context, { ledgerId: id, key, generation: runtime.newId() }),
    beginAgain: (view) => {
      const { ledgerId, head } = view as ModelView;
      return new ModelView(context, { ledgerId, head, generation: runtime.newId(), beginsAgain: true });
    },
    confirm: (view) => confirm(context, view as ModelView),
    listUnchanged: (revisions) => findUnmoved(table, revisions),
    commit: async (view, commit, call) => {
      // Callers pass only views that a store created.
      const modelView = view as ModelView;
      if (modelView.stale) return "conflict";
      const outcome =
        (await commitInOneTransaction(context, modelView, commit, call)) ?? (await publish(modelView, commit, call));
      if (outcome === "conflict") noteConflict(modelView);
      return outcome;
    },
    revoke: async (view) => (await (await loading)?.revoke(view as ModelView)) ?? false,
    abandon: async () => (await loading)?.closeAll(),
    waitUntilListed: (commit) => waitUntilListed(table, commit),
    preview: (view, commit, call) =>
      preview(context, view as ModelView, commit, call, async () =>
        (await publisher()).preview(view as ModelView, commit, call),
      ),
    listCommitsSince: async (view, revision) =>
      (await loadPast()).readCommitNotes(table, (view as ModelView).ledgerId, revision, view.revision),
    findOperation: (ledgerId, revision) => readOperation(table, ledgerId, revision),
    getRecord: async (id) => readRecord(table, await table.get(recordKey(id)), id, seconds(runtime)),
    putRecord: (record) => putRecord(table, record, seconds(runtime)),
    listModels: (page = {}) => listModels(context, page),
    listDeletedModels: (page) => listDeletedModels(table, page),
  };
}

function seconds(runtime: Runtime) {
  return Math.floor(runtime.now() / 1000);
}
