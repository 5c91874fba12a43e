import type { Constraints } from "../../../shared/domain/constraints/keywords.ts";
import type { AttributeDocument, ModelDocument } from "../../../shared/domain/document/document.ts";
import { PHYSICAL } from "../../../shared/domain/normal-form/dialect-rules.ts";
import { findReferenceSides } from "../../../shared/formats/common/writing/model-tables.ts";

/** A column as a text of PostgreSQL tells it. */
export interface SqlColumn {
  readonly name: string;
  type: string;
  required: boolean;
  /** A literal as a text, `expression` for anything else, nothing without a default. */
  default?: string | undefined;
  comment?: string | undefined;
  /** True for a column whose values the database counts; only readers say so. */
  readonly isNumbered?: boolean;
}

/** A table as a text of PostgreSQL tells it; keys are names of columns joined by a plus. */
export interface SqlTable {
  readonly columns: SqlColumn[];
  comment?: string | undefined;
  readonly isView?: boolean;
  primaryKey: string;
  readonly unique: Set<string>;
  /** Each as `own > table referred`. */
  readonly references: Set<string>;
}

/** What a text of PostgreSQL tells: its tables by `schema.name`, and the values of its enums by their names. */
export interface SqlSchema {
  readonly tables: Map<string, SqlTable>;
  readonly enums: Map<string, string>;
}

/** A literal as a text; numbers without the digits that say nothing. */
export function literal(value: unknown): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  const text = String(value);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? String(Number(text)) : text;
}

/** What is told as lines, without views, in an order of their own: columns stay in that of their table. */
export function linesOf({ tables, enums }: SqlSchema): readonly string[] {
  const lines = [...enums].map(([name, values]) => `enum ${name}: ${values}`);
  for (const [name, { columns, comment, isView, primaryKey, unique, references }] of tables) {
    if (isView) continue;
    lines.push(`table ${name}: ${comment ?? ""}`, `primary key of ${name}: ${primaryKey}`);
    lines.push(...[...unique].map((key) => `unique in ${name}: ${key}`));
    lines.push(...[...references].map((one) => `reference of ${name}: ${one}`));
    for (const [i, column] of columns.entries()) {
      const { name: own, type, required, default: value, comment: said } = column;
      const rest = [type, required ? "not null" : "", value ?? "no default", said ?? ""].join(" | ");
      lines.push(`column ${i} of ${name}: ${own} ${rest}`);
    }
  }
  return lines.toSorted();
}

const bare = (ref: string) => ref.replace(/^key:/, "");

/** Returns the schema that a reader has made of a text; the types of columns are those of PostgreSQL unless `formatType` is given. */
export function toSqlSchema(document: ModelDocument, formatType = formatPostgresType): SqlSchema {
  const { entities, relationships, businessKeys, types, properties } = document;
  const schema = properties?.["sql:schema"];
  const typeNames = new Map(types.map(({ key, name }) => [key, name ?? key]));
  const described = new Set(types.filter((one) => one.properties !== undefined).map(({ key }) => `key:${key}`));
  const tableNames = new Map(
    entities.map(({ key, name }) => [`key:${key}`, schema === undefined ? (name ?? key) : `${schema}.${name ?? key}`]),
  );
  const columns = new Map(
    entities.map(({ key, attributes }) => [
      `key:${key}`,
      new Map(attributes.map((one) => [`key:${one.key}`, one.name ?? one.key])),
    ]),
  );
  const named = (entity: string, refs: readonly string[]): readonly string[] =>
    refs.map((ref) => columns.get(entity)?.get(ref) ?? ref);
  const tables = new Map<string, SqlTable>();
  for (const entity of entities) {
    const ref = `key:${entity.key}`;
    const sets = businessKeys.filter((one) => one.entity === ref).map((one) => named(ref, one.participants));
    tables.set(tableNames.get(ref) ?? "", {
      columns: entity.attributes.map((one) => ({
        name: one.name ?? one.key,
        // What a domain says holds for its columns, and is none of their text.
        type: described.has(one.type)
          ? (typeNames.get(bare(one.type)) ?? "")
          : formatType(one, typeNames.get(bare(one.type)) ?? ""),
        required: !one.optional,
        default: defaultOf(one),
        isNumbered: one.properties?.["sql:identity"] !== undefined,
        comment: one.description,
      })),
      comment: entity.description,
      isView: /view/.test(String(entity.properties?.["sql:kind"] ?? "")),
      primaryKey: named(ref, entity.primaryKey).join("+"),
      unique: new Set(sets.map((set) => set.toSorted().join("+"))),
      references: new Set(),
    });
  }
  for (const relationship of relationships) {
    const sides = findReferenceSides(relationship);
    if (!sides) continue;
    const { from, to, attributes, targets } = sides;
    const line = `${named(from, attributes).join("+")} > ${tableNames.get(to)} ${named(to, targets).join("+")}`;
    tables.get(tableNames.get(from) ?? "")?.references.add(line);
  }
  const enums = types.flatMap(({ key, name, properties: own }) =>
    Array.isArray(own?.["sql:values"]) ? [[name ?? key, own["sql:values"].join("|")] as const] : [],
  );
  return { tables, enums: new Map(enums) };
}

function formatPostgresType({ constraints = {}, properties = {} }: AttributeDocument, type: string): string {
  const { "sql:precision": precision, "sql:scale": scale, "sql:arguments": other } = properties;
  const said =
    constraints.maxLength ??
    other ??
    (precision === undefined ? undefined : [precision, scale].filter((one) => one !== undefined).join(","));
  const [name = "", array = ""] = [type.replace(/(\[\])*$/, ""), /(\[\])*$/.exec(type)?.[0]];
  // What `char` without a length is.
  const size = said ?? (name === "char" ? "1" : undefined);
  if (name.startsWith("interval")) return `interval${array}`;
  return (size === undefined ? name : `${name}(${String(size).replace(/\s/g, "")})`) + array;
}

function defaultOf({ constraints = {}, properties = {} }: AttributeDocument): string | undefined {
  const { constraints: written } = (properties[PHYSICAL] ?? {}) as { readonly constraints?: Constraints };
  const value = written?.default ?? constraints.default;
  if (value !== undefined) return literal(value);
  return properties["sql:default"] === undefined ? undefined : "expression";
}

/** A table as a database and a model describe it; its columns are as the test compares them. */
export interface TableFacts {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly unknown[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly string[];
  readonly references: readonly string[];
}

/** Lists the tables of a schema, sorted by name; `toColumn` describes a column, and views have the names of theirs. */
export function listTables({ tables }: SqlSchema, toColumn: (column: SqlColumn) => unknown): readonly TableFacts[] {
  return [...tables]
    .map(([name, { comment = "", columns, isView, primaryKey, unique, references }]) => ({
      ...{ name, comment },
      columns: columns.map((one) => (isView ? one.name : toColumn(one))),
      primaryKey: primaryKey.split("+").filter(Boolean),
      ...{ unique: [...unique].toSorted(), references: [...references].toSorted() },
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
