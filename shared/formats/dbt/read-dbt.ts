import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { ReadContext, ReadFormat } from "../common/format.ts";
import {
  isEmptyValue,
  isObject,
  type JsonObject,
  type NamedPart,
  omitRead,
  readNamedParts,
  warnUnread,
} from "../common/json-object.ts";
import type { SourceTables } from "../common/tables/source-tables.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { coversAllRows, type DbtTable, type DbtTest, removePackage, toSourceTable } from "./dbt-tables.ts";

/** Reads a dbt manifest or properties file. Models, seeds, snapshots and source tables become entities. */
export const readDbt: ReadFormat = (source, context) => {
  const file = source as JsonObject;
  if (isObject(file.metadata)) return readManifest(file, file.metadata, context);
  return createDocument(toSourceTables(readPropertiesTables(file, context.diagnostics), {}, {}), context);
};

function readManifest(file: JsonObject, metadata: JsonObject, context: ReadContext) {
  warnUnreadParts(file, context.diagnostics);
  const { project_name: name, dbt_version, adapter_type, dbt_schema_version } = metadata;
  const keptMembers = { dbt_version, adapter_type, dbt_schema_version };
  return createDocument(toSourceTables(readManifestTables(file, context.diagnostics), { name }, keptMembers), context);
}

function toSourceTables(tables: readonly DbtTable[], header: JsonObject, rest: JsonObject): SourceTables {
  const results = tables.map(toSourceTable);
  return {
    namespace: "dbt",
    ...{ header, rest, tags: [], types: [] },
    tables: results.map(([table]) => table),
    references: results.flatMap(([, references]) => references),
  };
}

const TABLE_RESOURCE_TYPES = new Set(["model", "seed", "snapshot"]);

/** Members of a node that describe its table. All others describe the build. */
const KEPT_NODE_MEMBERS = [
  ...["resource_type", "database", "schema", "alias", "identifier", "package_name", "original_file_path", "meta"],
  ...["access", "group", "version", "latest_version", "deprecation_date", "loader", "source_description", "freshness"],
];

function readManifestTables(manifest: JsonObject, diagnostics: Diagnostics): readonly DbtTable[] {
  const nodes = readEntries(manifest, "nodes", diagnostics);
  const tests = groupTestsByNode(nodes.map(({ source }) => source));
  const models = nodes.filter(({ source }) => TABLE_RESOURCE_TYPES.has(String(source.resource_type)));
  const sources = readEntries(manifest, "sources", diagnostics);
  return [
    ...models.map(({ id, ...part }) =>
      toManifestTable(part, `ref ${readNodeName(part.source)}`, readNodeName(part.source), id, tests.get(id)),
    ),
    ...sources.map(({ id, ...part }) => {
      const name = `${part.source.source_name}.${readNodeName(part.source)}`;
      return toManifestTable(part, `source ${name}`, name, id, tests.get(id));
    }),
  ];
}

function warnUnreadParts(manifest: JsonObject, diagnostics: Diagnostics) {
  for (const part of ["exposures", "metrics", "semantic_models", "saved_queries", "groups", "unit_tests"]) {
    for (const name of Object.keys(isObject(manifest[part]) ? manifest[part] : {})) {
      diagnostics.warn(`/${part}/${escapePointerToken(name)}`, "not_carried_over", `${part} are not imported`);
    }
  }
  for (const { id, source } of readEntries(manifest, "nodes", diagnostics)) {
    if (!TABLE_RESOURCE_TYPES.has(String(source.resource_type)) || isEmptyValue(source.raw_code)) continue;
    diagnostics.warn(`/nodes/${escapePointerToken(id)}/raw_code`, "not_carried_over", "the query is not imported");
  }
}

const readNodeName = ({ name }: JsonObject) => String(name);

function readEntries(manifest: JsonObject, member: string, diagnostics: Diagnostics) {
  const all = manifest[member];
  return Object.entries(isObject(all) ? all : {}).flatMap(([id, source]) =>
    isObject(source) && typeof source.name === "string"
      ? [{ id, source, diagnostics: diagnostics.at(`/${member}/${escapePointerToken(id)}`) }]
      : [],
  );
}

