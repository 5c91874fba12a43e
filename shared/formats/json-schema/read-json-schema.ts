import { escapePointerToken } from "../../domain/text/characters.ts";
import type { ReadFormat } from "../common/format.ts";
import { isObject, type JsonObject, omitRead, readOptionalText } from "../common/json-object.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { readOperations } from "./read-operations.ts";
import { createSchemaFinder, type NamedSchema, ROOT_ITEMS } from "./refs.ts";
import { readSchemaTables } from "./schema-tables.ts";

const READ_ROOT_MEMBERS = new Set([
  ...["title", "description", "$defs", "definitions", "type", "properties", "required", "$id"],
]);

/** Reads a JSON Schema (draft-07 to 2020-12): the document and its definitions. */
export const readJsonSchema: ReadFormat = (source, context) => {
  const root = source as JsonObject;
  const name = readOptionalText(root, "title") ?? toNameOfId(readOptionalText(root, "$id"));
  const schema = isObject(root.items) && root.properties === undefined ? root.items : root;
  const rootSchema: NamedSchema = { name: name ?? "root", schema, pointer: schema === root ? "" : ROOT_ITEMS };
  const schemas = [rootSchema, ...readDefinitions(root, "$defs"), ...readDefinitions(root, "definitions")];
  const schemaTables = readSchemaTables(schemas, createSchemaFinder(root), context);
  // A document that is not a table describes the model.
  const isTable = schemaTables.tables.some(({ id }) => id === "");
  const rest = isTable
    ? { $schema: root.$schema, $id: root.$id }
    : { ...omitRead(root, READ_ROOT_MEMBERS), $id: root.$id };
  const { title, description } = root;
  const header = { name, ...(isTable ? {} : { title, description }) };
  return createDocument({ namespace: "jsonschema", header, rest, tags: [], ...schemaTables }, context);
};

/** Returns the schemas of a member with definitions. */
export function readDefinitions(holder: JsonObject, member: string, parentPointer = ""): readonly NamedSchema[] {
  const value = holder[member];
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, schema]) =>
    isObject(schema)
      ? [{ name, schema, pointer: `${parentPointer}/${escapePointerToken(member)}/${escapePointerToken(name)}` }]
      : [],
  );
}

function toNameOfId(id: string | undefined): string | undefined {
  const last = id
    ?.replace(/[#?].*$/, "")
    .split("/")
    .findLast((part) => part !== "");
  return last?.replace(/(\.schema)?\.json$/, "") || undefined;
}

const CALL_MEMBERS = [
  ...["paths", "webhooks", "responses", "parameters", "requestBodies", "headers", "callbacks", "links"],
];

const READ_INFO_MEMBERS = new Set(["title", "version", "description", "summary"]);

/**
 * Reads `components.schemas` of an OpenAPI document (3.0, 3.1, 3.2). A comparison also reads its operations; otherwise
 * they cause a warning.
 */
export const readOpenApi: ReadFormat = (source, context) => {
  const root = source as JsonObject;
  const { diagnostics, names } = context;
  const info = isObject(root.info) ? root.info : {};
  const components = isObject(root.components) ? root.components : {};
  for (const [holder, path] of [
    [root, ""],
    [components, "/components"],
  ] as const) {
    for (const member of names.operations ? [] : CALL_MEMBERS) {
      const all = holder[member];
      const count = isObject(all) ? Object.keys(all).length : 0;
      if (count > 0)
        diagnostics.warn(`${path}/${member}`, "not_carried_over", `calls (${count} ${member}) are not imported`);
    }
  }
  const findSchema = createSchemaFinder(root);
  const operations = names.operations ? readOperations(root, findSchema) : undefined;
  const definitions = readDefinitions(components, "schemas", "/components");
  const schemas = operations
    ? [...definitions.map((one) => ({ ...one, use: operations.findUse(one.pointer) })), ...operations.schemas]
    : definitions;
  if (schemas.length === 0)
    diagnostics.warn("/components/schemas", "assumed", "there are no schemas, so the model has no entity");
  const schemaTables = readSchemaTables(schemas, findSchema, context, names.operations);
  const { openapi, servers, security, tags, externalDocs } = root;
  const rest = {
    ...{ openapi, servers, security, tags, externalDocs },
    ...omitRead(info, READ_INFO_MEMBERS),
    securitySchemes: components.securitySchemes,
  };
  const header = { name: info.title, version: info.version, description: info.description ?? info.summary };
  return createDocument({ namespace: "openapi", header, rest, tags: [], ...schemaTables }, context);
};
