import { isWrite } from "../../../../shared/actions/contract/action.ts";
import { LIMITS, PROPERTY_LIMITS } from "../../../../shared/domain/limits.ts";
import { EXPORT_FORMAT_NAMES } from "../../../../shared/domain/values/export-formats.ts";
import { entryOf } from "../../../actions/support/models.ts";
import { ACTIONS } from "../../../support/actions.ts";
import { many, WORST_SOURCES } from "./sources.ts";
import { createGraph, createWide, documentOf, type ExampleIds, toSigns } from "./stored-models.ts";

/** A call that takes the service as long, or as much memory, as its limits allow. */
export interface WorstCall {
  readonly name: string;
  readonly action: string;
  /** Creates the payload; `serve` puts a text at a path and returns its URL. */
  readonly makePayload: (serve: (path: string, text: string) => string) => object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of such calls at once; one unless given. */
  readonly times?: number;
  /** True for a source at the edge of a limit: it is read. */
  readonly isAccepted?: boolean;
  /** True for a call that is refused within the time that it may delay others. */
  readonly isRefused?: true;
  /** True for a call that changes the stored data: it runs on a copy. */
  readonly writes?: true;
}

type Make = WorstCall["makePayload"];
type Unnamed = Omit<WorstCall, "name">;

const DRY_RUN = { "dry-run": "true" };
const read = (action: string, makePayload: Make, more: Partial<Unnamed> = {}) => ({ action, makePayload, ...more });
const dryRun = (action: string, makePayload: Make) => read(action, makePayload, { headers: DRY_RUN });
const written = (action: string, makePayload: Make) => read(action, makePayload, { writes: true });
const ofModel = (key: string, more: object = {}) => ({ modelRef: `key:${key}`, ...more });
const batch = (actions: readonly object[]) => ({ actions });
const search = (items: readonly object[], operator = "and") => ({ filters: { operator, items } });
const contains = (value: string) => ({ type: "text", condition: "contains", value });

const READERS = Object.fromEntries(
  WORST_SOURCES.map(({ format, shape, limit, make }) => [
    `read ${format}: ${shape} (${limit})`,
    {
      ...dryRun("model/import", () => ({ content: make(0), format, modelKey: "m" })),
      isAccepted: make.length > 0,
    },
  ]),
);

const STORED = ["large", "wide", "keyed", "tagged", "graph", "wide-graph"];
const WRITERS = Object.fromEntries(
  EXPORT_FORMAT_NAMES.flatMap((format) =>
    STORED.map((key) => [`write ${format} of ${key}`, read("model/model_export_as", () => ofModel(key, { format }))]),
  ),
);

/** The wide entity with the attributes in reverse order. */
const reversed = (): object => {
  const { entities, ...others } = createWide("a") as { entities: { key: string; attributes: object[] }[] };
  return { ...others, entities: entities.map((one) => ({ ...one, attributes: one.attributes.toReversed() })) };
};
/** The wide entity, whose attributes each take the key of the next one. */
const renamed = () => createWide("a", 50_000, (i) => ({ key: `a${toSigns(i + 1)}`, renamedFrom: `a${toSigns(i)}` }));

const COMPARED = { "other attributes": () => createWide("b"), "attributes in reverse order": reversed };
const wideWith = (content: object, more: object) => ({ leftModelRef: "key:wide", rightContent: content, ...more });
const compareLarge = (more: object) => ({ leftModelRef: "key:large", rightModelRef: "key:keyed", ...more });
const FORMATS = { report: { format: "markdown" }, migration: { format: "postgresql" } };
const COMPARISONS = Object.fromEntries([
  ["comparison of large models", read("model/model_compare", () => compareLarge({}))],
  ...Object.entries(FORMATS).map(([name, format]) => [
    ...[`${name} of large models`, read("model/model_compare_as", () => compareLarge(format))],
  ]),
  ...Object.entries(COMPARED).flatMap(([name, make]) => [
    [`comparison with ${name}`, read("model/model_compare", () => wideWith(make(), {}))],
    ...Object.entries(FORMATS).map(([kind, format]) => [
      ...[`${kind} of ${name}`, read("model/model_compare_as", () => wideWith(make(), format))],
    ]),
    [`plan of ${name}`, dryRun("model/model_apply", () => ofModel("wide", { content: make(), prune: true }))],
    ...["wide", "other"].map((source) => [
      `merge of ${name} from ${source}`,
      dryRun("model/import", () => ({ into: "key:wide", source, content: make(), onConflict: "theirs" })),
    ]),
  ]),
]);

