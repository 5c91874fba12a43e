import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in reading data that others change at the same time. */
export const READ_DEFECTS: Defects = {
  "head-read-late": {
    planted: [
      "ModelView.find",
      replace(
        at("return", "findObject", { part: "argument" }),
        "await (async () => { const found = $; const [newest] = await readNewestEntries(this.#table, this.ledgerId, 1); this.revision = Math.max(this.revision, newest?.revision ?? 0); return found; })()",
      ),
    ],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "nothing-laid-over-an-object": {
    planted: ["readObject", keep("argument.arguments.0", at("await", "recent"))],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "nothing-laid-over-a-list": {
    planted: ["listObjects", keep("argument.arguments.0", at("await", "readChanges"))],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "nothing-laid-over-an-export": {
    planted: ["ModelView.readEverything", replace(at("call", "applyToAll", { part: "arguments.1" }), "[]")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "ids-looked-up-without-the-newest-commits": {
    planted: ["findSortKey", replace(at("call", "findMovedSortKey", { part: "arguments.1" }), "[]")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "found by its id")],
  },
  "partial-image-laid-over-any-state": {
    planted: ["applyRecentChange", keep("left", at("logical", "id"))],
    caughtBy: [suite("test/store/log/recent-entries.test.ts", "a recent commit")],
  },
  "renamed-object-stays-at-its-old-place": {
    planted: ["applyRecentChange", replace(at("if", "leaves", { part: "test" }), '$ && change.does === "delete"')],
    caughtBy: [suite("test/store/log/recent-entries.test.ts")],
  },
  "nothing-confirmed": {
    planted: ["open.confirm", replace(at("call", "reads"), "undefined")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "confirmed-once-only": {
    planted: ["open.confirm", replace(at("if", "reads"), "$ else return true;")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "absences-not-confirmed": {
    planted: ["createReads.getQuestion", keep("right", at("logical", "absences"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "head-not-checked-against-the-summary": {
    planted: ["openByKey", keep("left", at("logical", "live"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "tombstone-not-looked-at-by-id": {
    planted: ["openById.createView", replace(at("binary", "live"), "!head")],
    caughtBy: [suite("test/actions/model.test.ts", "removes the model by key and by id")],
  },
  "model-that-comes-into-being-not-waited-for": {
    planted: ["openById", replace(at("logical", "table"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "while a model is created")],
  },
  "rename-under-way-not-waited-for": {
    planted: ["openByKey", replace(at("await", "readConfirmedSummary"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "found by one of its keys")],
  },
  "moved-row-not-followed": {
    planted: ["toRow", replace(at("call", "readMovedRow"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "shows it once")],
  },
  "moved-row-treated-as-live": {
    planted: ["toRow", keep("alternate", at("conditional", "revision"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts")],
  },
  "log-read-one-page-far": {
    planted: ["readNewestEntries", replace(at("logical", "length", { part: "right.right" }), "1")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  "absence-decided-on-the-head-alone": {
    planted: ["ModelView.readEntriesFor", replace(at("unary"), "true")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  "administrators-counted-at-the-head-alone": {
    planted: ["checkAdministratorRemains", remove(at("property", "lookBack"))],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "is read as far back for the remaining")],
  },
  "list-ends-early": {
    planted: ["listObjects", replace(at("member", "length", { nth: 1 }), "read.size")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "does not end early")],
  },
  "list-of-models-ends-with-its-first-page": {
    planted: ["listModels", replace(at("binary", "rows"), "false")],
    caughtBy: [suite("test/store/table/short-pages.test.ts", "model_list")],
  },
  "export-ends-with-its-first-page": {
    planted: ["readPartition", replace(at("call", "pk"), "(await table.query({ pk })).items")],
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  "long-read-starts-over-or-tears": {
    planted: ["ModelView.advance", remove(at("if", "all"))],
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  "item-not-read-consistently": {
    planted: ["createReads.get", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "items-not-read-consistently": {
    planted: ["createReads.batchGet", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "page-not-read-consistently": {
    planted: ["toQueryInput", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "names-of-actors-for-everybody": {
    planted: ["findAccountNames", keep("left", at("logical", "admin"))],
    caughtBy: [
      suite("test/actions/expand.test.ts", "have names for administrators only"),
      suite("test/every-action/hidden-models.test.ts", "no read with keys shows anything"),
    ],
  },
  "keys-of-models-for-everybody": {
    planted: ["decideOn", replace(at("property", "open"), "$: context.service.ports(call.deadline).store.open")],
    caughtBy: [suite("test/actions/expand.test.ts", "get the keys of those models that they")],
  },
  "keys-of-attributes-whose-entity-is-gone": {
    planted: ["replaceAttributesByKeys", keep("consequent", at("conditional"))],
    caughtBy: [suite("test/actions/expand.test.ts", "has no keys of deleted objects")],
  },
};
