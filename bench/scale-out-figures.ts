import { DOCUMENT_SCHEMA } from "../shared/domain/document/document.ts";
import { startBenchService } from "./bench-service.ts";

/** Entities of a model, and attributes of each entity. */
const [ENTITIES, FIELDS] = [4, 25];
/** Attributes of a model. */
export const ATTRIBUTES = ENTITIES * FIELDS;
/** Runs of each step, of which the median counts. */
const TIMES = 5;
const WORDS = "customer order invoice address street number product price total amount currency status".split(" ");

/** Cost of one step. */
export interface Row {
  readonly step: string;
  readonly found?: number;
  readonly ms: number;
  /** Read and write units together. */
  readonly units: number;
  /** Store calls that wait for each other. */
  readonly sequence: number;
}

/** Cost of each step, and the peak memory of the process. */
export interface Figures {
  readonly rows: readonly Row[];
  readonly rssMb: number;
}

const contains = (value: string) => ({ type: "text", condition: "contains", value });
const PAGE = 100;

/** Warm searches: description, filters and size of a page. */
const SEARCHES: readonly (readonly [what: string, items: readonly object[], limit?: number])[] = [
  ["a word in one row", [contains("needle")]],
  ["a word in no row", [contains("haystack")]],
  ["a word in every row", [contains("sentence")], PAGE],
  ["a word in every 12th row", [contains("invoice")], PAGE],
  ["three characters", [contains("ice")], PAGE],
  ["two characters in one row", [contains("qz")]],
  ["two characters in most rows", [contains("nt")], PAGE],
  ["one character in no row", [contains("#")], PAGE],
  ["one character in every row", [contains("e")], PAGE],
  ["everything", [], PAGE],
  ["with a tag", [{ type: "tags", condition: "notEmpty" }], PAGE],
  ["without a tag", [{ type: "tags", condition: "empty" }], PAGE],
  ["by property", [{ type: "properties", condition: "notEmpty" }], PAGE],
  ["by a value of a property", [{ type: "properties", condition: "equals", value: { owner: "team 7" } }], PAGE],
  ["by format, and a word", [{ type: "format", condition: "anyOf", value: ["email"] }, contains("invoice")], PAGE],
  ["two words that meet nowhere", [contains("attribute 3"), contains("attribute 4")], PAGE],
  ["two phrases that meet nowhere", [contains("the invoice of the"), contains("the order of the")], PAGE],
  ["a tag and a word that meet nowhere", [{ type: "tags", condition: "notEmpty" }, contains("attribute 3")], PAGE],
  ["a page of 1,000", [contains("sentence")], 1_000],
];

export const createModelKey = (i: number): string => `model_${String(i).padStart(5, "0")}`;

/** Returns the document of a model. */
export function largeModel(i: number): object {
  const attributes = (entity: number) =>
    Array.from({ length: FIELDS }, (_, n) => ({
      ...{ key: `attribute_${n}`, name: `Attribute ${n}`, type: "key:text", optional: n % 2 === 0 },
      description: `The ${WORDS[(i + n) % WORDS.length]} of the ${WORDS[n % WORDS.length]}, in a sentence of ordinary length${i === 77 && entity === 1 && n === 3 ? ": needle qz" : ""}.`,
      ...(n % 10 === 0 && { tags: ["key:draft"] }),
      ...(n % 5 === 0 && { properties: { owner: `team ${i % 50}` } }),
      ...(n % 7 === 0 && { constraints: { format: "email" } }),
    }));
  return {
    ...{ $schema: DOCUMENT_SCHEMA, key: createModelKey(i), name: `Model ${i}`, version: "0.0.1", authority: "system" },
    types: [{ key: "text" }],
    entities: Array.from({ length: ENTITIES }, (_, n) => ({
      ...{ key: `entity_${n}`, name: `Entity ${n}`, primaryKey: [], attributes: attributes(n) },
    })),
    ...{ relationships: [], businessKeys: [], localTags: [{ key: "draft" }], tagGroups: [] },
  };
}

/** Starts a service in a filled folder and measures the first search and the warm steps after it. */
export async function measureScaleOut(folder: string, models: number): Promise<Figures> {
  const bench = await startBenchService({ folder, searchesInFile: true });
  const rows: Row[] = [];
  const measure = async (
    step: string,
    action: string,
    payload: object | (() => object),
    times = TIMES,
  ): Promise<void> => {
    const took: number[] = [];
    let found: number | undefined;
    for (let i = 0; i < times; i++) {
      bench.count.reset();
      const began = performance.now();
      const { body } = await bench.run(action, typeof payload === "function" ? payload() : payload);
      took.push(performance.now() - began);
      found = (body as { items?: readonly unknown[] }).items?.length;
    }
    const ms = Math.round((took.sort((a, b) => a - b)[times >> 1] ?? 0) * 10) / 10;
    const { readUnits, writeUnits, sequence } = bench.count;
    rows.push({ step, ...(found !== undefined && { found }), ms, units: readUnits + writeUnits, sequence });
  };
  const search = (items: readonly object[], limit?: number) => ({ filters: { items }, ...(limit && { limit }) });
  await measure("first search", "model/search", search([contains("needle")]), 1);
  for (const [what, items, limit] of SEARCHES) await measure(`warm, ${what}`, "model/search", search(items, limit));
  const named = Array.from({ length: Math.min(models, 100) }, (_, i) => `key:${createModelKey(i)}`);
  await measure("search in 100 named models", "model/search", { ...search([contains("needle")]), models: named });
  const modelRef = `key:${createModelKey(models - 1)}`;
  let change = 0;
  const update = () => ({ modelRef, entityRef: "key:entity_1", value: `Changed ${change++}` });
  await measure("model_get", "model/model_get", { modelRef });
  await measure("entity_get", "model/entity_get", { modelRef, entityRef: "key:entity_1" });
  await measure("entity_update_name", "model/entity_update_name", update);
  await measure("search after a write", "model/search", search([contains("changed 4")]), 1);
  await measure("model_list, first page", "model/model_list", { limit: PAGE });
  await measure("model_list, all", "model/model_list", {});
  await measure("audit_list", "auth/audit_list", { limit: PAGE });
  await measure("whoami", "auth/whoami", {});
  await bench.stop();
  return { rows, rssMb: Math.round(process.resourceUsage().maxRSS / 1_000) };
}
