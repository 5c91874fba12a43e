import type { ComparedDocuments, WrittenDifference } from "../../actions/contract/ports.ts";
import { DIFFERENCE_FORMATS, type DifferenceFormat } from "../../domain/difference-formats.ts";
import { createFindings } from "../findings.ts";
import type { DifferenceWriter } from "./difference-writer.ts";

/** The writers by format, each loaded at its first use. */
const WRITERS: { readonly [F in DifferenceFormat]: () => Promise<DifferenceWriter> } = {
  postgresql: async () => (await import("../postgresql/migration/write-migration.ts")).writeMigration,
  markdown: async () => (await import("./write-report.ts")).writeReport,
};

/** Writes the difference of two documents as a file of a format. */
export async function writeDifference(
  compared: ComparedDocuments,
  format: DifferenceFormat,
): Promise<WrittenDifference> {
  const findings = createFindings();
  const write = await WRITERS[format]();
  const written = await write(compared, findings);
  const { mediaType } = DIFFERENCE_FORMATS[format];
  return { format, mediaType, ...written, warnings: findings.warnings() };
}
