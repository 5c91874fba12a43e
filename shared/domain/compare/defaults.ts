import { toEffect } from "../change-kinds.ts";
import type { Constraints } from "../constraints/keywords.ts";
import type { Effect } from "../differences.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import type { ComparedObject, ComparedSides } from "./compared-object.ts";

/** Properties with the expression of a default, and those of values that the database numbers or computes. */
export const DEFAULT_PROPERTIES = ["sql:default", "dbml:default"] as const;
export const IDENTITY_PROPERTIES = ["sql:identity", "dbml:increment"] as const;
export const COMPUTED_PROPERTY = "sql:generated";

/** Returns what an attribute gets if a writer leaves it out, as text; undefined for nothing. */
export function readDefault({ members }: ComparedObject): string | undefined {
  const value = (members.constraints as Constraints | undefined)?.default;
  if (value !== undefined && value !== null) return toCanonicalJson(value);
  for (const name of DEFAULT_PROPERTIES) {
    const expression = members[`properties.${name}`];
    if (expression !== undefined) return `expression ${toCanonicalJson(expression)}`;
  }
  if (members[`properties.${COMPUTED_PROPERTY}`] !== undefined) return "a computed value";
  return IDENTITY_PROPERTIES.some((name) => members[`properties.${name}`] !== undefined) ? "a number" : undefined;
}

/** Assesses the change of the default of an attribute. Validators of JSON ignore defaults: there, required members stay so. */
export function assessDefault(sides: ComparedSides): readonly Effect[] {
  const [old, fresh] = [readDefault(sides.before), readDefault(sides.after)];
  if (old === fresh) return [];
  const [wasRequired, isRequired] = [sides.before, sides.after].map(({ members }) => members.optional === false);
  const detail = `default ${fresh ?? "none"} instead of ${old ?? "none"}`;
  if (isDocumentedOnly(sides.after) && isRequired) return [toEffect("documentationChanged", detail)];
  if (old === undefined && wasRequired) return [toEffect("defaultAddedToRequired", detail)];
  return [toEffect(fresh === undefined && isRequired ? "defaultRemovedFromRequired" : "defaultChanged", detail)];
}

/** Tests for an attribute whose default no validator fills in. */
export function isDocumentedOnly({ getType }: ComparedObject): boolean {
  return getType?.().dialect === "jsonschema";
}
