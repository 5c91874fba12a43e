import * as z from "zod/mini";
import { defineValueType } from "./value-type.ts";

/** The member of a JSON Schema that says of each value of `enum` what it means. */
const CHOICE_TEXTS = "x-enumDescriptions";

/** One of the names of a table; its JSON Schema says of each what it means, for those who offer the choice. */
export function createChoiceSchema<N extends string>(
  table: Readonly<Record<N, { readonly text: string }>>,
): z.ZodMiniType<N> {
  // The names of a table are its members, and there is one at least.
  const names = Object.keys(table) as [N, ...N[]];
  const texts = Object.fromEntries(names.map((name) => [name, table[name].text]));
  return z.enum(names, { error: `must be one of ${names.join(", ")}` }).check(z.meta({ [CHOICE_TEXTS]: texts }));
}

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
export const exportFormat = defineValueType<ExportFormat>({
  id: "ExportFormat",
  json: "string",
  description: `A format to export in: ${EXPORT_FORMAT_NAMES.map((name) => `\`${name}\` is ${EXPORT_FORMATS[name].text}`).join("; ")}.`,
  schema: () => createChoiceSchema(EXPORT_FORMATS),
});

/** The formats in which the difference of two models is written, with what they are called and written as. */
export const DIFFERENCE_FORMATS = {
  postgresql: {
    mediaType: "application/sql",
    text: "a draft of the migration of a PostgreSQL that has the left model; steps that lose something or that rows may refuse are commented out",
  },
  markdown: { mediaType: "text/markdown", text: "a report for people, such as the text of a pull request" },
} as const satisfies Readonly<Record<string, { readonly mediaType: string; readonly text: string }>>;

/** The name of a format of differences. */
export type DifferenceFormat = keyof typeof DIFFERENCE_FORMATS;

const DIFFERENCE_FORMAT_NAMES = Object.keys(DIFFERENCE_FORMATS) as [DifferenceFormat, ...DifferenceFormat[]];

/** A format of differences, as a parameter. */
export const differenceFormat = defineValueType<DifferenceFormat>({
  id: "DifferenceFormat",
  json: "string",
  description: `A format to write a difference in: ${DIFFERENCE_FORMAT_NAMES.map((name) => `\`${name}\` is ${DIFFERENCE_FORMATS[name].text}`).join("; ")}.`,
  schema: () => createChoiceSchema(DIFFERENCE_FORMATS),
});
