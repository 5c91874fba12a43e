import type { SqlColumn } from "./columns.ts";
import { fitDescription } from "./descriptions.ts";
import type { DdlDialect } from "./dialect.ts";
import { quoteString } from "./literals.ts";
import { quoteName, type SqlEnum, type SqlName } from "./names.ts";
import type { SqlForeignKey } from "./references.ts";
import type { SqlSchema } from "./schema.ts";
import type { SqlTable } from "./tables.ts";

/** Formats the comment of a column that is a part of its line. Returns an empty text without one. */
export function formatColumnComment(
  { attribute: { description } }: SqlColumn,
  part: "clause" | "line",
  dialect: DdlDialect,
): string {
  const { place } = dialect.comments;
  if (description === undefined || (part === "line") !== (place === "lines")) return "";
  const text = fitDescription(description, "column", dialect);
  if (place === "lines") return ` -- ${text}`;
  const quoted = quoteString(text, dialect.literals);
  return place === "clauses" ? `COMMENT ${quoted}` : place === "options" ? `OPTIONS (description = ${quoted})` : "";
}

/** Formats the comment of a table that is an option of it. */
export function formatTableComment({ entity: { description } }: SqlTable, dialect: DdlDialect): readonly string[] {
  const { place } = dialect.comments;
  if (description === undefined || (place !== "clauses" && place !== "options")) return [];
  const quoted = quoteString(fitDescription(description, "table", dialect), dialect.literals);
  return [place === "clauses" ? `COMMENT = ${quoted}` : `OPTIONS (description = ${quoted})`];
}

/** Returns the statements that comment on the objects of a schema. */
export function listCommentStatements(schema: SqlSchema, dialect: DdlDialect): readonly string[] {
  switch (dialect.comments.place) {
    case "statements":
      return listComments(schema, dialect);
    case "properties":
      return schema.tables.flatMap((table) => listProperties(table, dialect));
    default:
      return [];
  }
}

function listComments({ tables, views, enums }: SqlSchema, dialect: DdlDialect): readonly string[] {
  const { names } = dialect;
  const comment = (target: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [formatComment(target, text, dialect)];
  return [
    ...tables.flatMap((table) => [
      ...comment(formatCommentTarget.table(table), table.entity.description),
      ...table.columns.flatMap((one) => comment(formatCommentTarget.column(table, one), one.attribute.description)),
    ]),
    ...views.flatMap((view) => [
      ...comment(`${view.isMaterialized ? "MATERIALIZED " : ""}VIEW ${view.text}`, view.entity.description),
      ...view.described.flatMap(({ name, description }) =>
        comment(`COLUMN ${view.text}.${quoteName(name, names)}`, description),
      ),
    ]),
    ...enums.flatMap((one) => comment(formatCommentTarget.enum(one), one.type.description)),
  ];
}

/** Returns the statement that comments on a foreign key. */
export function listForeignKeyComments(key: SqlForeignKey, dialect: DdlDialect): readonly string[] {
  const isWritten = key.description !== undefined && dialect.comments.place === "statements";
  return isWritten ? [formatComment(formatCommentTarget.foreignKey(key, dialect), key.description, dialect)] : [];
}

/** Formats a comment. Without text it removes the comment. */
export function formatComment(target: string, text: string | undefined, { literals }: DdlDialect): string {
  return `COMMENT ON ${target} IS ${text === undefined ? "NULL" : quoteString(text, literals)};`;
}

/** Functions that format the object of a comment. */
export const formatCommentTarget = {
  table: ({ text }: SqlName) => `TABLE ${text}`,
  column: ({ text }: SqlName, column: SqlColumn) => `COLUMN ${text}.${column.text}`,
  foreignKey: ({ name, from }: SqlForeignKey, { names }: DdlDialect) =>
    `CONSTRAINT ${quoteName(name, names)} ON ${from.text}`,
  enum: ({ text }: SqlEnum) => `TYPE ${text}`,
};

/** Returns the statements that add the extended properties of a table. */
function listProperties(table: SqlTable, dialect: DdlDialect): readonly string[] {
  const { entity, schema = DEFAULT_SCHEMA, name, columns } = table;
  const quote = (text: string) => quoteString(text, dialect.literals);
  const format = (text: string, owner: "table" | "column", levels: readonly string[]) =>
    [
      "EXEC sys.sp_addextendedproperty @name = N'MS_Description'",
      `@value = ${quote(fitDescription(text, owner, dialect))}`,
      `@level0type = N'SCHEMA', @level0name = ${quote(schema)}`,
      `@level1type = N'TABLE', @level1name = ${quote(name)}`,
      ...levels,
    ].join(", ");
  const own = entity.description === undefined ? [] : [`${format(entity.description, "table", [])};`];
  const inner = columns.flatMap(({ name: column, attribute: { description } }) => {
    const level = `@level2type = N'COLUMN', @level2name = ${quote(column)}`;
    return description === undefined ? [] : [`${format(description, "column", [level])};`];
  });
  return [...own, ...inner];
}

/** Schema of tables whose names have none. */
const DEFAULT_SCHEMA = "dbo";
