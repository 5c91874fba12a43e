import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";
import { warnUncovered } from "../writing/coverage.ts";
import { fileName } from "../writing/written-name.ts";
import { COVERAGE } from "./covered.ts";
import { addForeignKey, commentOn, createEnum, createTable, ON } from "./definitions.ts";
import { type SqlSchema, schemaOf } from "./schema.ts";
import { sqlComment, sqlName } from "./sql-text.ts";

/** Writes a model as the statements that make its tables in PostgreSQL, with keys, checks and comments. */
export function writePostgresql(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const statements = statementsOf(schemaOf(document, findings));
  const head = `${document.name} (${document.key}), version ${document.version}`;
  const said = document.description === undefined ? [] : [sqlComment(document.description)];
  const content = [[sqlComment(head), ...said].join("\n"), ...statements].join("\n\n");
  return { fileName: fileName(document.key, ".sql"), content: `${content}\n` };
}

/** The statements that make a schema, in the order in which they run. */
function statementsOf({ schemas, enums, tables, foreignKeys }: SqlSchema): readonly string[] {
  const comment = (thing: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [commentOn(thing, text)];
  return [
    ...schemas.map((schema) => `CREATE SCHEMA IF NOT EXISTS ${sqlName(schema)};`),
    ...enums.map(createEnum),
    ...tables.map(createTable),
    ...foreignKeys.flatMap((key) => [addForeignKey(key), ...comment(ON.foreignKey(key), key.description)]),
    ...tables.flatMap((table) => [
      ...comment(ON.table(table), table.entity.description),
      ...table.columns.flatMap((one) => comment(ON.column(table, one), one.attribute.description)),
    ]),
    ...enums.flatMap((one) => comment(ON.enum(one), one.type.description)),
  ];
}
