import type { DocumentMatch } from "../../../domain/match/match-documents.ts";
import type { SqlColumn } from "../columns.ts";
import { createTable } from "../definitions.ts";
import type { SqlSchema } from "../schema.ts";
import { sqlName } from "../sql-text.ts";
import { addColumns, changeColumns } from "./column-steps.ts";
import { comment } from "./comment-steps.ts";
import type { Step } from "./draft.ts";
import { createDrafting, type Drafting, keyMarks, scopeOf } from "./drafting.ts";
import { dropThings } from "./drops.ts";
import { dropEnums, makeEnums } from "./enum-steps.ts";
import { addChecks, addKeys, dropChecks } from "./key-steps.ts";
import { keysOf, type MatchedSchema, matchSchemas } from "./matched-schema.ts";
import { nameIn } from "./rename.ts";
import { renameThings } from "./renames.ts";

/** The steps from one schema to another in an order in which they run, and how the two are matched. */
export interface Migration {
  readonly steps: readonly (readonly [step: Step, held: string | undefined])[];
  readonly matched: MatchedSchema;
}

/** Drafts the migration of a database that has the left schema. */
export function migrationOf(left: SqlSchema, right: SqlSchema, match: DocumentMatch): Migration {
  const matched = matchSchemas(left, right, match);
  const drafting = createDrafting(left, right, matched);
  const { draft } = drafting;
  for (const schema of right.schemas) {
    if (!left.schemas.includes(schema)) draft.add(`CREATE SCHEMA IF NOT EXISTS ${sqlName(schema)};`);
  }
  const drops = dropChecks(drafting);
  dropThings(drafting);
  renameThings(drafting);
  makeEnums(drafting);
  createTables(drafting);
  addColumns(drafting);
  const typeSteps = new Map<SqlColumn, Step>();
  changeColumns(drafting, (column, step) => typeSteps.set(column, step));
  dropEnums(drafting);
  addChecks(drafting, drops, typeSteps);
  addKeys(drafting);
  comment(drafting);
  return { steps: draft.steps(), matched };
}

function createTables({ draft, matched, ready, by }: Drafting): void {
  for (const table of matched.tables.come) {
    const enums = table.columns.map(({ type }) => type.enum);
    const step = draft.add(createTable(table), {
      needs: ready(...enums),
      takes: [
        nameIn(scopeOf(table.schema), table.name),
        ...keysOf(table).flatMap((key) => keyMarks(table, key, table)),
      ],
    });
    by(table, step);
  }
}
