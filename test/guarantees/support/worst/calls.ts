import { type Action, isWrite } from "../../../../shared/actions/contract/action.ts";
import { LIMITS, PROPERTY_LIMITS } from "../../../../shared/domain/limits.ts";
import { EXPORT_FORMAT_NAMES } from "../../../../shared/domain/values/export-formats.ts";
import { ACTIONS } from "../../../support/actions.ts";
import { WORST_SOURCES } from "./sources.ts";
import { createGraph, createWide, documentOf, type ExampleIds } from "./stored-models.ts";

/** A call that takes the service as long, or as much memory, as its limits allow. */
export interface WorstCall {
  readonly name: string;
  readonly action: string;
  readonly makePayload: () => object;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a call that changes the stored data: it runs on a copy. */
  readonly writes?: true;
}

const DRY_RUN = { "dry-run": "true" };
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const entry = (action: string, payload: object, group = "model") => ({ group, action, payload });
const batch = (actions: readonly object[]) => ({ actions });

const READERS: readonly WorstCall[] = WORST_SOURCES.map(({ format, shape, limit, make }) => ({
  name: `read ${format}: ${shape} (${limit})`,
  action: "model/import",
  makePayload: () => ({ content: make(0), format, modelKey: "m" }),
  headers: DRY_RUN,
}));

const WRITERS: readonly WorstCall[] = [
  ...EXPORT_FORMAT_NAMES.flatMap((format) =>
    ["large", "wide", "keyed", "tagged", "graph", "wide-graph"].map((key) => ({
      name: `write ${format} of ${key}`,
      action: "model/model_export_as",
      makePayload: () => ({ modelRef: `key:${key}`, format }),
    })),
  ),
  ...["large", "wide", "noise"].map((key) => ({
    name: `export ${key}`,
    action: "model/model_export",
    makePayload: () => ({ modelRef: `key:${key}` }),
  })),
];

/** The wide entity with the attributes in reverse order. */
const reversed = (): object => {
  const { entities, ...others } = createWide("a") as { entities: { key: string; attributes: object[] }[] };
  return { ...others, entities: entities.map((one) => ({ ...one, attributes: one.attributes.toReversed() })) };
};
/** Entities of which each takes the former key of the next one. */
const renamed = () =>
  documentOf("noise", {
    entities: many(20_000, (i) => ({ key: `e${i + 1}`, renamedFrom: `e${i}` })),
  });
/** Relationships of two entities. */
const related = () => createGraph("related", 20, 27_000, 3);

const CONTENTS: Readonly<Record<string, () => object>> = {
  "other attributes": () => createWide("b"),
  "attributes in reverse order": reversed,
};

const COMPARISONS: readonly WorstCall[] = [
  ...["model_compare", "model_compare_as"].flatMap((name) => [
    {
      ...{ name: `${name} of large models`, action: `model/${name}` },
      makePayload: () => ({ leftModelRef: "key:large", rightModelRef: "key:keyed", ...asMarkdown(name) }),
    },
    ...Object.entries(CONTENTS).map(([content, make]) => ({
      ...{ name: `${name} with ${content}`, action: `model/${name}` },
      makePayload: () => ({ leftModelRef: "key:wide", rightContent: make(), ...asMarkdown(name) }),
    })),
  ]),
  {
    ...{ name: "migration of large models", action: "model/model_compare_as" },
    makePayload: () => ({ leftModelRef: "key:large", rightModelRef: "key:keyed", format: "postgresql" }),
  },
  {
    ...{ name: "migration of wide tables", action: "model/model_compare_as" },
    makePayload: () => ({ leftModelRef: "key:wide", rightContent: createWide("b"), format: "postgresql" }),
  },
  ...Object.entries(CONTENTS).flatMap(([content, make]): WorstCall[] => [
    {
      ...{ name: `plan of ${content}`, action: "model/model_apply", headers: DRY_RUN },
      makePayload: () => ({ modelRef: "key:wide", content: make(), prune: true }),
    },
    {
      ...{ name: `merge of ${content}`, action: "model/import", headers: DRY_RUN },
      makePayload: () => ({ into: "key:wide", source: "wide", content: make(), onConflict: "theirs" }),
    },
    {
      ...{ name: `merge of ${content} without a base`, action: "model/import", headers: DRY_RUN },
      makePayload: () => ({ into: "key:wide", source: "other", content: make(), onConflict: "ours" }),
    },
  ]),
  {
    ...{ name: "plan of renames in a chain", action: "model/model_apply", headers: DRY_RUN },
    makePayload: () => ({ modelRef: "key:noise", content: renamed() }),
  },
  {
    ...{ name: "plan of refs to objects of the model", action: "model/model_apply", headers: DRY_RUN },
    makePayload: () => ({
      modelRef: "key:crm",
      content: documentOf("crm", {
        entities: [
          ...many(40_000, (i) => ({ key: `n${i}` })),
          { key: "order", primaryKey: many(200_000, (i) => `key:k${i}`) },
        ],
      }),
    }),
  },
  {
    ...{ name: "plan of a new model of relationships", action: "model/model_apply", headers: DRY_RUN },
    makePayload: () => ({ modelKey: "related", create: true, content: related() }),
  },
  {
    ...{ name: "apply of a new model, written", action: "model/model_apply", writes: true },
    makePayload: () => ({ modelKey: "new", create: true, content: createWide("c", 19_000) }),
  },
  {
    ...{ name: "import of a new model, written by a job", action: "model/import", writes: true },
    makePayload: () => ({ modelKey: "new", content: createWide("c") }),
  },
];

