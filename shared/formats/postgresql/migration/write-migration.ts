import type { ComparedDocuments } from "../../../actions/contract/ports.ts";
import { type DocumentMatch, matchDocuments } from "../../../domain/compare/match-documents.ts";
import type { ModelDocument } from "../../../domain/document/document.ts";
import type { Diagnostics } from "../../common/diagnostics.ts";
import { warnUncovered } from "../../common/writing/coverage.ts";
import { isSerial, type SqlColumn } from "../../ddl/columns.ts";
import { formatCommentTarget } from "../../ddl/comments.ts";
import { POSTGRESQL } from "../../ddl/dialects/postgresql.ts";
import { formatSqlComment, type SqlEnum } from "../../ddl/names.ts";
import { createCoverage, createSqlSchema, type SqlSchema } from "../../ddl/schema.ts";
import { createWarningRecorder, reportChangedWarnings } from "./changed-warnings.ts";
import { addColumns, changeColumns, changesFormula, changesNumbers } from "./column-steps.ts";
import { Drafting, type Step, toObjectMark, toTableMarks } from "./draft.ts";
import { addDrops } from "./drops.ts";
import { addCheckDrops, addChecks, addKeys } from "./key-steps.ts";
import {
  type Diff,
  findEnumChange,
  isRecreated,
  type MatchedSchema,
  matchSchemas,
  type Pair,
} from "./matched-schema.ts";
import { addObjectDrops, addObjects } from "./object-steps.ts";
import { addRenames } from "./renames.ts";
import { formatComment, formatCreateEnum, formatCreateTable, quoteName, quoteString } from "./statements.ts";

/** Writes a draft of a PostgreSQL migration. Steps that may lose data or fail on existing rows are commented out. */
export function writeMigration({ left, right, names }: ComparedDocuments, diagnostics: Diagnostics): string {
  const match = matchDocuments(left, right);
  const recorders = [createWarningRecorder(), createWarningRecorder()] as const;
  const coverage = createCoverage(POSTGRESQL);
  warnUncovered(left, coverage, recorders[0]);
  warnUncovered(right, coverage, recorders[1]);
  const [leftSchema, rightSchema] = [left, right].map((one, i) =>
    createSqlSchema(one, recorders[i === 0 ? 0 : 1], POSTGRESQL),
  ) as [SqlSchema, SqlSchema];
  const drafting = createMigration(leftSchema, rightSchema, match);
  reportChangedWarnings([left, right], recorders, match, diagnostics);
  warnUnmigrated(drafting.match, right, diagnostics);
  const steps = drafting.listSteps();
  const blocks = steps.map(([{ sql }, reason]) =>
    reason === undefined ? sql : `${formatProse(reason)}\n${formatSqlComment(sql)}`,
  );
  const count = steps.filter(([, reason]) => reason !== undefined).length;
  const hint = [
    `${count} of ${steps.length} steps are commented out: they lose data, or may fail on existing rows.`,
    "To run a step, remove `-- ` at the start of its lines.",
  ];
  const head = [
    `Draft of a PostgreSQL migration from ${names[0]} to ${names[1]}.`,
    ...(steps.length === 0 ? ["No changes."] : []),
    ...(count === 0 ? [] : hint),
  ].map(formatProse);
  const body = steps.length === 0 ? [] : ["BEGIN;", ...blocks, "COMMIT;"];
  return `${[head.join("\n"), ...body].join("\n\n")}\n`;
}

function formatProse(text: string) {
  return formatSqlComment(text).replace(/^--/gm, "---");
}

function warnUnmigrated({ keptTables }: MatchedSchema, { entities }: ModelDocument, diagnostics: Diagnostics) {
  for (const { left, right, columns } of keptTables) {
    const at = diagnostics.at(`/right/entities/${entities.indexOf(right.entity)}/attributes`);
    const pairs = new Map(columns.pairs.map((pair) => [pair.left, pair.right]));
    const all = [...left.columns.map((one) => pairs.get(one)).filter((one) => one !== undefined), ...columns.additions];
    if (all.some((one, i) => one !== right.columns[i])) {
      at.warn("", "written_otherwise", "new columns are added at the end, and columns are not reordered");
    }
    for (const { left: from, right: to } of columns.pairs) {
      const becomesSerial = !isSerial(from.type.name) && isSerial(to.type.name);
      const path = `/${right.columns.indexOf(to)}`;
      if (becomesSerial) at.warn(`${path}/type`, "not_written", "an existing column cannot become serial");
      if (changesNumbers({ left: from, right: to })) {
        at.warn(`${path}/properties`, "not_written", "an existing column cannot become an identity column");
      }
      if (changesFormula({ left: from, right: to })) {
        at.warn(`${path}/properties`, "not_written", "the expression of an existing column cannot be changed");
      }
    }
  }
}

