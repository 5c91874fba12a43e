import { LIMITS } from "../../domain/limits.ts";
import { clipped } from "../quoted.ts";
import type { ReadFormat, Reading } from "../reading.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { dbmlSource } from "./dbml-source.ts";

/** Reads a DBML text: tables, references, enums, groups as tags. A text that its own parser refuses is a fault with its lines. */
export const readDbml: ReadFormat = async (source, reading) => {
  // It was recognised by its text.
  const text = String(source);
  if (Buffer.byteLength(text) > LIMITS.dbmlBytes) {
    reading.findings.fault("", `has more than ${LIMITS.dbmlBytes} bytes, which is the most a DBML text may have`);
    return documentOfTables(EMPTY, reading);
  }
  const database = await parsed(text, reading);
  return documentOfTables(database ? dbmlSource(database, reading.findings) : EMPTY, reading);
};

const EMPTY = { namespace: "dbml", header: {}, kept: {}, tags: [], types: [], tables: [], references: [] };

async function parsed(text: string, { findings }: Reading) {
  const { Compiler, DEFAULT_ENTRY, MemoryProjectLayout } = await import("@dbml/parse");
  try {
    const files = new MemoryProjectLayout();
    files.setSource(DEFAULT_ENTRY, text);
    const report = new Compiler(files).interpretFile(DEFAULT_ENTRY);
    for (const { start, diagnostic } of report.getErrors()) {
      const line = text.slice(0, start).split("\n").length;
      findings.fault("", `line ${line}: ${clipped(diagnostic, 200)}`);
    }
    return report.getErrors().length > 0 ? undefined : report.getValue();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    findings.fault("", "nests too deep to be read");
    return undefined;
  }
}
