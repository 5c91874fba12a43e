import { isObject, type JsonObject } from "../json-object.ts";
import type { ReadFormat, Reading } from "../reading.ts";
import { restOf, textIn, textsIn } from "../tables/kept-rest.ts";
import { type NamedPart, namedIn } from "../tables/parts.ts";
import type { SourceTables } from "../tables/source-tables.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { odcsReferences } from "./references.ts";
import { odcsTables } from "./tables.ts";

const READ = new Set(["apiVersion", "kind", "name", "version", "tags", "schema"]);

/** Reads an Open Data Contract (ODCS 3.0 and 3.1): its schema objects as entities, all else as properties of the model. */
export const readOdcs: ReadFormat = (source, reading) => {
  // It was recognised by its members.
  const contract = source as JsonObject;
  return documentOfTables(odcsSource(contract, reading), reading);
};

function odcsSource(contract: JsonObject, { findings }: Reading): SourceTables {
  const objects: readonly NamedPart[] = namedIn(contract, "schema", findings);
  const { tables, held } = odcsTables(objects);
  const { purpose, text } = described(contract.description);
  const kept = { ...restOf(contract, READ), ...(purpose !== undefined && { description: text }) };
  const name = textIn(contract, "name") ?? textIn(contract, "dataProduct") ?? textIn(contract, "id");
  return {
    namespace: "odcs",
    header: {
      name,
      version: contract.version,
      description: purpose ?? (typeof contract.description === "string" ? contract.description : undefined),
    },
    kept: typeof contract.description === "string" ? { ...kept, description: undefined } : kept,
    tags: textsIn(contract, "tags"),
    types: [],
    tables,
    references: [...held, ...odcsReferences(objects, tables)],
  };
}

/** The purpose of a description that is an object, and what else it says. */
function described(description: unknown): { readonly purpose?: string; readonly text?: unknown } {
  if (!isObject(description)) return {};
  const { purpose, ...rest } = description;
  if (typeof purpose !== "string") return {};
  return { purpose, text: Object.keys(rest).length > 0 ? rest : undefined };
}
