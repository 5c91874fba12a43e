import type { SqlIndex } from "../../ddl/indexes.ts";
import type { SqlTable } from "../../ddl/tables.ts";
import { type Drafting, toConstraintScope, toNameMark, toSchemaScope } from "./draft.ts";
import { formatDropConstraint } from "./drops.ts";
import type { MatchedSchema } from "./matched-schema.ts";
import { formatCreateIndex, formatCreateView, formatTableCheck, qualifyName } from "./statements.ts";

/*
 * Indexes, checks of several columns and views. They contain no data, so that they are dropped before the other steps and
 * created after them.
 */

/** Drops indexes, checks of several columns and views that are not on the right, or that block another step. */
export function addObjectDrops(drafting: Drafting): void {
  const { match } = drafting;
  for (const view of recreatesViews(match) ? drafting.left.views.toReversed() : []) {
    drafting.add(`DROP ${view.isMaterialized ? "MATERIALIZED " : ""}VIEW ${view.text};`, {
      frees: [toNameMark(toSchemaScope(view.schema), view.name)],
      things: [view],
    });
  }
  for (const { left: table, indexes, tableChecks } of match.keptTables) {
    for (const index of indexes.removals) {
      drafting.add(`DROP INDEX ${qualifyName(table.schema, index.name)};`, {
        reason: index.isUnique ? "It drops a unique index. Rows may then be duplicates." : undefined,
        frees: [toIndexMark(table, index)],
      });
    }
    for (const check of tableChecks.removals) {
      drafting.add(formatDropConstraint(table, { name: check.name, isExplicit: true }), {
        frees: [toNameMark(toConstraintScope(table), check.name)],
      });
    }
  }
}

/** Creates indexes, checks of several columns and views. */
export function addObjects(drafting: Drafting): void {
  const { match } = drafting;
  for (const table of match.tables.additions) {
    for (const index of table.indexes) {
      const needs = drafting.findSteps(table);
      drafting.add(formatCreateIndex(table, index), { needs, takes: [toIndexMark(table, index)] });
    }
  }
  for (const { left, right, indexes, tableChecks, columns } of match.keptTables) {
    const steps = drafting.findSteps(right, ...columns.additions, ...columns.pairs.map((pair) => pair.right));
    for (const index of indexes.additions) {
      drafting.add(formatCreateIndex(right, index), {
        reason: index.isUnique ? "Existing rows may be duplicates." : undefined,
        needs: steps,
        takes: [toIndexMark(right, index)],
      });
    }
    for (const check of tableChecks.additions) {
      drafting.add(`ALTER TABLE ${right.text} ADD ${formatTableCheck(check)};`, {
        reason: "Existing rows may violate the check.",
        needs: steps,
        takes: [toNameMark(toConstraintScope(left), check.name)],
      });
    }
  }
  for (const view of recreatesViews(match) ? drafting.right.views : []) {
    drafting.add(formatCreateView(view), {
      needs: drafting.findSteps(...match.tables.additions),
      takes: [toNameMark(toSchemaScope(view.schema), view.name)],
      things: [view],
    });
  }
}

function toIndexMark({ schema }: SqlTable, { name }: SqlIndex) {
  return toNameMark(toSchemaScope(schema), name);
}

/** Tests for a change of a view, or for a step that changes what views may select. All of them are created again then. */
function recreatesViews({ views, tables, keptTables, enums }: MatchedSchema): boolean {
  const changesColumns = keptTables.some(
    ({ columns }) =>
      columns.removals.length > 0 || columns.pairs.some(({ left, right }) => left.type.text !== right.type.text),
  );
  const removals = [views, tables, enums].flatMap((one): readonly object[] => one.removals);
  return changesColumns || removals.length > 0 || views.additions.length > 0;
}
