import type { ModelDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import { removeEqualSets } from "../common/column-sets.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { NO_NAME } from "../common/header.ts";
import { isObject, type JsonObject, listTexts } from "../common/json-object.ts";
import { parseSqlType } from "../common/sql-type.ts";
import { formatColumnType, warnUnusedTypes } from "../common/writing/column-types.ts";
import { ALL_PROPERTIES, type Coverage } from "../common/writing/coverage.ts";
import {
  createModelTables,
  type ModelColumn,
  type ModelReference,
  type ModelTable,
} from "../common/writing/model-tables.ts";
import { type OwnMembers, splitOwnMembers } from "../common/writing/own-members.ts";
import { listTagTexts, warnReadBack, warnTags } from "../common/writing/read-back.ts";
import { stringifyYaml, toColumnName, toWrittenName } from "../common/writing/written-names.ts";

const DBT = "dbt";

export const DBT_COVERAGE: Coverage = {
  format: DBT,
  model: { members: ["name", "entities", "relationships"] },
  types: { members: [] },
  entities: {
    ...ALL_PROPERTIES,
    members: ["name", "description", "tags", "attributes", "primaryKey"],
    hasOneName: true,
  },
  attributes: {
    ...ALL_PROPERTIES,
    members: ["name", "description", "tags", "type", "optional"],
    hasOneName: true,
    constraints: ["enum", "unique", "maxLength"],
  },
  relationships: { members: ["roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"] },
};

const LIST_MEMBERS: Readonly<Record<string, string>> = { model: "models", seed: "seeds", snapshot: "snapshots" };

/** Writes a model as a dbt properties file (`schema.yml`): a model, seed, snapshot or source table for each entity. */
export function writeDbt(document: ModelDocument, diagnostics: Diagnostics): string {
  const model = createModelTables(document, diagnostics);
  warnReadBack(model, { format: DBT, namesReferences: false, uniqueSets: true });
  warnUnusedTypes(document, DBT, () => false, diagnostics);
  const holders = [...document.entities, ...document.entities.flatMap((one) => one.attributes)];
  warnTags(document, DBT, holders, diagnostics);
  if (document.key !== NO_NAME) diagnostics.warn("/key", "not_written", "dbt properties files have no name");
  if (document.name !== document.key) diagnostics.warn("/name", "not_written", "dbt properties files have no name");
  const nodes = model.tables.map((table) => {
    const own = model.references.filter(({ from }) => from === table);
    return { ...findAddress(table), node: toNode(table, own, document) };
  });
  const file = {
    version: 2,
    ...Object.fromEntries(
      Object.entries(LIST_MEMBERS).flatMap(([type, list]) => {
        const items = nodes.filter((one) => one.type === type).map(({ node }) => node);
        return items.length > 0 ? [[list, items]] : [];
      }),
    ),
    ...toSources(nodes),
  };
  return stringifyYaml(file);
}

/** The list of a node, its source if it is a source table, and its name. */
interface NodeAddress {
  readonly type: string;
  readonly source?: string;
  readonly name: string;
}

interface FileNode extends NodeAddress {
  readonly node: JsonObject;
}

function toSources(nodes: readonly FileNode[]): JsonObject {
  const bySource = Map.groupBy(
    nodes.filter(({ type }) => type === "source"),
    ({ source, node: { schema, database } }) => JSON.stringify([source, schema, database]),
  );
  const sources = [...bySource.values()].map((list) => {
    const [{ source = "", node = {} } = {}] = list;
    const tables = list.map(({ node: { schema: _, database: __, ...table } }) => table);
    return { name: source, schema: node.schema, database: node.database, tables };
  });
  return sources.length > 0 ? { sources } : {};
}

/** Returns the kind and the name of the node of a table. */
function findAddress({ entity }: ModelTable): NodeAddress {
  const name = toWrittenName(entity);
  const kind = entity.properties?.["dbt:resource_type"];
  const dot = kind === "source" ? name.indexOf(".") : -1;
  if (dot > 0 && dot < name.length - 1) {
    return { type: "source", source: name.slice(0, dot), name: name.slice(dot + 1) };
  }
  return { type: typeof kind === "string" && Object.hasOwn(LIST_MEMBERS, kind) ? kind : "model", name };
}

/** Returns `ref('orders')` or `source('shop', 'orders')`. Returns undefined if the name cannot be quoted. */
function formatRef(table: ModelTable): string | undefined {
  const { source, name } = findAddress(table);
  const words = source === undefined ? [name] : [source, name];
  const quotedWords = words.map((word) => (word.includes("'") ? `"${word}"` : `'${word}'`));
  const isSayable = words.every((word) => !/[()]/.test(word) && !(word.includes("'") && word.includes('"')));
  return isSayable ? `${source === undefined ? "ref" : "source"}(${quotedWords.join(", ")})` : undefined;
}

const TAKEN_MEMBERS = new Set(["name", "description", "columns", "data_tests", "constraints", "tags", "index"]);

function toNode(table: ModelTable, references: readonly ModelReference[], document: ModelDocument): JsonObject {
  const { entity, columns, primaryKey, unique, at } = table;
  const { resource_type: _, tests, ...members } = addMeta(splitOwnMembers(entity.properties, "dbt", TAKEN_MEMBERS, at));
  const sets = removeEqualSets(unique.map((set) => set.columns)).filter((set) => set.length > 1);
  const constraints = [
    ...(primaryKey.length > 0 ? [{ type: "primary_key", columns: listColumnNames(table, primaryKey) }] : []),
    ...sets.map((set) => ({ type: "unique", columns: listColumnNames(table, set) })),
    ...references.flatMap((reference) => toForeignKey(reference)),
  ];
  return {
    name: findAddress(table).name,
    ...includeMember("description", entity.description),
    ...toTagMembers(document, entity.tags, members.config),
    ...members,
    ...(constraints.length > 0 && { constraints }),
    ...(Array.isArray(tests) && tests.length > 0 && { data_tests: tests as readonly unknown[] }),
    ...(columns.length > 0 && { columns: columns.map((column) => toColumn(column)) }),
  };

  function toForeignKey({ to, columns: from, targets, at: recorder }: ModelReference): readonly JsonObject[] {
    const ref = formatRef(to);
    if (ref === undefined) {
      recorder.warn("/roles", "not_written", "dbt tests cannot refer to a table of this name");
      return [];
    }
    if (from.length === 1) return [];
    const sides = { columns: listColumnNames(table, from), to: ref, to_columns: listColumnNames(to, targets) };
    return [{ type: "foreign_key", ...sides }];
  }

  function toColumn(column: ModelColumn): JsonObject {
    const { attribute, key, inKey } = column;
    const { constraints: keywords = {}, description, optional, tags, properties = {} } = attribute;
    const isUnique = unique.some((set) => set.columns.length === 1 && set.columns[0] === key);
    const { text, keywords: typeKeywords, properties: arguments_ } = formatColumnType(column, "dbt");
    if (keywords.maxLength !== undefined && !typeKeywords.has("maxLength")) {
      column.at.warn("/constraints/maxLength", "not_written", "only text types have a length");
    }
    if (parseSqlType(text).type !== column.type)
      column.at.warn("/type", "written_otherwise", "text in brackets is read as arguments of the type");
    const ownProperties = Object.fromEntries(Object.entries(properties).filter(([name]) => !arguments_.has(name)));
    const { tests: others, ...rest } = addMeta(splitOwnMembers(ownProperties, "dbt", TAKEN_MEMBERS, column.at));
    const tests: readonly unknown[] = [
      ...(optional || inKey ? [] : ["not_null"]),
      ...(isUnique ? ["unique"] : []),
      ...(keywords.enum === undefined ? [] : [{ accepted_values: { values: keywords.enum } }]),
      ...references.flatMap((reference) => toRelationshipTest(reference, key)),
      ...(Array.isArray(others) ? (others as readonly unknown[]) : []),
    ];
    return {
      name: toWrittenName(attribute),
      ...includeMember("description", description),
      ...(column.type !== "any" && { data_type: text }),
      ...toTagMembers(document, tags, rest.config),
      ...rest,
      ...(tests.length > 0 && { data_tests: tests }),
    };
  }

  function toRelationshipTest({ to, columns: from, targets }: ModelReference, key: string): readonly JsonObject[] {
    const ref = formatRef(to);
    if (from.length !== 1 || from[0] !== key || ref === undefined) return [];
    return [{ relationships: { to: ref, field: listColumnNames(to, targets)[0] } }];
  }
}

function listColumnNames(table: ModelTable, keys: readonly string[]): readonly string[] {
  return keys.map((key) => toColumnName(table, key));
}

function toTagMembers(document: ModelDocument, refs: readonly string[] | undefined, config: unknown): JsonObject {
  const texts = isObject(config) ? listTexts(config.tags) : [];
  const tags = listTagTexts(document, refs).filter((text) => !texts.includes(text));
  return tags.length > 0 ? { tags } : {};
}

function addMeta({ members, others }: OwnMembers): JsonObject {
  if (others.length === 0) return members;
  return { ...members, meta: { ...(isObject(members.meta) && members.meta), ...Object.fromEntries(others) } };
}
