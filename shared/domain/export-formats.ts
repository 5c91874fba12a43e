import { describedChoice } from "./described-choice.ts";
import { valueType } from "./value-type.ts";

/** The formats in which models are exported beside their own, with what they are called and written as. */
export const EXPORT_FORMATS = {
  frictionless: {
    mediaType: "application/json",
    text: "a Data Package of the Frictionless standard, or a Table Schema where the model came from one",
  },
  jsonschema: { mediaType: "application/schema+json", text: "a JSON Schema, draft 2020-12" },
  dbml: { mediaType: "text/plain", text: "a DBML text" },
  odcs: { mediaType: "application/yaml", text: "an Open Data Contract, version 3.1, in YAML" },
  dbt: { mediaType: "application/yaml", text: "a dbt properties file (`schema.yml`)" },
  avro: { mediaType: "application/json", text: "Avro schemas" },
  mermaid: { mediaType: "text/vnd.mermaid", text: "an entity relationship diagram of Mermaid" },
  graphviz: { mediaType: "text/vnd.graphviz", text: "a graph in the language of Graphviz (dot)" },
  svg: { mediaType: "image/svg+xml", text: "the diagram of the model, laid out as the web application does it" },
  html: {
    mediaType: "text/html",
    text: "a page with the diagram, a data dictionary and a search box, which needs nothing else",
  },
  markdown: { mediaType: "text/markdown", text: "a data dictionary in Markdown" },
  postgresql: { mediaType: "application/sql", text: "the statements that make the tables in PostgreSQL" },
} as const satisfies Readonly<Record<string, { readonly mediaType: string; readonly text: string }>>;

/** The name of a format of exports. */
export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The names of all formats of exports. */
export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as [ExportFormat, ...ExportFormat[]];

/** A format of exports, as a parameter. */
export const exportFormat = valueType<ExportFormat>({
  id: "ExportFormat",
  json: "string",
  description: `A format to export in: ${EXPORT_FORMAT_NAMES.map((name) => `\`${name}\` is ${EXPORT_FORMATS[name].text}`).join("; ")}.`,
  schema: () => describedChoice(EXPORT_FORMATS),
});
