import { type Defect, type Suite, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const actions = suiteIn("test/actions");
const everyAction = suiteIn("test/every-action");
const VIEW = "shared/store/read/view.ts";
const POINTS = "shared/store/read/view-points.ts";
const LISTS = "shared/store/read/view-lists.ts";
const DYNAMO = "shared/store/table/dynamo.ts";
/** The storage interface on every kind of table: those that DynamoDB answers cost half where a read is not consistent. */
const CONFORMANCE: Suite = { file: "test/conformance/conformance.test.ts" };
const SUMMARIES = "shared/store/read/summaries.ts";

/** Mistakes in reading what others change meanwhile. */
export const DEFECTS_OF_READING: readonly Defect[] = [
  {
    name: "head-read-late",
    file: VIEW,
    find: "(kind: N, ref: Ref, owner?: string) =>\n      (await findObject(context, kind, ref, owner)) as ObjectByKind[N] | undefined,",
    replace: [
      "(kind: N, ref: Ref, owner?: string) => {",
      "      const found = (await findObject(context, kind, ref, owner)) as ObjectByKind[N] | undefined;",
      "      const [newest] = await newestEntries(table, ledgerId, 1);",
      "      revision = Math.max(revision, newest?.revision ?? 0);",
      "      return found;",
      "    },",
    ].join("\n"),
    caughtBy: [store("confirm", "when two types swap their keys")],
  },
  {
    name: "nothing-laid-over-an-object",
    file: POINTS,
    find: "const object = await layEntriesOver(item && objectOf(item), sk, recent(), changesOf);",
    replace: "const object = item && objectOf(item);",
    caughtBy: [store("stale-reads", "is seen by")],
  },
  {
    name: "nothing-laid-over-a-list",
    file: LISTS,
    find: "inRange(await laidOver(read, entries, changesOf), prefix, start, after)",
    replace: "inRange(read, prefix, start, after)",
    caughtBy: [store("stale-reads", "is seen by")],
  },
  {
    name: "nothing-laid-over-an-export",
    file: VIEW,
    find: "await layOverAll(all ?? (await readPartition(source, pk)), entries)",
    replace: "await layOverAll(all ?? (await readPartition(source, pk)), [])",
    caughtBy: [store("stale-reads", "is seen by")],
  },
  {
    name: "ids-looked-up-without-the-newest-commits",
    file: POINTS,
    find: "const said = sortKeyOfId(id, recent());",
    replace: "const said = sortKeyOfId(id, []);",
    caughtBy: [store("stale-reads", "found by its id")],
  },
  {
    name: "partial-image-laid-over-any-state",
    file: "shared/store/log/overlay.ts",
    find: "return read?.id === change.id && read.revision === change.base ? objectFrom(change, read, revision) : read;",
    replace: "return read?.id === change.id ? objectFrom(change, read, revision) : read;",
    caughtBy: [store("overlay-gaps")],
  },
  {
    name: "renamed-object-stays-at-its-old-place",
    file: "shared/store/log/overlay.ts",
    find: "if (leaves) return undefined;",
    replace: 'if (leaves && change.does === "delete") return undefined;',
    caughtBy: [store("overlay")],
  },
  {
    name: "nothing-confirmed",
    file: "shared/store/read/open.ts",
    find: "const question = view.reads.question();",
    replace: "const question = void view.reads.question();",
    caughtBy: [store("confirm", "when an entity is renamed")],
  },
  {
    name: "confirmed-once-only",
    file: "shared/store/read/open.ts",
    find: "if (view.reads.isAssumed || !(await view.advance(next))) return false;",
    replace: "return !view.reads.isAssumed && view.advance(next);",
    caughtBy: [store("confirmation")],
  },
  {
    name: "absences-not-confirmed",
    file: "shared/store/read/reads.ts",
    find: "if (absences > 0 || doubtful > 1 ||",
    replace: "if (doubtful > 1 ||",
    caughtBy: [store("confirm", "never before again: an entity is renamed")],
  },
  {
    name: "head-not-checked-against-the-summary",
    file: "shared/store/read/open.ts",
    find: 'if (head?.entry.state === "live" && head.entry.key === key) {',
    replace: 'if (head?.entry.state === "live") {',
    caughtBy: [store("confirm", "never before again: the model is renamed")],
  },
  {
    name: "tombstone-not-looked-at-by-id",
    file: "shared/store/read/open.ts",
    find: 'if (head?.entry.state !== "live" || isShown?.({',
    replace: "if (!head || isShown?.({",
    caughtBy: [actions("model", "makes the model unknown")],
  },
  {
    name: "model-that-comes-into-being-not-waited-for",
    file: "shared/store/read/open.ts",
    find: "  return next && opened(await readHead(table, id));\n",
    replace: "  return undefined;\n",
    caughtBy: [store("way-in", "while a model comes into being")],
  },
  {
    name: "rename-under-way-not-waited-for",
    file: "shared/store/read/open.ts",
    find: "const summary = seen && isHere(seen) ? seen : await confirmedSummary(context, key);",
    replace: "const summary = seen && isHere(seen) ? seen : undefined;",
    caughtBy: [store("way-in", "found by one of its keys")],
  },
  {
    name: "moved-row-not-followed",
    file: SUMMARIES,
    find: "return isMoved(item) ? movedTo(context, item) : {",
    replace: "return isMoved(item) ? undefined : {",
    caughtBy: [store("way-in", "shows it once")],
  },
  {
    name: "moved-row-treated-as-live",
    file: SUMMARIES,
    find: "return isMoved(item) ? movedTo(context, item) : {",
    replace: "return {",
    caughtBy: [store("former-keys")],
  },
  {
    name: "log-read-one-page-far",
    file: "shared/store/log/log.ts",
    find: "} while (after !== undefined && entries.length < count);",
    replace: "} while (after !== undefined && entries.length < 1);",
    caughtBy: [store("way-in", "a hundred entries back")],
  },
  {
    name: "absence-decided-on-the-head-alone",
    file: VIEW,
    find: "if (!scan) return recent;",
    replace: "if (!scan || recent.length > 0) return recent;",
    caughtBy: [store("way-in", "a hundred entries back")],
  },
  {
    name: "administrators-counted-at-the-head-alone",
    file: "shared/actions/auth/administrators.ts",
    find: "limit: PAGE, lookBack: true,",
    replace: "limit: PAGE,",
    caughtBy: [store("way-in", "administrators that would remain")],
  },
  {
    name: "list-ends-early",
    file: LISTS,
    find: "} while (after !== undefined && sorted.length <= limit);",
    replace: "} while (after !== undefined && read.size <= limit);",
    caughtBy: [store("way-in", "does not end early")],
  },
  {
    name: "list-of-models-ends-with-its-first-page",
    file: SUMMARIES,
    find: "} while (after !== undefined && rows.length <= limit);",
    replace: "} while (after !== undefined && rows.length < 0);",
    caughtBy: [store("short-pages", "model_list")],
  },
  {
    name: "export-ends-with-its-first-page",
    file: VIEW,
    find: "for await (const item of itemsOf(table, { pk })) {\n    last",
    replace: "for (const item of (await table.query({ pk })).items) {\n    last",
    caughtBy: [store("long-read", "ends at one revision")],
  },
  {
    name: "long-read-starts-over-or-tears",
    file: VIEW,
    find: "    if (all) await layOverAll(all, [entry]);\n",
    replace: "",
    caughtBy: [store("long-read", "ends at one revision")],
  },
  {
    name: "item-not-read-consistently",
    file: DYNAMO,
    find: "Key: { ...key }, ConsistentRead: true, ...counted",
    replace: "Key: { ...key }, ...counted",
    caughtBy: [CONFORMANCE],
  },
  {
    name: "items-not-read-consistently",
    file: DYNAMO,
    find: "Keys: keys.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true",
    replace: "Keys: keys.map(({ pk, sk }) => ({ pk, sk }))",
    caughtBy: [CONFORMANCE],
  },
  {
    name: "page-not-read-consistently",
    file: DYNAMO,
    find: "    ConsistentRead: true,\n    ...(range.limit",
    replace: "    ...(range.limit",
    caughtBy: [CONFORMANCE],
  },
  {
    name: "names-of-actors-for-everybody",
    file: "shared/actions/dispatch/names-by-id.ts",
    find: '|| !principal?.permissions.has("admin")',
    replace: "",
    caughtBy: [actions("expand", "to administrators alone"), everyAction("hidden-models", "nor the name of anybody")],
  },
  {
    name: "keys-of-models-for-everybody",
    file: "shared/actions/dispatch/attempt.ts",
    find: "{ view, tags, open, prepared,",
    replace: "{ view, tags, open: r.service.ports(r.request.deadline).store.open, prepared,",
    caughtBy: [actions("expand", "keys of models that are shown")],
  },
  {
    name: "keys-of-attributes-whose-entity-is-gone",
    file: "shared/actions/building/images.ts",
    find: "return isThere ? keys : undefined;",
    replace: "return keys;",
    caughtBy: [actions("expand", "no key of what is gone")],
  },
];
