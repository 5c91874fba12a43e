import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in reading data that others change at the same time. */
export const READ_DEFECTS: readonly Defect[] = [
  {
    name: "head-read-late",
    where: "ModelView.find",
    mutation: replace(
      at("return", "findObject", { part: "argument" }),
      "await (async () => { const found = $; const [newest] = await readNewestEntries(this.#table, this.ledgerId, 1); this.revision = Math.max(this.revision, newest?.revision ?? 0); return found; })()",
    ),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "nothing-laid-over-an-object",
    where: "readObject",
    mutation: keep("argument.arguments.0", at("await", "recent")),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  {
    name: "nothing-laid-over-a-list",
    where: "listObjects",
    mutation: keep("argument.arguments.0", at("await", "readChanges")),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  {
    name: "nothing-laid-over-an-export",
    where: "ModelView.readEverything",
    mutation: replace(at("call", "applyToAll", { part: "arguments.1" }), "[]"),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  {
    name: "ids-looked-up-without-the-newest-commits",
    where: "findSortKey",
    mutation: replace(at("call", "findMovedSortKey", { part: "arguments.1" }), "[]"),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "found by its id")],
  },
  {
    name: "partial-image-laid-over-any-state",
    where: "applyRecentChange",
    mutation: keep("left", at("logical", "id")),
    caughtBy: [suite("test/store/log/recent-entries.test.ts", "a recent commit")],
  },
  {
    name: "renamed-object-stays-at-its-old-place",
    where: "applyRecentChange",
    mutation: replace(at("if", "leaves", { part: "test" }), '$ && change.does === "delete"'),
    caughtBy: [suite("test/store/log/recent-entries.test.ts")],
  },
  {
    name: "nothing-confirmed",
    where: "open.confirm",
    mutation: replace(at("call", "reads"), "undefined"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "confirmed-once-only",
    where: "open.confirm",
    mutation: replace(at("if", "reads"), "$ else return true;"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "absences-not-confirmed",
    where: "createReads.getQuestion",
    mutation: keep("right", at("logical", "absences")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "head-not-checked-against-the-summary",
    where: "openByKey",
    mutation: keep("left", at("logical", "live")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "tombstone-not-looked-at-by-id",
    where: "openById.createView",
    mutation: replace(at("binary", "live"), "!head"),
    caughtBy: [suite("test/actions/model.test.ts", "removes the model by key and by id")],
  },
  {
    name: "model-that-comes-into-being-not-waited-for",
    where: "openById",
    mutation: replace(at("logical", "table"), "undefined"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "while a model is created")],
  },
  {
    name: "rename-under-way-not-waited-for",
    where: "openByKey",
    mutation: replace(at("await", "readConfirmedSummary"), "undefined"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "found by one of its keys")],
  },
  {
    name: "moved-row-not-followed",
    where: "toRow",
    mutation: replace(at("call", "readMovedRow"), "undefined"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "shows it once")],
  },
  {
    name: "moved-row-treated-as-live",
    where: "toRow",
    mutation: keep("alternate", at("conditional", "revision")),
    caughtBy: [suite("test/store/read/former-keys.test.ts")],
  },
  {
    name: "log-read-one-page-far",
    where: "readNewestEntries",
    mutation: replace(at("logical", "length", { part: "right.right" }), "1"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  {
    name: "absence-decided-on-the-head-alone",
    where: "ModelView.readEntriesFor",
    mutation: replace(at("unary"), "true"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  {
    name: "administrators-counted-at-the-head-alone",
    where: "checkAdministratorRemains",
    mutation: remove(at("property", "lookBack")),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "is read as far back for the remaining")],
  },
  {
    name: "list-ends-early",
    where: "listObjects",
    mutation: replace(at("member", "length", { nth: 1 }), "read.size"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "does not end early")],
  },
  {
    name: "list-of-models-ends-with-its-first-page",
    where: "listModels",
    mutation: replace(at("binary", "rows"), "false"),
    caughtBy: [suite("test/store/table/short-pages.test.ts", "model_list")],
  },
  {
    name: "export-ends-with-its-first-page",
    where: "readPartition",
    mutation: replace(at("call", "pk"), "(await table.query({ pk })).items"),
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  {
    name: "long-read-starts-over-or-tears",
    where: "ModelView.advance",
    mutation: remove(at("if", "all")),
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  {
    name: "item-not-read-consistently",
    where: "createReads.get",
    mutation: remove(at("property", "ConsistentRead")),
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  {
    name: "items-not-read-consistently",
    where: "createReads.batchGet",
    mutation: remove(at("property", "ConsistentRead")),
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  {
    name: "page-not-read-consistently",
    where: "toQueryInput",
    mutation: remove(at("property", "ConsistentRead")),
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  {
    name: "names-of-actors-for-everybody",
    where: "findAccountNames",
    mutation: keep("left", at("logical", "admin")),
    caughtBy: [
      suite("test/actions/expand.test.ts", "have names for administrators only"),
      suite("test/every-action/hidden-models.test.ts", "no read with keys shows anything"),
    ],
  },
  {
    name: "keys-of-models-for-everybody",
    where: "decideOn",
    mutation: replace(at("property", "open"), "$: context.service.ports(call.deadline).store.open"),
    caughtBy: [suite("test/actions/expand.test.ts", "get the keys of those models that they")],
  },
  {
    name: "keys-of-attributes-whose-entity-is-gone",
    where: "replaceAttributesByKeys",
    mutation: keep("consequent", at("conditional")),
    caughtBy: [suite("test/actions/expand.test.ts", "has no keys of deleted objects")],
  },
];
