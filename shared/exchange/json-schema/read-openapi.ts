import { isObject, type JsonObject } from "../json-object.ts";
import type { ReadFormat } from "../reading.ts";
import { restOf } from "../tables/kept-rest.ts";
import { documentOfTables } from "../tables/tables-document.ts";
import { definitionsIn } from "./read-json-schema.ts";
import { createRefs } from "./refs.ts";
import { schemaTables } from "./schema-tables.ts";

const HEADER = new Set(["title", "version", "description", "summary"]);

/** Reads `components.schemas` of an OpenAPI document (3.0, 3.1, 3.2); what the document says of calls is a warning. */
export const readOpenApi: ReadFormat = (source, reading) => {
  // It was recognised by its members.
  const root = source as JsonObject;
  const { findings } = reading;
  const info = isObject(root.info) ? root.info : {};
  const components = isObject(root.components) ? root.components : {};
  for (const [holder, place] of [
    [root, ""],
    [components, "/components"],
  ] as const) {
    for (const member of [
      "paths",
      "webhooks",
      "responses",
      "parameters",
      "requestBodies",
      "headers",
      "callbacks",
      "links",
    ]) {
      const all = holder[member];
      const count = isObject(all) ? Object.keys(all).length : 0;
      if (count > 0)
        findings.warn(
          `${place}/${member}`,
          "not_carried_over",
          `what is described of calls (${count} ${member}) is not carried over`,
        );
    }
  }
  const named = definitionsIn(components, "schemas", "/components");
  if (named.length === 0)
    findings.warn("/components/schemas", "assumed", "there are no schemas, so the model has no entity");
  const described = schemaTables(named, createRefs(root), findings);
  const { openapi, servers, security, tags, externalDocs } = root;
  const kept = {
    openapi,
    servers,
    security,
    tags,
    externalDocs,
    ...restOf(info, HEADER),
    securitySchemes: components.securitySchemes,
  };
  const header = { name: info.title, version: info.version, description: info.description ?? info.summary };
  return documentOfTables({ namespace: "openapi", header, kept, tags: [], ...described }, reading);
};
