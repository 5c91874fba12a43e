import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { warnUnread } from "../members.ts";
import { restOf } from "../tables/kept-rest.ts";
import { type NamedPart, namedIn } from "../tables/parts.ts";
import type { DbtTable } from "./dbt-tables.ts";

const KINDS = { models: "model", seeds: "seed", snapshots: "snapshot" } as const;
const READ = new Set(["version", "sources", ...Object.keys(KINDS)]);
const TABLE_MEMBERS = new Set(["name", "description", "columns", "tests", "data_tests", "constraints", "tags"]);

/** The tables of a properties file; what else it describes is a warning. */
export function propertiesTables(file: JsonObject, findings: Findings): readonly DbtTable[] {
  warnUnread(file, { read: READ }, findings);
  const own = Object.entries(KINDS).flatMap(([member, kind]) =>
    namedIn(file, member, findings).map((part) =>
      tableOf(part, `ref ${part.name}`, part.name, kind, [member, part.name]),
    ),
  );
  const sources = namedIn(file, "sources", findings).flatMap((source) => {
    const { name: of, schema, database } = source.source;
    const around = { ...(schema !== undefined && { schema }), ...(database !== undefined && { database }) };
    warnUnread(source.source, { read: SOURCE_MEMBERS }, source.findings);
    return namedIn(source.source, "tables", source.findings).map((part) => {
      const name = `${of}.${part.name}`;
      return tableOf(part, `source ${name}`, name, "source", ["sources", source.name, part.name], around);
    });
  });
  return [...own, ...sources];
}

const SOURCE_MEMBERS = new Set(["name", "schema", "database", "tables"]);

function tableOf(
  { source, findings }: NamedPart,
  id: string,
  name: string,
  resource_type: string,
  path: readonly string[],
  around: JsonObject = {},
): DbtTable {
  const kept = { resource_type, ...around, ...restOf(source, TABLE_MEMBERS) };
  return { id, name, source, columns: namedIn(source, "columns", findings), tests: [], kept, path, findings };
}
