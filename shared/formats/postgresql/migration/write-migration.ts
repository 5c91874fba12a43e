import type { ComparedDocuments } from "../../../actions/contract/ports.ts";
import { type DocumentMatch, matchDocuments } from "../../../domain/compare/match-documents.ts";
import type { ModelDocument } from "../../../domain/document/document.ts";
import type { Diagnostics } from "../../common/diagnostics.ts";
import type { FormatFile } from "../../common/format.ts";
import { warnUncovered } from "../../common/writing/coverage.ts";
import { toFileName } from "../../common/writing/written-names.ts";
import type { SqlColumn } from "../columns.ts";
import { formatSqlComment, quoteName, quoteString, type SqlEnum } from "../names.ts";
import { createSqlSchema, POSTGRESQL_COVERAGE, type SqlSchema } from "../schema.ts";
import { isSerial } from "../sql-types.ts";
import { COMMENT_TARGETS, formatComment, formatCreateEnum, formatCreateTable } from "../write-postgresql.ts";
import { createWarningRecorder, reportChangedWarnings } from "./changed-warnings.ts";
import { addColumns, changeColumns } from "./column-steps.ts";
import { createDrafting, type Drafting, type Step, toKeyMarks, toNameMark, toSchemaScope } from "./draft.ts";
import { addDrops } from "./drops.ts";
import { addCheckDrops, addChecks, addKeys } from "./key-steps.ts";
import { findEnumChange, isRecreated, listKeys, type MatchedSchema, matchSchemas } from "./matched-schema.ts";
import { addRenames } from "./renames.ts";

/**
 * Writes the difference of two models as a draft of a PostgreSQL migration. Steps that may lose data or fail on
 * existing rows are commented out.
 */
export function writeMigration({ left, right, names }: ComparedDocuments, diagnostics: Diagnostics): FormatFile {
  const match = matchDocuments(left, right);
  const told = [createWarningRecorder(), createWarningRecorder()] as const;
  warnUncovered(left, POSTGRESQL_COVERAGE, told[0]);
  warnUncovered(right, POSTGRESQL_COVERAGE, told[1]);
  const { steps, matched } = createMigration(createSqlSchema(left, told[0]), createSqlSchema(right, told[1]), match);
  reportChangedWarnings([left, right], told, match, diagnostics);
  warnUnmigrated(matched, right, diagnostics);
  const blocks = steps.map(([{ sql }, held]) =>
    held === undefined ? sql : `${formatProse(held)}\n${formatSqlComment(sql)}`,
  );
  const count = steps.filter(([, held]) => held !== undefined).length;
  const head = [
    `Draft of a PostgreSQL migration from ${names[0]} to ${names[1]}.`,
    ...(steps.length === 0 ? ["No changes."] : []),
    ...(count === 0
      ? []
      : [
          `${count} of ${steps.length} steps are commented out: they lose data, or may fail on existing rows.`,
          "To run a step, remove `-- ` at the start of its lines.",
        ]),
  ].map(formatProse);
  const body = steps.length === 0 ? [] : ["BEGIN;", ...blocks, "COMMIT;"];
  return {
    fileName: toFileName(`${right.key}-migration`, ".sql"),
    content: `${[head.join("\n"), ...body].join("\n\n")}\n`,
  };
}

/** Formats a sentence that stays a comment when steps are uncommented. */
function formatProse(text: string): string {
  return formatSqlComment(text).replace(/^--/gm, "---");
}

/** Warns about changes of existing tables that no statement makes. */
function warnUnmigrated({ keptTables }: MatchedSchema, { entities }: ModelDocument, diagnostics: Diagnostics): void {
  for (const { left, right, columns } of keptTables) {
    const at = diagnostics.at(`/right/entities/${entities.indexOf(right.entity)}/attributes`);
    const rightOf = new Map(columns.kept.map((kept) => [kept.left, kept.right]));
    const order = [...left.columns.map((one) => rightOf.get(one)).filter((one) => one !== undefined), ...columns.added];
    if (order.some((one, i) => one !== right.columns[i])) {
      at.warn("", "written_otherwise", "new columns are added at the end, and columns are not reordered");
    }
    for (const { left: was, right: is } of columns.kept) {
      if (isSerial(was.type.name) || !isSerial(is.type.name)) continue;
      const place = `/${right.columns.indexOf(is)}/type`;
      at.warn(place, "not_written", "an existing column cannot become serial");
    }
  }
}

/** Steps of a migration in order, and the matched schemas. */
interface Migration {
  readonly steps: readonly (readonly [step: Step, held: string | undefined])[];
  readonly matched: MatchedSchema;
}

