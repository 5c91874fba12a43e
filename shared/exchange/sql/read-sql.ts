import { LIMITS } from "../../domain/limits.ts";
import type { ReadFormat, Reading } from "../reading.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { APPLY } from "./apply-statement.ts";
import { type Catalog, createCatalog } from "./catalog.ts";
import { createCursor } from "./cursor.ts";
import { DIALECTS, type DialectFacts, type SqlDialect } from "./dialects.ts";
import { sqlSource } from "./sql-source.ts";
import { type Statement, statementsOf } from "./statements.ts";
import { countSkipped, placeOf, toldOf } from "./told.ts";

/** How many tokens are read before others have their turn. */
const TURN = 50_000;

/**
 * The reader of a dialect of SQL. It applies the statements of a text in their order; one that is not understood is a warning with
 * its line and never fails the rest.
 */
export function sqlReader(dialect: SqlDialect): ReadFormat {
  const facts = DIALECTS[dialect];
  return async (source, reading) => {
    // It was recognised by its text.
    const catalog = await catalogOf(String(source), facts, reading);
    return documentOfTables(sqlSource(catalog, facts, reading.findings), reading);
  };
}

async function catalogOf(text: string, facts: DialectFacts, { findings }: Reading): Promise<Catalog> {
  const catalog = createCatalog(facts);
  let objects = 0;
  let turn = TURN;
  for (const statement of statementsOf(text, facts)) {
    if (statement.skipped) countSkipped(statement, statement.skipped, findings);
    else objects += applied(statement, text, catalog, facts, findings);
    if (statement.isOpen) {
      const detail = "a quote or a comment is never closed, and what follows it is no statement";
      findings.warn(placeOf(statement.line), "not_carried_over", detail);
    }
    if (objects + catalog.copies > LIMITS.objectsPerJob) {
      findings.fault("", `has more than ${LIMITS.objectsPerJob} columns and keys, which is the most a model may have`);
      return createCatalog(facts);
    }
    if (catalog.walked > LIMITS.sqlWalked) {
      const most = `${LIMITS.sqlWalked} columns and keys, which is the most a text may`;
      findings.fault(
        "",
        `drops, renames and moves so many parts of its tables that it looks through more than ${most}`,
      );
      return createCatalog(facts);
    }
    turn -= statement.tokens.length;
    if (turn < 0) {
      turn = TURN;
      await new Promise(setImmediate);
    }
  }
  return catalog;
}

/** Applies a statement, and counts the parts of it that may become objects. */
function applied(
  statement: Statement,
  text: string,
  catalog: Catalog,
  facts: DialectFacts,
  findings: Reading["findings"],
): number {
  const { kind, tokens } = statement;
  if (kind === undefined) return 0;
  const told = toldOf(statement, findings);
  const cursor = createCursor(tokens, text, facts);
  if (APPLY[kind](cursor, catalog, told) === false)
    countSkipped(statement, kind === "execute" ? "routine" : "setting", findings);
  for (const name of cursor.placeholders) {
    findings.warn(placeOf(statement.line), "assumed", `the placeholder ${name} before a name is left out`);
  }
  return tokens.filter(({ key }) => key === ",").length + 1;
}
