import type { ModelTable } from "../common/writing/model-tables.ts";
import type { ColumnTerms } from "./columns.ts";
import type { DdlDialect } from "./dialect.ts";
import { findUnknownPart, listQueriedTables } from "./expressions.ts";
import { quoteName, type SqlName } from "./names.ts";
import type { NamedTable } from "./tables.ts";

/** A view for an entity with a query of the same dialect. */
export interface SqlView extends SqlName {
  readonly entity: ModelTable["entity"];
  readonly query: string;
  readonly isMaterialized: boolean;
  /** Columns with a description. */
  readonly described: readonly { readonly name: string; readonly text: string; readonly description: string }[];
}

/** Returns true for an entity that its source has as a view. */
export function isView({ entity }: ModelTable): boolean {
  return /^(materialized )?view$/.test(String(entity.properties?.["sql:kind"]));
}

/** Returns the views of a model, each after those that it uses. Warns about those that are written as tables. */
export function createViews(
  named: readonly NamedTable[],
  tableNames: readonly string[],
  isOwn: boolean,
  { dialect }: ColumnTerms,
): ReadonlyMap<ModelTable, SqlView> {
  const known = new Set(tableNames.map(toLocalName));
  const views = new Map<string, SqlView & { readonly table: ModelTable; readonly uses: readonly string[] }>();
  for (const { table, sqlName } of named) {
    const { entity, at } = table;
    const query = entity.properties?.["sql:query"];
    const isMaterialized = entity.properties?.["sql:kind"] === "materialized view";
    const uses = typeof query === "string" && isOwn ? listQueriedTables(query, dialect.dialect) : undefined;
    const reason =
      uses === undefined || (isMaterialized && !dialect.views.materialized)
        ? "it has no query of this dialect"
        : uses.every((one) => known.has(toLocalName(one)))
          ? findUnknownPart(String(query), dialect)
          : "its query uses tables that the model does not have";
    if (reason !== undefined) {
      at.warn("/properties/sql:kind", "written_otherwise", `the view is written as a table: ${reason}`);
      continue;
    }
    const described = table.columns.flatMap(({ attribute: { key, name = key, description } }) =>
      description === undefined ? [] : [{ name, text: quoteName(name, dialect.names), description }],
    );
    views.set(toLocalName(sqlName.name), {
      ...{ ...sqlName, entity, table, query: String(query), isMaterialized, described },
      uses: (uses ?? []).map(toLocalName),
    });
    warnKeys(table, dialect);
    if (entity.description !== undefined && dialect.comments.place !== "statements") {
      at.warn("/description", "not_written", `views of ${dialect.name} have no description`);
    }
  }
  const ordered = new Map<ModelTable, SqlView>();
  const add = (name: string) => {
    const view = views.get(name);
    if (!view) return;
    views.delete(name);
    const { table, uses, ...one } = view;
    for (const used of uses) add(used);
    ordered.set(table, one);
  };
  for (const name of [...views.keys()]) add(name);
  return ordered;
}

function warnKeys({ primaryKey, unique, at }: ModelTable, { name }: DdlDialect) {
  const reason = `views of ${name} have no keys`;
  if (primaryKey.length > 0) at.warn("/primaryKey", "not_written", reason);
  for (const set of unique) set.at.warn("", "not_written", reason);
}

function toLocalName(name: string) {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