/** A pattern of nearly as many steps as a pattern may have, each with many ranges. */
const RANGES = many(26, (i) => String.fromCharCode(97 + i)).map((letter) => `${letter}-${letter}`);
const PATTERN = `(?:[${RANGES.join("")}]?){${PROPERTY_LIMITS.patternSteps / 2 - 5}}!`;
const checkProperty = (schema: object, value: unknown) =>
  batch([
    entryOf("property/definition_create", { key: "worst", schema }),
    entryOf("model_update_property", ofModel("noise", { property: "worst", value })),
  ]);
const matchPattern = (characters: number) =>
  checkProperty({ type: "string", pattern: PATTERN }, "a".repeat(characters));

const exportNoise = (count: number) => Array(count).fill(entryOf("model_export", ofModel("noise")));
const text = "d".repeat(LIMITS.descriptionBytes);
const ofEntity = (more: object = {}) => ofModel("noise", { entityRef: "key:e0", ...more });
const password = "p".repeat(LIMITS.passwordBytes);

const OTHERS: Readonly<Record<string, Unnamed>> = {
  "read a file of rows (sourceBytes)": dryRun("model/import", (serve) => {
    const rows = "INSERT INTO a VALUES (1,'it''s',NULL);\n";
    const from = serve("/rows.sql", "CREATE TABLE a (b int);\n".padEnd(LIMITS.sourceBytes, rows));
    return { from, format: "postgresql", modelKey: "m" };
  }),
  "read a file of long texts (sourceBytes)": dryRun("model/import", (serve) => {
    const entities = many(190, (i) => ({ key: `e${i}`, attributes: [], description: "it's long ".repeat(9_000) }));
    return { from: serve("/texts.json", JSON.stringify(documentOf("m", { entities }))), modelKey: "m" };
  }),
  "export of a large model": read("model/model_export", () => ofModel("large")),
  "export of a wide model": read("model/model_export", () => ofModel("wide")),
  "plan of renames in a chain": dryRun("model/model_apply", () => ofModel("wide", { content: renamed() })),
  "plan of refs to objects of the model": dryRun("model/model_apply", () => {
    const entities = many(40_000, (i) => ({ key: `n${i}` }));
    const referring = { key: "order", primaryKey: many(200_000, (i) => `key:k${i}`) };
    return ofModel("crm", { content: documentOf("crm", { entities: [...entities, referring] }) });
  }),
  "plan of a new model of relationships": dryRun("model/model_apply", () => {
    return { modelKey: "related", create: true, content: createGraph("related", 20, 27_000, 3) };
  }),
  "apply of a new model, written": written("model/model_apply", () => {
    return { modelKey: "new", create: true, content: createWide("c", 19_000) };
  }),
  "import of a new model, written by a job": written("model/import", () => {
    return { modelKey: "new", content: createWide("c") };
  }),
  "search with the most conditions": read("model/search", () =>
    search(
      many(LIMITS.searchFilters, (i) => contains("zq".repeat(99) + (i % 10))),
      "or",
    ),
  ),
  "search for one letter": read("model/search", () => ({ ...search([contains("c")]), limit: LIMITS.pageRows })),
  "search for everything": read("model/search", () => search([])),
  "search for absent properties": read("model/search", () => {
    const value = many(LIMITS.searchTags, (i) => `p${i}`);
    return search(many(LIMITS.searchFilters, () => ({ type: "properties", condition: "noneOf", value })));
  }),
  "changes of a long history": read("model/history_version_changes", () => ofModel("past")),
  "versions of a long history": read("model/history_versions", () => ofModel("past")),
  "export of a past state": read("model/model_export", () => ofModel("past", { revision: 900 })),
  "restore of a past state": dryRun("model/model_restore", () => ofModel("past", { revision: 3 })),
  "undo of many changes": dryRun("model/model_undo", () => ofModel("past", { revisions: many(6, (i) => i + 4) })),
  "undo of many properties": dryRun("model/model_undo", () => ofModel("propertied", { revisions: [2] })),
  "restore of a past state, written": written("model/model_restore", () => ofModel("past", { revision: 3 })),
  "copy of a large model, written": written("model/model_copy", () => ofModel("large", { modelNewKey: "copy" })),
  "deletion of a large model": written("model/model_delete", () => ofModel("large")),
  "release of a large model": written("model/model_release", () => ofModel("large", { value: "9.0.0" })),
  "batch of 10 exports of 3 MB": read("batch/batch_run", () => batch(exportNoise(10))),
  "batch of 1,000 exports of 3 MB": read("batch/batch_run", () => batch(exportNoise(1_000)), { isRefused: true }),
  "batch of 9,000 exports of 3 MB": read("batch/batch_run", () => batch(exportNoise(9_000))),
  "batch of exports as HTML": read("batch/batch_run", () =>
    batch(Array(60).fill(entryOf("model_export_as", ofModel("crm", { format: "html" })))),
  ),
  "batch of the most reads of the past": read("batch/batch_run", () =>
    batch(Array(LIMITS.batchPastReads).fill(entryOf("model_export", ofModel("past", { revision: 900 })))),
  ),
  "batch of the most entries": written("batch/batch_run", () =>
    batch(many(LIMITS.batchEntries, (i) => entryOf("entity_create", ofModel("noise", { entityKey: `n${i}` })))),
  ),
  "batch of exports with an idempotency key": {
    ...written("batch/batch_run", () =>
      batch([entryOf("model_update_name", ofModel("noise", { name: "N" })), ...exportNoise(4)]),
    ),
    headers: { "idempotency-key": "one" },
  },
  "batch that repeats a long text": dryRun("batch/batch_run", () =>
    batch([
      entryOf("entity_update_description", ofEntity({ value: text })),
      entryOf("entity_get", ofEntity()),
      entryOf("entity_update_property", ofEntity({ property: "a:b", value: Array(10_000).fill("$2.description") })),
    ]),
  ),
  "pattern on 1,000 characters": dryRun("batch/batch_run", () => matchPattern(1_000)),
  "pattern on 60,000 characters": dryRun("batch/batch_run", () => matchPattern(60_000)),
  "property with values of the longest enum": dryRun("batch/batch_run", () => {
    const enumeration = [...many(1_570, (i) => 1_000 + i), 1];
    return checkProperty({ items: { enum: enumeration } }, Array(31_900).fill(1));
  }),
  "audit log": read("auth/audit_list", () => ({ act: "auth/logout" })),
  sessions: read("auth/session_list", () => ({ actorRef: "key:grace" })),
  "rights on many models": read("auth/can", () => {
    const models = many(LIMITS.askedModels, (i) => `key:m${i}`);
    return { actions: Array(LIMITS.askedActions).fill("model/entity_create"), models };
  }),
  "wrong passwords at once": read("auth/login", () => ({ username: "retired", password }), { times: 100 }),
  "exports at once": read("model/model_export_as", () => ofModel("graph", { format: "html" }), {
    times: LIMITS.callsPerCaller,
  }),
  "unknown parameters": read("model/model_create", () => Object.fromEntries(many(200_000, (i) => [`keyy${i}`, 1]))),
};

/** The worst calls of all readers, writers and actions. */
export const WORST_CALLS: readonly WorstCall[] = Object.entries<Unnamed>({
  ...READERS,
  ...WRITERS,
  ...COMPARISONS,
  ...OTHERS,
}).map(([name, call]) => ({ name, ...call }));

/** Actions that end the session of the suite, or need another first start. */
const LEFT_OUT = ["auth/change_my_password", "auth/logout", "auth/admin_bootstrap"];

/** Lists the example of each action, on a model of as many objects as one call may write. Writes are dry runs. */
export function listExampleCalls(ids: ExampleIds): readonly WorstCall[] {
  return ACTIONS.map((action) => ({ ...action, path: `${action.group}/${action.name}` }))
    .filter(({ path }) => !LEFT_OUT.includes(path))
    .map((action) => ({
      ...{ name: `example of ${action.path}`, action: action.path },
      makePayload: () => JSON.parse(JSON.stringify(action.example), (_, value) => ids.get(value) ?? value),
      ...(isWrite(action) && { headers: DRY_RUN }),
    }));
}