function createMigration(left: SqlSchema, right: SqlSchema, match: DocumentMatch): Drafting {
  const drafting = new Drafting(left, right, matchSchemas(left, right, match));
  for (const schema of right.schemas) {
    if (!left.schemas.includes(schema)) drafting.add(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`);
  }
  addObjectDrops(drafting);
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
  addObjects(drafting);
  addComments(drafting);
  return drafting;
}

function addTables(drafting: Drafting) {
  for (const table of drafting.match.tables.additions) {
    const needs = drafting.findSteps(...table.columns.map(({ type }) => type.enum));
    drafting.add(formatCreateTable(table), { needs, takes: toTableMarks(table), things: [table] });
  }
}

function addEnums(drafting: Drafting) {
  const { additions, pairs } = drafting.match.enums;
  const create = (one: SqlEnum): Step =>
    drafting.add(formatCreateEnum(one), { takes: [toObjectMark(one)], things: [one] });
  for (const one of additions) create(one);
  for (const { left, right } of pairs) {
    const change = findEnumChange({ left, right }, drafting.match);
    if (change === "replaced") create(right);
    if (change !== "added") continue;
    for (const [i, value] of right.values.entries()) {
      if (left.values.includes(value)) continue;
      const before = right.values[i - 1];
      const position =
        before === undefined ? `BEFORE ${quoteString(left.values[0] ?? "")}` : `AFTER ${quoteString(before)}`;
      const sql = `ALTER TYPE ${right.text} ADD VALUE ${quoteString(value)} ${position};`;
      drafting.add(sql, { needs: drafting.findSteps(right), things: [right] });
    }
  }
}

function addEnumDrops(drafting: Drafting) {
  const { left, match, enumNow } = drafting;
  const replacedEnums = match.enums.pairs.filter((pair) => findEnumChange(pair, match) === "replaced");
  for (const one of [...match.enums.removals, ...replacedEnums.map((pair) => pair.left)]) {
    const columns = left.tables.flatMap((table) =>
      table.columns.filter(({ type }) => type.enum === one).flatMap((column) => [table, column]),
    );
    drafting.add(`DROP TYPE ${enumNow.get(one) ?? one.text};`, { needs: drafting.findSteps(one, ...columns) });
  }
}

function addComments(drafting: Drafting) {
  const { match } = drafting;
  const say = (target: string, before: string | undefined, after: string | undefined, ...things: readonly object[]) => {
    if (before !== after) drafting.add(formatComment(target, after), { needs: drafting.findSteps(...things) });
  };
  const newTables = match.tables.additions.map((right) => ({
    ...{ left: undefined, right, columns: { pairs: [], additions: right.columns } },
  }));
  for (const { left, right, columns } of [...match.keptTables, ...newTables]) {
    say(formatCommentTarget.table(right), left?.entity.description, right.entity.description, right);
    for (const [from, to] of listPairs(columns))
      say(formatCommentTarget.column(right, to), from?.attribute.description, to.attribute.description, right, to);
  }
  for (const [from, to] of listPairs(match.foreignKeys, (pair) => isRecreated(pair, match)))
    say(formatCommentTarget.foreignKey(to, POSTGRESQL), from?.description, to.description, to.from, to);
  for (const [from, to] of listPairs(match.enums, (pair) => findEnumChange(pair, match) === "replaced"))
    say(formatCommentTarget.enum(to), from?.type.description, to.type.description, to);
}

function listPairs<T>(
  { pairs, additions }: Pick<Diff<T>, "pairs" | "additions">,
  isReplaced: (pair: Pair<T>) => boolean = () => false,
): readonly (readonly [was: T | undefined, is: T])[] {
  return [
    ...pairs.map((one) => [isReplaced(one) ? undefined : one.left, one.right] as const),
    ...additions.map((one) => [undefined, one] as const),
  ];
}
