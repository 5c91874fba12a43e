import type { Exporter } from "../actions/contract/ports.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../domain/export-formats.ts";
import { createFindings } from "./findings.ts";
import type { Writer } from "./writer.ts";

/** The writers by format, each loaded at its first use. */
const WRITERS: { readonly [F in ExportFormat]: () => Promise<Writer> } = {
  frictionless: async () => (await import("./frictionless/write-descriptor.ts")).writeDescriptor,
};

/** Writes model documents in the formats of `EXPORT_FORMATS`. */
export function createExporter(): Exporter {
  return {
    write: async (document, format) => {
      const findings = createFindings();
      const written = (await WRITERS[format]())(document, findings);
      const { mediaType } = EXPORT_FORMATS[format];
      return { format, mediaType, ...written, warnings: findings.warnings() };
    },
  };
}
