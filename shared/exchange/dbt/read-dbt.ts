import { isObject, type JsonObject } from "../json-object.ts";
import type { ReadFormat, Reading } from "../reading.ts";
import type { SourceTables } from "../tables/source-tables.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { type DbtTable, dbtTable } from "./dbt-tables.ts";
import { manifestTables, warnUnreadParts } from "./manifest.ts";
import { propertiesTables } from "./properties-file.ts";

/** Reads a dbt manifest, or a properties file (`schema.yml`): models, seeds, snapshots and source tables as entities. */
export const readDbt: ReadFormat = (source, reading) => {
  // It was recognised by its members.
  const file = source as JsonObject;
  return isObject(file.metadata) ? readManifest(file, file.metadata, reading) : readProperties(file, reading);
};

function readManifest(file: JsonObject, metadata: JsonObject, reading: Reading) {
  warnUnreadParts(file, reading.findings);
  const { project_name: name, dbt_version, adapter_type, dbt_schema_version } = metadata;
  const kept = { dbt_version, adapter_type, dbt_schema_version };
  return documentOfTables(sourceOf(manifestTables(file, reading.findings), { name }, kept), reading);
}

function readProperties(file: JsonObject, reading: Reading) {
  return documentOfTables(sourceOf(propertiesTables(file, reading.findings), {}, {}), reading);
}

function sourceOf(tables: readonly DbtTable[], header: JsonObject, kept: JsonObject): SourceTables {
  const made = tables.map(dbtTable);
  return {
    namespace: "dbt",
    ...{ header, kept, tags: [], types: [] },
    tables: made.map(([table]) => table),
    references: made.flatMap(([, references]) => references),
  };
}