function asMarkdown(name: string): object {
  return name === "model_compare_as" ? { format: "markdown" } : {};
}

const SEARCHES: readonly WorstCall[] = [
  {
    ...{ name: "search with the most conditions", action: "model/search" },
    makePayload: () => ({
      filters: {
        operator: "or",
        items: many(LIMITS.searchFilters, (i) => ({
          type: "text",
          condition: "contains",
          value: "zq".repeat(99) + (i % 10),
        })),
      },
    }),
  },
  {
    name: "search for one letter",
    action: "model/search",
    makePayload: () => ({
      filters: { items: [{ type: "text", condition: "contains", value: "c" }] },
      limit: LIMITS.pageRows,
    }),
  },
  { name: "search for everything", action: "model/search", makePayload: () => ({ filters: { items: [] } }) },
  {
    ...{ name: "search for absent properties", action: "model/search" },
    makePayload: () => ({
      filters: {
        items: many(LIMITS.searchFilters, () => ({
          type: "properties",
          condition: "noneOf",
          value: many(LIMITS.searchTags, (i) => `p${i}`),
        })),
      },
    }),
  },
];

const PAST: readonly WorstCall[] = [
  {
    name: "changes of a long history",
    action: "model/history_version_changes",
    makePayload: () => ({ modelRef: "key:past" }),
  },
  {
    name: "versions of a long history",
    action: "model/history_versions",
    makePayload: () => ({ modelRef: "key:past" }),
  },
  {
    name: "export of a past state",
    action: "model/model_export",
    makePayload: () => ({ modelRef: "key:past", revision: 900 }),
  },
  {
    name: "restore of a past state",
    action: "model/model_restore",
    makePayload: () => ({ modelRef: "key:past", revision: 3 }),
    headers: DRY_RUN,
  },
  {
    name: "undo of many changes",
    action: "model/model_undo",
    makePayload: () => ({ modelRef: "key:past", revisions: [4, 5] }),
    headers: DRY_RUN,
  },
  {
    name: "restore of a past state, written",
    action: "model/model_restore",
    makePayload: () => ({ modelRef: "key:past", revision: 3 }),
    writes: true,
  },
  {
    name: "copy of a large model, written",
    action: "model/model_copy",
    makePayload: () => ({ modelRef: "key:large", modelNewKey: "copy" }),
    writes: true,
  },
  {
    name: "deletion of a large model",
    action: "model/model_delete",
    makePayload: () => ({ modelRef: "key:large" }),
    writes: true,
  },
  {
    name: "release of a large model",
    action: "model/model_release",
    makePayload: () => ({ modelRef: "key:large", value: "9.0.0" }),
    writes: true,
  },
];

