import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const actions = suiteIn("test/actions");
const every = suiteIn("test/every-action");
/** The simulator finds these within its 500 schedules from seed 1. */
const SCHEDULES = suiteIn("test/simulation")("schedules", "one order of commits");
const COMMIT = "shared/store/commit/commit.ts";
const PLAN = "shared/store/commit/commit-plan.ts";
const WRITES = "shared/store/commit/writes.ts";

/** An object comes to a key, and how it would if nobody asked whether the key is free. */
const ARRIVES = "...arrivalWrites(partition, after, replaces, revision),\n";
const OVER_ANYTHING =
  "{ write: { put: objectItem(partition, after, revision), expect: { absentOrEqual: { v: FORMAT } } }, otherwise: () => keyTaken(after) },\n";

/** Mistakes in what a commit requires, writes and makes of its answer. */
export const DEFECTS_OF_COMMITS: readonly Defect[] = [
  {
    name: "log-without-condition",
    file: "shared/store/commit/transaction.ts",
    find: "{ write: { put: log, expect: { absent: true } } },",
    replace: "{ write: { put: log, expect: { absentOrEqual: { v: 1 } } } },",
    caughtBy: [store("commit-races", "fifty that create entities with different keys")],
  },
  {
    name: "update-without-revision-condition",
    file: WRITES,
    find: "return [{ write: { put: item, expect: asRead(before) } }];",
    replace: "return [{ write: { put: item, expect: { equal: { id: before.id } } } }];",
    caughtBy: [store("stale-reads", "does not take back")],
  },
  {
    name: "delete-without-revision-condition",
    file: WRITES,
    find: "[{ write: { delete: objectKey(partition, before), expect: asRead(before) } }];",
    replace: "[{ write: { delete: objectKey(partition, before), expect: { equal: { id: before.id } } } }];",
    caughtBy: [store("stale-reads", "does not delete it")],
  },
  {
    name: "create-without-absence-condition",
    file: WRITES,
    find: `${ARRIVES}    ...(id`,
    replace: `${OVER_ANYTHING}    ...(id`,
    caughtBy: [SCHEDULES, actions("entity", "that another entity of the model has")],
  },
  {
    name: "rename-without-absence-condition",
    file: WRITES,
    find: `${ARRIVES}    { write: { delete: from`,
    replace: `${OVER_ANYTHING}    { write: { delete: from`,
    caughtBy: [every("update-fields", "given the key of another in the same scope")],
  },
  {
    name: "summary-without-absence-condition",
    file: WRITES,
    find: "expect: NO_SUMMARY }, otherwise: () => keyTaken(object) }",
    replace: "expect: { absentOrEqual: { v: FORMAT } } }, otherwise: () => keyTaken(object) }",
    caughtBy: [actions("model", "given a key that is taken"), SCHEDULES],
  },
  {
    name: "conflict-swallowed",
    file: COMMIT,
    find: 'if (error instanceof Contended) return "contended";',
    replace: "if (error instanceof Contended) return { revision };",
    caughtBy: [SCHEDULES],
  },
  {
    name: "refusal-swallowed",
    file: "shared/store/commit/refusal.ts",
    find: 'if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return "conflict";',
    replace: "if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return { revision };",
    caughtBy: [store("commit-races", "fifty that create entities with different keys")],
  },
  {
    name: "unknown-outcome-counted-as-failure",
    file: COMMIT,
    find: 'return (await import("./outcome-in-log.ts")).outcomeInLog(table, ledger, revision, call);',
    replace: 'return "moved";',
    caughtBy: [store("unknown-outcomes", "applied long after its answer was given up")],
  },
  {
    name: "unknown-outcome-counted-as-success",
    file: COMMIT,
    find: 'return (await import("./outcome-in-log.ts")).outcomeInLog(table, ledger, revision, call);',
    replace: "return { revision };",
    caughtBy: [store("unknown-outcomes", "a write that nobody answers")],
  },
  {
    name: "own-operation-not-recognised",
    file: "shared/store/commit/outcome-in-log.ts",
    find: 'return operation === call.operationId ? { revision } : "conflict";',
    replace: 'return "conflict";',
    caughtBy: [SCHEDULES],
  },
  {
    name: "own-work-taken-for-a-twins",
    file: "shared/store/commit/refusal.ts",
    find: "if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };",
    replace: "",
    caughtBy: [store("repeats", "is no replay")],
  },
  {
    name: "model-deleted-without-tombstone",
    file: PLAN,
    find: 'if (change.does === "delete" && change.before.kind === "model") state = "deleted";',
    replace: "",
    caughtBy: [actions("model", "makes the model unknown")],
  },
  {
    name: "new-key-not-in-the-head",
    file: PLAN,
    find: 'if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;',
    replace: "",
    caughtBy: [actions("model", "model_update_key")],
  },
  {
    name: "id-left-behind",
    file: WRITES,
    find: "if (idItem(partition, before, 0)) {",
    replace: "if (idItem(partition, before, 0) === undefined) {",
    caughtBy: [SCHEDULES],
  },
  {
    name: "id-leads-to-the-old-place",
    file: WRITES,
    find: "...(id ? [{ write: { put: id, expect: { equal: { at: from.sk } } } }] : []),",
    replace: "",
    caughtBy: [SCHEDULES],
  },
  {
    name: "entity-deleted-without-sweep-note",
    file: WRITES,
    find: "  return [...writes, { write: { put: note, expect: ABSENT } }];",
    replace: "  return whole ? [...writes, { write: { put: note, expect: ABSENT } }] : writes;",
    caughtBy: [store("sweep", "of an entity is seen at once")],
  },
  {
    name: "entity-deletion-looks-at-visible-attributes-alone",
    file: "shared/actions/model/entity.ts",
    find: 'view.list("attribute", target.id, lookBack)',
    replace: 'view.list("attribute", target.id)',
    caughtBy: [store("stale-reads", "left to the sweeper")],
  },
  {
    name: "attribute-deleted-but-not-from-the-primary-key",
    file: "shared/actions/model/entity-attribute.ts",
    find: "        ...update(within, { primaryKey: without(within.primaryKey) }),\n",
    replace: "",
    caughtBy: [actions("entity-attribute", "takes the attribute out of the primary key")],
  },
];
