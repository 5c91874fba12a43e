import type { Exporter } from "../actions/contract/ports.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../domain/export-formats.ts";
import { createFindings } from "./findings.ts";
import type { Writer } from "./writer.ts";

/** The writers by format, each loaded at its first use. */
const WRITERS: { readonly [F in ExportFormat]: () => Promise<Writer> } = {
  frictionless: async () => (await import("./frictionless/write-descriptor.ts")).writeDescriptor,
  jsonschema: async () => (await import("./json-schema/write-json-schema.ts")).writeJsonSchema,
  dbml: async () => (await import("./dbml/write-dbml.ts")).writeDbml,
  odcs: async () => (await import("./odcs/write-odcs.ts")).writeOdcs,
  dbt: async () => (await import("./dbt/write-dbt.ts")).writeDbt,
  avro: async () => (await import("./avro/write-avro.ts")).writeAvro,
  mermaid: async () => (await import("./mermaid/write-mermaid.ts")).writeMermaid,
  graphviz: async () => (await import("./graphviz/write-graphviz.ts")).writeGraphviz,
  svg: async () => (await import("./drawing/write-svg.ts")).writeSvg,
  html: async () => (await import("./html/write-html.ts")).writeHtml,
  markdown: async () => (await import("./markdown/write-markdown.ts")).writeMarkdown,
  postgresql: async () => (await import("./postgresql/write-postgresql.ts")).writePostgresql,
};

/** Writes model documents in the formats of `EXPORT_FORMATS`. */
export function createExporter(): Exporter {
  return {
    write: async (document, format) => {
      const findings = createFindings();
      const write = await WRITERS[format]();
      const written = await write(document, findings);
      const { mediaType } = EXPORT_FORMATS[format];
      return { format, mediaType, ...written, warnings: findings.warnings() };
    },
    writeDifference: async (compared, format) =>
      (await import("./difference/write-difference.ts")).writeDifference(compared, format),
  };
}
