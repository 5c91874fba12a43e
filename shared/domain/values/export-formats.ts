import * as z from "zod/mini";
import { defineValueType } from "./value-type.ts";

const CHOICE_TEXTS = "x-enumDescriptions";

type FormatTable = Readonly<Record<string, { readonly mediaType: string; readonly text: string }>>;

function defineFormatType<N extends string>(
  id: string,
  content: string,
  table: Readonly<Record<N, { readonly text: string }>>,
) {
  // A table has at least one member.
  const names = Object.keys(table) as [N, ...N[]];
  const texts = Object.fromEntries(names.map((name) => [name, table[name].text]));
  return defineValueType<N>({
    ...{ id, json: "string" },
    description: `${content}: ${names.map((name) => `\`${name}\` is ${texts[name]}`).join("; ")}.`,
    schema: () =>
      z.enum(names, { error: `must be one of ${names.join(", ")}` }).check(z.meta({ [CHOICE_TEXTS]: texts })),
  });
}

export const EXPORT_FORMATS = {
  frictionless: {
    mediaType: "application/json",
    text: "a Data Package of the Frictionless standard, or a Table Schema if the model was imported from one",
  },
  jsonschema: { mediaType: "application/schema+json", text: "a JSON Schema, draft 2020-12" },
  dbml: { mediaType: "text/plain", text: "a DBML text" },
  odcs: { mediaType: "application/yaml", text: "an Open Data Contract, version 3.1, in YAML" },
  dbt: { mediaType: "application/yaml", text: "a dbt properties file (`schema.yml`)" },
  avro: { mediaType: "application/json", text: "Avro schemas" },
  mermaid: { mediaType: "text/vnd.mermaid", text: "an entity relationship diagram of Mermaid" },
  graphviz: { mediaType: "text/vnd.graphviz", text: "a graph in the language of Graphviz (dot)" },
  svg: { mediaType: "image/svg+xml", text: "the diagram of the model, with the layout of the web application" },
  html: {
    mediaType: "text/html",
    text: "a self-contained page with the diagram, a data dictionary and a search box",
  },
  markdown: { mediaType: "text/markdown", text: "a data dictionary in Markdown" },
  postgresql: { mediaType: "application/sql", text: "SQL that creates the tables in PostgreSQL" },
  mysql: { mediaType: "application/sql", text: "SQL that creates the tables in MySQL or MariaDB" },
  sqlite: { mediaType: "application/sql", text: "SQL that creates the tables in SQLite" },
  tsql: { mediaType: "application/sql", text: "SQL that creates the tables in SQL Server (T-SQL)" },
  snowflake: { mediaType: "application/sql", text: "SQL that creates the tables in Snowflake" },
  bigquery: { mediaType: "application/sql", text: "SQL that creates the tables in BigQuery" },
} as const satisfies FormatTable;

/** Name of an export format. */
export type ExportFormat = keyof typeof EXPORT_FORMATS;

export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as [ExportFormat, ...ExportFormat[]];

export const exportFormat = defineFormatType("ExportFormat", "A format to export in", EXPORT_FORMATS);

export const DIFFERENCE_FORMATS = {
  postgresql: {
    mediaType: "application/sql",
    text: "a draft of a migration of a PostgreSQL database with the left model; steps that lose data or may fail on existing rows are commented out",
  },
  markdown: { mediaType: "text/markdown", text: "a report for people, such as the text of a pull request" },
} as const satisfies FormatTable;

/** Name of a difference format. */
export type DifferenceFormat = keyof typeof DIFFERENCE_FORMATS;

export const differenceFormat = defineFormatType(
  "DifferenceFormat",
  "A format to write a difference in",
  DIFFERENCE_FORMATS,
);