/** Creates the steps for a database with the left schema. */
function createMigration(left: SqlSchema, right: SqlSchema, match: DocumentMatch): Migration {
  const matched = matchSchemas(left, right, match);
  const drafting = createDrafting(left, right, matched);
  const { draft } = drafting;
  for (const schema of right.schemas) {
    if (!left.schemas.includes(schema)) draft.add(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`);
  }
  const drops = addCheckDrops(drafting);
  addDrops(drafting);
  addRenames(drafting);
  addEnums(drafting);
  addTables(drafting);
  addColumns(drafting);
  const typeSteps = new Map<SqlColumn, Step>();
  changeColumns(drafting, (column, step) => typeSteps.set(column, step));
  addEnumDrops(drafting);
  addChecks(drafting, drops, typeSteps);
  addKeys(drafting);
  addComments(drafting);
  return { steps: draft.listSteps(), matched };
}

function addTables({ draft, matched, findSteps, addSteps }: Drafting): void {
  for (const table of matched.tables.added) {
    const enums = table.columns.map(({ type }) => type.enum);
    const step = draft.add(formatCreateTable(table), {
      needs: findSteps(...enums),
      takes: [
        toNameMark(toSchemaScope(table.schema), table.name),
        ...listKeys(table).flatMap((key) => toKeyMarks(table, key, table)),
      ],
    });
    addSteps(table, step);
  }
}

/** Creates new enums and adds new values to existing ones. */
function addEnums(drafting: Drafting): void {
  const { draft, matched, addSteps, findSteps } = drafting;
  const create = (one: SqlEnum): void => {
    addSteps(one, draft.add(formatCreateEnum(one), { takes: [toNameMark(toSchemaScope(one.schema), one.name)] }));
  };
  for (const one of matched.enums.added) create(one);
  for (const kept of matched.enums.kept) {
    const { left, right } = kept;
    const change = findEnumChange(kept, matched);
    if (change === "replaced") create(right);
    if (change !== "added") continue;
    for (const [i, value] of right.values.entries()) {
      if (left.values.includes(value)) continue;
      const before = right.values[i - 1];
      const place =
        before === undefined ? `BEFORE ${quoteString(left.values[0] ?? "")}` : `AFTER ${quoteString(before)}`;
      const sql = `ALTER TYPE ${right.text} ADD VALUE ${quoteString(value)} ${place};`;
      addSteps(right, draft.add(sql, { needs: findSteps(right) }));
    }
  }
}

/** Drops enums that no column uses any more. */
function addEnumDrops({ draft, left, matched, enumNow, findSteps }: Drafting): void {
  const replaced = matched.enums.kept.filter((kept) => findEnumChange(kept, matched) === "replaced");
  for (const one of [...matched.enums.removed, ...replaced.map((kept) => kept.left)]) {
    const columns = left.tables.flatMap((table) =>
      table.columns.filter(({ type }) => type.enum === one).flatMap((column) => [table, column]),
    );
    draft.add(`DROP TYPE ${enumNow.get(one) ?? one.text};`, { needs: findSteps(one, ...columns) });
  }
}

/** Changes comments that differ. */
function addComments({ draft, matched, findSteps }: Drafting): void {
  const say = (
    on: string,
    before: string | undefined,
    after: string | undefined,
    ...things: readonly object[]
  ): void => {
    if (before !== after) draft.add(formatComment(on, after), { needs: findSteps(...things) });
  };
  const { tables, keptTables, foreignKeys, enums } = matched;
  for (const { left, right, columns } of keptTables) {
    say(COMMENT_TARGETS.table(right), left.entity.description, right.entity.description, right);
    for (const { left: was, right: is } of columns.kept) {
      say(COMMENT_TARGETS.column(right, is), was.attribute.description, is.attribute.description, right, is);
    }
    for (const one of columns.added)
      say(COMMENT_TARGETS.column(right, one), undefined, one.attribute.description, right, one);
  }
  for (const table of tables.added) {
    say(COMMENT_TARGETS.table(table), undefined, table.entity.description, table);
    for (const one of table.columns)
      say(COMMENT_TARGETS.column(table, one), undefined, one.attribute.description, table);
  }
  for (const kept of foreignKeys.kept) {
    const before = isRecreated(kept, matched) ? undefined : kept.left.description;
    say(COMMENT_TARGETS.foreignKey(kept.right), before, kept.right.description, kept.right.from, kept.right);
  }
  for (const key of foreignKeys.added) say(COMMENT_TARGETS.foreignKey(key), undefined, key.description, key.from, key);
  for (const kept of enums.kept) {
    const before = findEnumChange(kept, matched) === "replaced" ? undefined : kept.left.type.description;
    say(COMMENT_TARGETS.enum(kept.right), before, kept.right.type.description, kept.right);
  }
  for (const one of enums.added) say(COMMENT_TARGETS.enum(one), undefined, one.type.description, one);
}
