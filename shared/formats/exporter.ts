import type { Exporter } from "../actions/contract/ports.ts";
import {
  DIFFERENCE_FORMATS,
  type DifferenceFormat,
  EXPORT_FORMATS,
  type ExportFormat,
} from "../domain/values/export-formats.ts";
import { writeAvro } from "./avro/write-avro.ts";
import { createDiagnostics } from "./common/diagnostics.ts";
import type { DifferenceWriter, Writer } from "./common/format.ts";
import { writeDbml } from "./dbml/write-dbml.ts";
import { writeDbt } from "./dbt/write-dbt.ts";
import { writeDescriptor } from "./frictionless/write-frictionless.ts";
import { writeGraphviz } from "./graphviz/write-graphviz.ts";
import { writeHtml } from "./html/write-html.ts";
import { writeJsonSchema } from "./json-schema/write-json-schema.ts";
import { writeMarkdown } from "./markdown/write-markdown.ts";
import { writeReport } from "./markdown/write-report.ts";
import { writeMermaid } from "./mermaid/write-mermaid.ts";
import { writeOdcs } from "./odcs/write-odcs.ts";
import { writeMigration } from "./postgresql/migration/write-migration.ts";
import { writePostgresql } from "./postgresql/write-postgresql.ts";

/** Writers by format. This file loads at the first export. */
export const WRITERS: { readonly [F in ExportFormat]: Writer } = {
  frictionless: writeDescriptor,
  jsonschema: writeJsonSchema,
  dbml: writeDbml,
  odcs: writeOdcs,
  dbt: writeDbt,
  avro: writeAvro,
  mermaid: writeMermaid,
  graphviz: writeGraphviz,
  // Loads the layout engine, which is WebAssembly.
  svg: async (...given) => (await import("./svg/write-svg.ts")).writeSvg(...given),
  html: writeHtml,
  markdown: writeMarkdown,
  postgresql: writePostgresql,
};

const DIFFERENCE_WRITERS: { readonly [F in DifferenceFormat]: DifferenceWriter } = {
  postgresql: writeMigration,
  markdown: writeReport,
};

/** Writes model documents in the formats of `EXPORT_FORMATS`. */
export function createExporter(): Exporter {
  return {
    write: async (document, format) => {
      const diagnostics = createDiagnostics();
      const written = await WRITERS[format](document, diagnostics);
      const { mediaType } = EXPORT_FORMATS[format];
      return { format, mediaType, ...written, warnings: diagnostics.warnings() };
    },
    writeDifference: async (compared, format) => {
      const diagnostics = createDiagnostics();
      const file = await DIFFERENCE_WRITERS[format](compared, diagnostics);
      const { mediaType } = DIFFERENCE_FORMATS[format];
      return { format, mediaType, ...file, warnings: diagnostics.warnings() };
    },
  };
}
