import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document.ts";
import { Problem } from "../domain/problems.ts";
import { ANCESTOR_SCHEMA, ANCESTOR_VERSION } from "./ancestor-json.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import { otherFormatOf } from "./other-formats.ts";

/** A format and the object that is written in it. */
export interface Recognised {
  readonly format: "own" | "ancestor" | "table_schema" | "data_package";
  readonly source: JsonObject;
}

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

/** Tells the format of a parsed source, by `$schema` first and by its members then; `source_not_recognised`. */
export function recognise(source: unknown): Recognised {
  if (!isObject(source)) {
    const list = otherFormatOf(source);
    throw unrecognised(list === undefined ? "it is no object" : `it is ${list}`);
  }
  const schema = typeof source.$schema === "string" ? source.$schema : "";
  if (schema === DOCUMENT_SCHEMA || schema === FIRST_DOCUMENT_SCHEMA) return { format: "own", source };
  if (schema.startsWith(OWN_SCHEMAS)) {
    throw unrecognised(
      `it is a model document of another version than ${FIRST_DOCUMENT_SCHEMA} and ${DOCUMENT_SCHEMA}`,
    );
  }
  const version = ANCESTOR_SCHEMA.exec(schema)?.[1];
  if (version === ANCESTOR_VERSION) return { format: "ancestor", source };
  if (version !== undefined) throw unrecognised(`it is a Medatarun model of another version than ${ANCESTOR_VERSION}`);
  const hasTables = "fields" in source || "resources" in source;
  const other = hasTables && isFrictionless(source) ? undefined : otherFormatOf(source);
  if (other !== undefined) throw unrecognised(`it is ${other}`);
  if ("fields" in source) return { format: "table_schema", source };
  if ("resources" in source) return { format: "data_package", source };
  throw unrecognised(
    "it is neither a Table Schema (an object with fields), a Data Package (with resources) nor an exported model (by its $schema)",
  );
}

/** True for a source that calls itself Frictionless, or of which a resource has a Table Schema, whatever else it holds. */
function isFrictionless({ $schema, profile, resources }: JsonObject): boolean {
  const said = [$schema, profile].some((text) => typeof text === "string" && FRICTIONLESS.test(text));
  return said || (Array.isArray(resources) && resources.some(hasTableSchema));
}

const FRICTIONLESS = /frictionlessdata|datapackage\.org|^(tabular-|fiscal-)?data-(package|resource)$|^table-schema$/;

function hasTableSchema(resource: unknown): boolean {
  return isObject(resource) && isObject(resource.schema) && Array.isArray(resource.schema.fields);
}

/** The problem of a source that cannot be read, with the reason as the rest of a sentence. */
export function unrecognised(reason: string): Problem {
  return new Problem("source_not_recognised", `the source cannot be imported: ${reason}`);
}