const BATCHES: readonly WorstCall[] = [
  ...[10, 100, 1_000, 9_000].map((count) => ({
    name: `batch of ${count} exports of 3 MB`,
    action: "batch/batch_run",
    makePayload: () => batch(Array(count).fill(entry("model_export", { modelRef: "key:noise" }))),
  })),
  {
    ...{ name: "batch of HTML exports", action: "batch/batch_run" },
    makePayload: () => batch(Array(60).fill(entry("model_export_as", { modelRef: "key:crm", format: "html" }))),
  },
  {
    ...{ name: "batch of the most past reads", action: "batch/batch_run" },
    makePayload: () =>
      batch(Array(LIMITS.batchPastReads).fill(entry("model_export", { modelRef: "key:past", revision: 900 }))),
  },
  {
    ...{ name: "batch of the most entries", action: "batch/batch_run", writes: true as const },
    makePayload: () =>
      batch(many(LIMITS.batchEntries, (i) => entry("entity_create", { modelRef: "key:noise", entityKey: `n${i}` }))),
  },
  {
    ...{
      name: "batch of exports with an idempotency key",
      action: "batch/batch_run",
      writes: true as const,
      headers: { "idempotency-key": "one" },
    },
    makePayload: () =>
      batch([
        entry("model_update_name", { modelRef: "key:noise", name: "N" }),
        ...Array(4).fill(entry("model_export", { modelRef: "key:noise" })),
      ]),
  },
  {
    ...{ name: "batch that repeats a long text", action: "batch/batch_run", headers: DRY_RUN },
    makePayload: () =>
      batch([
        entry("entity_update_description", {
          modelRef: "key:noise",
          entityRef: "key:e0",
          value: "d".repeat(LIMITS.descriptionBytes),
        }),
        entry("entity_get", { modelRef: "key:noise", entityRef: "key:e0" }),
        entry("entity_update_property", {
          modelRef: "key:noise",
          entityRef: "key:e0",
          property: "a:b",
          value: Array(10_000).fill("$2.description"),
        }),
      ]),
  },
];

/** A pattern of nearly as many steps as a pattern may have, each with many ranges. */
const RANGES = many(26, (i) => `${String.fromCharCode(97 + i)}-${String.fromCharCode(97 + i)}`).join("");
const PATTERN = `(?:[${RANGES}]?){${PROPERTY_LIMITS.patternSteps / 2 - 5}}!`;

const PATTERNS: readonly WorstCall[] = [1_000, 5_000, 60_000].map((characters) => ({
  name: `property of ${characters} characters with the worst pattern`,
  action: "batch/batch_run",
  makePayload: () =>
    batch([
      entry("definition_create", { key: "worst", schema: { type: "string", pattern: PATTERN } }, "property"),
      entry("model_update_property", { modelRef: "key:noise", property: "worst", value: "a".repeat(characters) }),
    ]),
  headers: DRY_RUN,
}));

const ACCOUNTS: readonly WorstCall[] = [
  { name: "audit log", action: "auth/audit_list", makePayload: () => ({ act: "auth/logout" }) },
  { name: "sessions", action: "auth/session_list", makePayload: () => ({ actorRef: "key:grace" }) },
  {
    name: "rights on many models",
    action: "auth/can",
    makePayload: () => ({
      actions: many(LIMITS.askedActions, () => "model/entity_create"),
      models: many(LIMITS.askedModels, (i) => `key:m${i}`),
    }),
  },
  {
    name: "a long password",
    action: "auth/login",
    makePayload: () => ({ username: "grace", password: "p".repeat(LIMITS.passwordBytes) }),
  },
  {
    name: "a long new password",
    action: "auth/user_create",
    makePayload: () => ({
      username: "x",
      fullname: "x",
      password: "p q".repeat(LIMITS.passwordBytes / 3),
      admin: false,
    }),
    headers: DRY_RUN,
  },
  {
    name: "unknown parameters",
    action: "model/model_create",
    makePayload: () => Object.fromEntries(many(200_000, (i) => [`keyy${i}`, 1])),
  },
];

/** The example of each action, on a model of as many objects as one call may write. Writes are dry runs. */
export function listExampleCalls(ids: ExampleIds): readonly WorstCall[] {
  return ACTIONS.filter(
    ({ group, name }) => !/^(admin_bootstrap|logout|change_my_password)$/.test(name) || group !== "auth",
  ).map((action) => ({
    name: `example of ${action.group}/${action.name}`,
    action: `${action.group}/${action.name}`,
    makePayload: () => JSON.parse(JSON.stringify(action.example), (_, value) => ids.get(value) ?? value),
    ...(allowsDryRun(action) && { headers: DRY_RUN }),
  }));
}

function allowsDryRun(action: Action): boolean {
  return isWrite(action) && action.name !== "login";
}

/** The worst calls of all readers, writers and actions. */
export const WORST_CALLS: readonly WorstCall[] = [
  ...READERS,
  ...WRITERS,
  ...COMPARISONS,
  ...SEARCHES,
  ...PAST,
  ...BATCHES,
  ...PATTERNS,
  ...ACCOUNTS,
];
