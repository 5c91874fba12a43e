import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { enumTypes, warnUnusedTypes } from "../writing/enum-types.ts";
import { type ModelReference, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { madeKey, warnReadBack } from "../writing/read-back.ts";
import { schemasOf } from "../writing/schemas.ts";
import { fileName, writtenName } from "../writing/written-name.ts";
import { isArgument } from "./columns.ts";
import { createSqlNames, sqlComment, sqlName, sqlString } from "./sql-text.ts";
import { type SqlTable, tableOf } from "./tables.ts";

const FORMAT = "PostgreSQL";

const COVERAGE: Coverage = {
  format: FORMAT,
  model: { members: ["name", "description", "version", "entities", "relationships"] },
  types: { members: ["name", "description"] },
  entities: { members: ["name", "description", "attributes", "primaryKey"] },
  attributes: {
    members: ["name", "description", "type", "optional"],
    constraints: [
      ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ...["minLength", "maxLength", "default", "unique"],
    ],
    property: isArgument,
  },
  relationships: { members: ["name", "description", "roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
};

/** The most columns of a key. */
const KEY_COLUMNS = 32;

/** Writes a model as the statements that make its tables in PostgreSQL, with keys, checks and comments. */
export function writePostgresql(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const { statements } = postgresqlOf(document, findings);
  const head = `${document.name} (${document.key}), version ${document.version}`;
  const said = document.description === undefined ? [] : [sqlComment(document.description)];
  const content = [[sqlComment(head), ...said].join("\n"), ...statements].join("\n\n");
  return { fileName: fileName(document.key, ".sql"), content: `${content}\n` };
}

/** The statements of a model in the order in which they run. */
function postgresqlOf(document: ModelDocument, findings: Findings): { readonly statements: readonly string[] } {
  const model = tablesOfModel(document, findings);
  warnReadBack(model, { format: FORMAT, namesReferences: true, uniqueSets: true });
  const values = [...enumTypes(model.tables)].filter(([, list]) => list.every((one) => Buffer.byteLength(one) <= 63));
  const typeKeys = new Set(values.map(([key]) => key));
  warnUnusedTypes(document, FORMAT, (key) => typeKeys.has(key), findings);
  const tableNames = model.tables.map(({ entity }) => writtenName(entity));
  const typeNames = values.map(([key]) => writtenName(document.types.find((type) => type.key === key) ?? { key }));
  const schemas = schemasOf([...tableNames, ...typeNames]);
  const place = placing(schemas);
  const enums = new Map(values.map(([key], i) => [key, place(typeNames[i] ?? key)]));
  for (const [i, { key, name, description }] of document.types.entries()) {
    if (typeKeys.has(key)) continue;
    const says = description !== undefined || (name !== undefined && name !== key);
    if (says) findings.warn(`/types/${i}`, "not_written", "the types of PostgreSQL have no texts of their own");
  }
  const tables = new Map<ModelTable, SqlTable>(
    model.tables.map((table, i) => {
      const name = tableNames[i] ?? table.key;
      const placed = place(name);
      if (placed.name !== name && !schemas) {
        table.at.warn("/key", "written_otherwise", "a name of PostgreSQL has at most 63 bytes, and no type has it too");
      }
      return [table, tableOf(table, placed, enums)];
    }),
  );
  const statements = [
    ...[...(schemas ?? [])].map((schema) => `CREATE SCHEMA IF NOT EXISTS ${sqlName(schema)};`),
    ...values.map(([key, list]) => `CREATE TYPE ${enums.get(key)?.text} AS ENUM (${list.map(sqlString).join(", ")});`),
    ...[...tables.values()].map((table) => table.statement),
    ...model.references.flatMap((reference) => foreignKey(reference, tables)),
    ...[...tables.values()].flatMap((table) => table.comments),
    ...values.flatMap(([key]) => {
      const description = document.types.find((type) => type.key === key)?.description;
      return description === undefined ? [] : [`COMMENT ON TYPE ${enums.get(key)?.text} IS ${sqlString(description)};`];
    }),
  ];
  return { statements };
}

/** Gives names their places: in their schemas where there are several. */
function placing(schemas: ReadonlySet<string> | undefined) {
  const scopes = new Map<string, ReturnType<typeof createSqlNames>>();
  return (name: string) => {
    const dot = schemas ? name.indexOf(".") : -1;
    const schema = name.slice(0, Math.max(0, dot));
    const scope = scopes.get(schema) ?? createSqlNames();
    scopes.set(schema, scope);
    const own = scope.take(name.slice(dot + 1));
    return { name: own, text: dot < 0 ? sqlName(own) : `${sqlName(schema)}.${sqlName(own)}` };
  };
}

function foreignKey(reference: ModelReference, tables: ReadonlyMap<ModelTable, SqlTable>): readonly string[] {
  const { relationship, at, from, to, columns, referred } = reference;
  const [here, there] = [tables.get(from), tables.get(to)];
  if (!here || !there) return [];
  const refuse = (why: string): readonly string[] => {
    at.warn("/keyPairs", "not_written", why);
    return [];
  };
  if (columns.length > KEY_COLUMNS) return refuse(`a key of PostgreSQL has at most ${KEY_COLUMNS} columns`);
  if (new Set(columns).size < columns.length) return refuse("a foreign key has each column once");
  const isKey = there.keys.some((key) => key.length === referred.length && key.every((one) => referred.includes(one)));
  if (!isKey) return refuse("a foreign key refers to the columns of a primary or unique key");
  const joins = columns.every((key, i) => here.column(key)?.joins === there.column(referred[i] ?? "")?.joins);
  if (!joins) return refuse("a foreign key joins columns of like types");
  const namesOf = (table: SqlTable, keys: readonly string[]): string =>
    keys.map((key) => sqlName(table.column(key)?.name ?? key)).join(", ");
  // Names of this form are made by PostgreSQL itself, and may be taken.
  const isMade =
    relationship.key === madeKey(reference) || /_(check|f?key|pkey|excl|not_null)\d*$/.test(relationship.key);
  if (isMade && relationship.key !== madeKey(reference))
    at.warn("/key", "not_written", "the name is left to PostgreSQL");
  const name = isMade ? undefined : here.constraints.take(relationship.key);
  const called = name === undefined ? "" : ` CONSTRAINT ${sqlName(name)}`;
  const { name: title, description } = relationship;
  if (title !== undefined && title !== relationship.key) at.warn("/name", "not_written", "a foreign key has no title");
  if (description !== undefined && name === undefined) {
    at.warn("/description", "not_written", "a foreign key without a name has no comment");
  }
  return [
    `ALTER TABLE ${here.text} ADD${called} FOREIGN KEY (${namesOf(here, columns)}) REFERENCES ${there.text} (${namesOf(there, referred)});`,
    ...(description !== undefined && name !== undefined
      ? [`COMMENT ON CONSTRAINT ${sqlName(name)} ON ${here.text} IS ${sqlString(description)};`]
      : []),
  ];
}
