import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const actions = suiteIn("test/actions");
const COMMIT = "shared/store/commit.ts";
const WRITES = "shared/store/writes.ts";

/** Mistakes in what a commit requires, writes and makes of its answer. */
export const DEFECTS_OF_COMMITS: readonly Defect[] = [
  {
    name: "log-without-condition",
    file: COMMIT,
    find: "{ write: { put: log, expect: { absent: true } } },",
    replace: "{ write: { put: log, expect: { absentOrEqual: { v: 1 } } } },",
    caughtBy: [store("commit-races", "fifty that create entities with different keys")],
  },
  {
    name: "update-without-revision-condition",
    file: WRITES,
    find: "const asRead = { equal: { id: before.id, revision: before.revision } };\n  const from",
    replace: "const asRead = { equal: { id: before.id } };\n  const from",
    caughtBy: [store("stale-reads", "does not take back")],
  },
  {
    name: "delete-without-revision-condition",
    file: WRITES,
    find: "const asRead = { equal: { id: before.id, revision: before.revision } };\n  const writes",
    replace: "const asRead = { equal: { id: before.id } };\n  const writes",
    caughtBy: [store("stale-reads", "does not delete it")],
  },
  {
    name: "create-without-absence-condition",
    file: WRITES,
    find: "{ write: { put: item, expect: ABSENT }, otherwise: keyTaken(object) },",
    replace: "{ write: { put: item, expect: { absentOrEqual: { v: FORMAT } } }, otherwise: keyTaken(object) },",
    caughtBy: [
      store("commit-races", "one key one succeeds"),
      actions("entity", "that another entity of the model has"),
    ],
  },
  {
    name: "rename-without-absence-condition",
    file: WRITES,
    find: "{ write: { put: item, expect: ABSENT }, otherwise: keyTaken(after) },",
    replace: "{ write: { put: item, expect: { absentOrEqual: { v: FORMAT } } }, otherwise: keyTaken(after) },",
    caughtBy: [actions("update-fields")],
  },
  {
    name: "summary-without-absence-condition",
    file: WRITES,
    find: "expect: NO_SUMMARY }, otherwise: keyTaken(object) }",
    replace: "expect: { absentOrEqual: { v: FORMAT } } }, otherwise: keyTaken(object) }",
    caughtBy: [actions("model", "given a key that is taken"), store("commit-races", "create a model with one key")],
  },
  {
    name: "conflict-swallowed",
    file: COMMIT,
    find: 'return error.throttled ? "throttled" : "moved";',
    replace: 'return error.throttled ? "throttled" : { revision };',
    caughtBy: [store("unknown-outcomes")],
  },
  {
    name: "refusal-swallowed",
    file: COMMIT,
    find: 'if (error.failed[0]) return "moved";',
    replace: "if (error.failed[0]) return { revision };",
    caughtBy: [store("commit-races", "fifty that create entities with different keys")],
  },
  {
    name: "unknown-outcome-counted-as-failure",
    file: COMMIT,
    find: "return outcomeInLog(seam, ledger, revision, call);",
    replace: 'return "moved";',
    caughtBy: [store("unknown-outcomes", "applied long after its answer was given up")],
  },
  {
    name: "unknown-outcome-counted-as-success",
    file: COMMIT,
    find: "return outcomeInLog(seam, ledger, revision, call);",
    replace: "return { revision };",
    caughtBy: [store("unknown-outcomes", "a write that nobody answers")],
  },
  {
    name: "own-operation-not-recognised",
    file: COMMIT,
    find: 'return item.operation === call.operationId ? { revision } : "moved";',
    replace: 'return "moved";',
    caughtBy: [store("unknown-outcomes", "entity_delete has exactly one effect")],
  },
  {
    name: "own-work-taken-for-a-twins",
    file: COMMIT,
    find: "if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };",
    replace: "",
    caughtBy: [store("repeats", "is no replay")],
  },
  {
    name: "model-deleted-without-tombstone",
    file: COMMIT,
    find: 'if (change.does === "delete" && change.before.kind === "model") state = "deleted";',
    replace: "",
    caughtBy: [actions("model", "makes the model unknown")],
  },
  {
    name: "new-key-not-in-the-head",
    file: COMMIT,
    find: 'if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;',
    replace: "",
    caughtBy: [actions("model", "model_update_key")],
  },
  {
    name: "id-left-behind",
    file: WRITES,
    find: "if (idItem(place, before, 0)) {",
    replace: "if (idItem(place, before, 0) === undefined) {",
    caughtBy: [store("commit-races", "rename and delete one object")],
  },
  {
    name: "id-leads-to-the-old-place",
    file: WRITES,
    find: "...(id ? [{ write: { put: id, expect: { equal: { at: from.sk } } } }] : []),",
    replace: "",
    caughtBy: [store("commit-races", "rename and delete one object")],
  },
  {
    name: "entity-deleted-without-sweep-note",
    file: WRITES,
    find: "  if (owns) {\n",
    replace: '  if (owns && before.kind === "model") {\n',
    caughtBy: [store("sweep", "of an entity is seen at once")],
  },
  {
    name: "entity-deletion-looks-at-visible-attributes-alone",
    file: "shared/actions/model/entity.ts",
    find: 'view.list("attribute", target.id, { limit: 1, scan: true })',
    replace: 'view.list("attribute", target.id, { limit: 1 })',
    caughtBy: [store("stale-reads", "left to the sweeper")],
  },
  {
    name: "attribute-deleted-but-not-from-the-primary-key",
    file: "shared/actions/model/entity-attribute.ts",
    find: "changes: [remove(target, false), ...update(within, { primaryKey })]",
    replace: "changes: [remove(target, false)]",
    caughtBy: [actions("entity-attribute", "takes the attribute out of the primary key")],
  },
];
