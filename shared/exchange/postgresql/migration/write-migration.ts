import type { ComparedDocuments } from "../../../actions/contract/ports.ts";
import type { ModelDocument } from "../../../domain/document.ts";
import { matchDocuments } from "../../../domain/match/match-documents.ts";
import { createTold, tellChanged } from "../../difference/changed-warnings.ts";
import type { Findings } from "../../findings.ts";
import type { WrittenFile } from "../../writer.ts";
import { warnUncovered } from "../../writing/coverage.ts";
import { fileName } from "../../writing/written-name.ts";
import { COVERAGE } from "../covered.ts";
import { schemaOf } from "../schema.ts";
import { sqlComment } from "../sql-text.ts";
import { isSerial } from "../sql-types.ts";
import type { MatchedSchema } from "./matched-schema.ts";
import { migrationOf } from "./migration.ts";

/**
 * Writes the difference of two models as a draft of the migration of a PostgreSQL that has the left one. What is not commented
 * out loses nothing, and no row that is there refuses it.
 */
export function writeMigration({ left, right, names }: ComparedDocuments, findings: Findings): WrittenFile {
  const match = matchDocuments(left, right);
  const told = [createTold(), createTold()] as const;
  warnUncovered(left, COVERAGE, told[0]);
  warnUncovered(right, COVERAGE, told[1]);
  const { steps, matched } = migrationOf(schemaOf(left, told[0]), schemaOf(right, told[1]), match);
  tellChanged([left, right], told, match, findings);
  warnUnsaid(matched, right, findings);
  const blocks = steps.map(([{ sql }, held]) => (held === undefined ? sql : `${prose(held)}\n${sqlComment(sql)}`));
  const count = steps.filter(([, held]) => held !== undefined).length;
  const head = [
    `Draft of a migration for PostgreSQL, from ${names[0]} to ${names[1]}.`,
    ...(steps.length === 0 ? ["There is nothing to do."] : []),
    ...(count === 0
      ? []
      : [
          `${count} of ${steps.length} steps are held back: they lose something, or rows may refuse them.`,
          "To run one, take away `-- ` at the beginning of its lines.",
        ]),
  ].map(prose);
  const body = steps.length === 0 ? [] : ["BEGIN;", ...blocks, "COMMIT;"];
  return {
    fileName: fileName(`${right.key}-migration`, ".sql"),
    content: `${[head.join("\n"), ...body].join("\n\n")}\n`,
  };
}

/** A sentence for people, which stays a comment where steps are taken out of theirs. */
function prose(text: string): string {
  return sqlComment(text).replace(/^--/gm, "---");
}

/** Warns of what no statement does to a table that is there. */
function warnUnsaid({ keptTables }: MatchedSchema, { entities }: ModelDocument, findings: Findings): void {
  for (const { left, right, columns } of keptTables) {
    const at = findings.at(`/right/entities/${entities.indexOf(right.entity)}/attributes`);
    const rightOf = new Map(columns.kept.map((kept) => [kept.left, kept.right]));
    const order = [...left.columns.map((one) => rightOf.get(one)).filter((one) => one !== undefined), ...columns.come];
    if (order.some((one, i) => one !== right.columns[i])) {
      at.warn("", "written_otherwise", "columns that come stand behind the others, and none moves");
    }
    for (const { left: was, right: is } of columns.kept) {
      if (isSerial(was.type.name) || !isSerial(is.type.name)) continue;
      const place = `/${right.columns.indexOf(is)}/type`;
      at.warn(place, "not_written", "a column that is there does not begin to number its rows");
    }
  }
}
