import type { Exporter } from "../actions/contract/ports.ts";
import type { ModelDocument } from "../domain/document/document.ts";
import { Problem } from "../domain/problems.ts";
import {
  DIFFERENCE_FORMATS,
  type DifferenceFormat,
  EXPORT_FORMATS,
  type ExportFormat,
} from "../domain/values/export-formats.ts";
import { AVRO_COVERAGE, writeAvro } from "./avro/write-avro.ts";
import { createDiagnostics, type Diagnostics } from "./common/diagnostics.ts";
import type { DifferenceWriter, Writer } from "./common/format.ts";
import { type Coverage, warnUncovered } from "./common/writing/coverage.ts";
import { toFileName } from "./common/writing/written-names.ts";
import { DBML_COVERAGE, writeDbml } from "./dbml/write-dbml.ts";
import { DBT_COVERAGE, writeDbt } from "./dbt/write-dbt.ts";
import type { DdlDialect } from "./ddl/dialect.ts";
import { BIGQUERY } from "./ddl/dialects/bigquery.ts";
import { MYSQL } from "./ddl/dialects/mysql.ts";
import { POSTGRESQL } from "./ddl/dialects/postgresql.ts";
import { SNOWFLAKE } from "./ddl/dialects/snowflake.ts";
import { SQLITE } from "./ddl/dialects/sqlite.ts";
import { TSQL } from "./ddl/dialects/tsql.ts";
import { createCoverage } from "./ddl/schema.ts";
import { createDdlWriter } from "./ddl/write-ddl.ts";
import { getDescriptorName, writeDescriptor } from "./frictionless/write-frictionless.ts";
import { GRAPHVIZ_COVERAGE, writeGraphviz } from "./graphviz/write-graphviz.ts";
import { writeHtml } from "./html/write-html.ts";
import { JSON_SCHEMA_COVERAGE, writeJsonSchema } from "./json-schema/write-json-schema.ts";
import { DICTIONARY_COVERAGE, writeMarkdown } from "./markdown/write-markdown.ts";
import { writeReport } from "./markdown/write-report.ts";
import { MERMAID_COVERAGE, writeMermaid } from "./mermaid/write-mermaid.ts";
import { ODCS_COVERAGE, writeOdcs } from "./odcs/write-odcs.ts";
import { writeMigration } from "./postgresql/migration/write-migration.ts";
import { SVG_COVERAGE, writeSvg } from "./svg/write-svg.ts";

/** The writer of a format. An ending follows the key of the model in the file name. */
type FormatRow = readonly [
  ending: `.${string}` | ((document: ModelDocument) => string),
  write: Writer,
  coverage?: Coverage,
];

/** Writers by format. This file loads at the first export. */
const WRITERS: { readonly [F in ExportFormat]: FormatRow } = {
  frictionless: [getDescriptorName, writeDescriptor],
  jsonschema: [".schema.json", writeJsonSchema, JSON_SCHEMA_COVERAGE],
  dbml: [".dbml", writeDbml, DBML_COVERAGE],
  odcs: [".odcs.yaml", writeOdcs, ODCS_COVERAGE],
  dbt: [".schema.yml", writeDbt, DBT_COVERAGE],
  avro: [".avsc", writeAvro, AVRO_COVERAGE],
  mermaid: [".mmd", writeMermaid, MERMAID_COVERAGE],
  graphviz: [".dot", writeGraphviz, GRAPHVIZ_COVERAGE],
  svg: [".svg", writeSvg, SVG_COVERAGE],
  html: [".html", writeHtml, { ...DICTIONARY_COVERAGE, format: "HTML" }],
  markdown: [".md", writeMarkdown, DICTIONARY_COVERAGE],
  postgresql: createDdlRow(POSTGRESQL),
  mysql: createDdlRow(MYSQL),
  sqlite: createDdlRow(SQLITE),
  tsql: createDdlRow(TSQL),
  snowflake: createDdlRow(SNOWFLAKE),
  bigquery: createDdlRow(BIGQUERY),
};

function createDdlRow(dialect: DdlDialect): FormatRow {
  const ending = dialect === POSTGRESQL ? ".sql" : `.${dialect.dialect}.sql`;
  return [ending as `.${string}`, createDdlWriter(dialect), createCoverage(dialect)];
}

const DIFFERENCE_WRITERS: { readonly [F in DifferenceFormat]: readonly [ending: string, write: DifferenceWriter] } = {
  postgresql: ["-migration.sql", writeMigration],
  markdown: ["-changes.md", writeReport],
};

/** Writes model documents in the formats of `EXPORT_FORMATS`. */
export function createExporter(): Exporter {
  return {
    write: async (document, format) => {
      const diagnostics = createDiagnostics();
      const content = await refuseTooLong(format, () => writeFormat(document, format, diagnostics));
      const [ending] = WRITERS[format];
      const fileName = typeof ending === "string" ? toFileName(document.key, ending) : ending(document);
      const { mediaType } = EXPORT_FORMATS[format];
      return { format, mediaType, fileName, content, warnings: diagnostics.warnings() };
    },
    writeDifference: async (documents, format) => {
      const diagnostics = createDiagnostics();
      const [ending, write] = DIFFERENCE_WRITERS[format];
      const content = await refuseTooLong(format, () => write(documents, diagnostics));
      const { mediaType } = DIFFERENCE_FORMATS[format];
      const fileName = toFileName(documents.right.key, ending);
      return { format, mediaType, fileName, content, warnings: diagnostics.warnings() };
    },
  };
}

/** Runs a writer. Throws `result_too_large` when its text is longer, or nests deeper, than the JavaScript engine allows. */
async function refuseTooLong(format: string, write: () => string | Promise<string>): Promise<string> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem("result_too_large", `The model is too large, or nests too deep, for the format ${format}`);
  }
}

/** Writes a document in a format, with warnings about everything that is lost. */
export async function writeFormat(
  document: ModelDocument,
  format: ExportFormat,
  diagnostics: Diagnostics,
): Promise<string> {
  const [, write, coverage] = WRITERS[format];
  if (coverage) warnUncovered(document, coverage, diagnostics);
  return write(document, diagnostics);
}
