import { pointerToken } from "../../domain/well-formed.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import type { ReadFormat } from "../reading.ts";
import { restOf, textIn } from "../tables/kept-rest.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { type NamedSchema, ROOT_ITEMS } from "./named-schema.ts";
import { createRefs } from "./refs.ts";
import { schemaTables } from "./schema-tables.ts";

const ROOT_MEMBERS = new Set(["title", "description", "$defs", "definitions", "type", "properties", "required", "$id"]);

/** Reads a JSON Schema (2020-12, draft-07 and those between): the document itself and its definitions. */
export const readJsonSchema: ReadFormat = (source, reading) => {
  // It was recognised by its members.
  const root = source as JsonObject;
  const name = textIn(root, "title") ?? nameIn(textIn(root, "$id"));
  const whole = isObject(root.items) && root.properties === undefined ? root.items : root;
  const rootSchema: NamedSchema = { name: name ?? "root", schema: whole, pointer: whole === root ? "" : ROOT_ITEMS };
  const named = [rootSchema, ...definitionsIn(root, "$defs"), ...definitionsIn(root, "definitions")];
  const described = schemaTables(named, createRefs(root), reading.findings);
  // What describes no table of its own describes the model.
  const isTable = described.tables.some(({ id }) => id === "");
  const kept = isTable ? { $schema: root.$schema, $id: root.$id } : { ...restOf(root, ROOT_MEMBERS), $id: root.$id };
  const { title, description } = root;
  const header = { name, ...(isTable ? {} : { title, description }) };
  return documentOfTables({ namespace: "jsonschema", header, kept, tags: [], ...described }, reading);
};

/** The schemas of one member that holds definitions. */
export function definitionsIn(holder: JsonObject, member: string, above = ""): readonly NamedSchema[] {
  const found = holder[member];
  return Object.entries(isObject(found) ? found : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [{ name, schema, pointer: `${above}/${pointerToken(member)}/${pointerToken(name)}` }] : [],
  );
}

/** The last part of an id without its extension. */
function nameIn(id: string | undefined): string | undefined {
  const last = id
    ?.replace(/[#?].*$/, "")
    .split("/")
    .findLast((part) => part !== "");
  return last?.replace(/(\.schema)?\.json$/, "") || undefined;
}
