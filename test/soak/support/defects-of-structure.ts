import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const actions = suiteIn("test/actions");
const guarantees = suiteIn("test/guarantees");
const domain = suiteIn("test/domain");
const JUDGE = "shared/domain/constraints/judge.ts";
const WRITES = "shared/store/commit/writes.ts";

/** Mistakes in what belongs to an owner, in tags, and in batches. */
export const DEFECTS_OF_STRUCTURE: readonly Defect[] = [
  {
    name: "group-of-a-tag-not-required",
    file: "shared/actions/building/tag-links.ts",
    find: "const requires = [found.tag, found.group].map(",
    replace: "const requires = [found.tag].map(",
    caughtBy: [store("tag-races", "at any moment of marking something with it")],
  },
  {
    name: "sweep-of-what-an-owner-held-not-noted",
    file: WRITES,
    find: "if (!hasDependents) return writes;",
    replace: 'if (!hasDependents || before.kind === "tag_group") return writes;',
    caughtBy: [store("tag-sweep", "those of a group go with the next sweep")],
  },
  {
    name: "business-key-of-a-removed-entity-listed",
    file: "shared/store/read/view-lists.ts",
    find: 'return objects.filter((object) => known.get(ownerHere(object) ?? "") ?? true);',
    replace: "return objects;",
    caughtBy: [actions("business-key", "takes the entity's business keys along")],
  },
  {
    name: "leftover-overwritten-without-its-revision",
    file: WRITES,
    find: "expect: { absentOrEqual: { id: replaces.id, revision: replaces.revision } } } },",
    replace: "expect: ANYTHING } },",
    caughtBy: [guarantees("concurrent-leftovers")],
  },
  {
    name: "rule-of-an-entry-not-asked",
    file: "shared/actions/batch/entries.ts",
    find: "    await asEntry(i, entry, async () => authorize(action, principal));\n",
    replace: "",
    caughtBy: [actions("batch-controls", "each entry by those its own rule lets through")],
  },
  {
    name: "second-change-of-an-object-lost-in-a-batch",
    file: "shared/actions/batch/staged-objects.ts",
    find: "const known = net.get(after.id);\n",
    replace: "const known = net.get(after.id);\n      if (known?.before && known.after) return;\n",
    caughtBy: [actions("batch", "an attribute that is renamed, retyped and described"), store("batch-equals")],
  },
  {
    name: "values-taken-out-of-an-enum-not-seen",
    file: JUDGE,
    find: "const gone = was.values.difference(is.values);",
    replace: "const gone = new Set([...was.values].slice(is.values.size));",
    caughtBy: [domain("constraints-compared", "one value for another")],
  },
  {
    name: "open-end-of-a-range-taken-for-a-closed-one",
    file: JUDGE,
    find: " || (is.at === was.at && is.isOpen)",
    replace: "",
    caughtBy: [domain("constraints-compared", "an end left out")],
  },
];