function groupTestsByNode(nodes: readonly JsonObject[]): ReadonlyMap<string, readonly DbtTest[]> {
  const tests = nodes.flatMap((node) => {
    const { resource_type, test_metadata: metadata, attached_node, column_name, depends_on, config } = node;
    if (resource_type !== "test" || !isObject(metadata) || typeof metadata.name !== "string") return [];
    const lastNode = isObject(depends_on) && Array.isArray(depends_on.nodes) ? depends_on.nodes.at(-1) : undefined;
    const id = String(attached_node ?? lastNode);
    const kwargs = isObject(metadata.kwargs) ? metadata.kwargs : {};
    const args = isObject(kwargs.arguments) ? { ...kwargs, ...kwargs.arguments } : kwargs;
    const { model: _, ...others } = args;
    const column = [column_name, args.column_name].find((one) => typeof one === "string");
    const test: DbtTest = {
      name: removePackage(metadata.name),
      column,
      args,
      isWhole: coversAllRows(config) && coversAllRows(args),
      source: { [metadata.name]: others },
    };
    return [{ id, test }];
  });
  const byId = [...Map.groupBy(tests, ({ id }) => id)];
  return new Map(byId.map(([id, own]) => [id, own.map(({ test }) => test)]));
}

function toManifestTable(
  { source, diagnostics }: Omit<NamedPart, "name">,
  id: string,
  name: string,
  node: string,
  tests: readonly DbtTest[] = [],
): DbtTable {
  const columns = Object.entries(isObject(source.columns) ? source.columns : {}).flatMap(([key, column]) => {
    if (!isObject(column)) return [];
    const recorder = diagnostics.at(`/columns/${escapePointerToken(key)}`);
    return [{ source: column, name: typeof column.name === "string" ? column.name : key, diagnostics: recorder }];
  });
  const config = isObject(source.config) ? source.config : {};
  const list = Object.entries(config).filter(([member, value]) => !IGNORED_SETTINGS.has(member) && isMeaningful(value));
  const members = KEPT_NODE_MEMBERS.flatMap((name) => (isMeaningful(source[name]) ? [[name, source[name]]] : []));
  const rest = { ...Object.fromEntries(members), ...(list.length > 0 && { config: Object.fromEntries(list) }) };
  return { id, name, source, columns, tests, rest, path: [node], diagnostics };
}

/** Settings that the node repeats, or that only affect runs. */
const IGNORED_SETTINGS = new Set(["tags", "meta", "alias", "schema", "database", "group", "access", "enabled"]);

function isMeaningful(value: unknown) {
  return !isEmptyValue(value) && value !== false && !(isObject(value) && Object.keys(value).length === 0);
}

const RESOURCE_TYPES = { models: "model", seeds: "seed", snapshots: "snapshot" } as const;
const READ_FILE_MEMBERS = new Set(["version", "sources", ...Object.keys(RESOURCE_TYPES)]);
const READ_TABLE_MEMBERS = new Set(["name", "description", "columns", "tests", "data_tests", "constraints", "tags"]);

function readPropertiesTables(file: JsonObject, diagnostics: Diagnostics): readonly DbtTable[] {
  warnUnread(file, { names: READ_FILE_MEMBERS }, diagnostics);
  const own = Object.entries(RESOURCE_TYPES).flatMap(([member, kind]) =>
    readNamedParts(file, member, diagnostics).map((part) =>
      toPropertiesTable(part, `ref ${part.name}`, part.name, kind, [member, part.name]),
    ),
  );
  const sources = readNamedParts(file, "sources", diagnostics).flatMap((source) => {
    const { name: sourceName, schema, database } = source.source;
    const location = { ...(schema !== undefined && { schema }), ...(database !== undefined && { database }) };
    warnUnread(source.source, { names: READ_SOURCE_MEMBERS }, source.diagnostics);
    return readNamedParts(source.source, "tables", source.diagnostics).map((part) => {
      const name = `${sourceName}.${part.name}`;
      return toPropertiesTable(part, `source ${name}`, name, "source", ["sources", source.name, part.name], location);
    });
  });
  return [...own, ...sources];
}

const READ_SOURCE_MEMBERS = new Set(["name", "schema", "database", "tables"]);

function toPropertiesTable(
  { source, diagnostics }: NamedPart,
  id: string,
  name: string,
  resource_type: string,
  path: readonly string[],
  location: JsonObject = {},
): DbtTable {
  const columns = readNamedParts(source, "columns", diagnostics);
  const rest = { resource_type, ...location, ...omitRead(source, READ_TABLE_MEMBERS) };
  return { id, name, source, columns, tests: [], rest, path, diagnostics };
}
