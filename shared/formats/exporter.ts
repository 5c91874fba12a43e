import type { Exporter } from "../actions/contract/ports.ts";
import {
  DIFFERENCE_FORMATS,
  type DifferenceFormat,
  EXPORT_FORMATS,
  type ExportFormat,
} from "../domain/values/export-formats.ts";
import { createDiagnostics } from "./common/diagnostics.ts";
import type { DifferenceWriter, Writer } from "./common/format.ts";

/** Writers by format, each loaded at its first use. */
const WRITERS: { readonly [F in ExportFormat]: () => Promise<Writer> } = {
  frictionless: async () => (await import("./frictionless/write-descriptor.ts")).writeDescriptor,
  jsonschema: async () => (await import("./json-schema/write-json-schema.ts")).writeJsonSchema,
  dbml: async () => (await import("./dbml/write-dbml.ts")).writeDbml,
  odcs: async () => (await import("./odcs/write-odcs.ts")).writeOdcs,
  dbt: async () => (await import("./dbt/write-dbt.ts")).writeDbt,
  avro: async () => (await import("./avro/write-avro.ts")).writeAvro,
  mermaid: async () => (await import("./mermaid/write-mermaid.ts")).writeMermaid,
  graphviz: async () => (await import("./graphviz/write-graphviz.ts")).writeGraphviz,
  svg: async () => (await import("./svg/write-svg.ts")).writeSvg,
  html: async () => (await import("./html/write-html.ts")).writeHtml,
  markdown: async () => (await import("./markdown/write-markdown.ts")).writeMarkdown,
  postgresql: async () => (await import("./postgresql/write-postgresql.ts")).writePostgresql,
};

/** Writers of differences by format, each loaded at its first use. */
const DIFFERENCE_WRITERS: { readonly [F in DifferenceFormat]: () => Promise<DifferenceWriter> } = {
  postgresql: async () => (await import("./postgresql/migration/write-migration.ts")).writeMigration,
  markdown: async () => (await import("./markdown/write-report.ts")).writeReport,
};

/** Writes model documents in the formats of `EXPORT_FORMATS`. */
export function createExporter(): Exporter {
  return {
    write: async (document, format) => {
      const diagnostics = createDiagnostics();
      const write = await WRITERS[format]();
      const written = await write(document, diagnostics);
      const { mediaType } = EXPORT_FORMATS[format];
      return { format, mediaType, ...written, warnings: diagnostics.warnings() };
    },
    writeDifference: async (compared, format) => {
      const diagnostics = createDiagnostics();
      const write = await DIFFERENCE_WRITERS[format]();
      const file = await write(compared, diagnostics);
      const { mediaType } = DIFFERENCE_FORMATS[format];
      return { format, mediaType, ...file, warnings: diagnostics.warnings() };
    },
  };
}
