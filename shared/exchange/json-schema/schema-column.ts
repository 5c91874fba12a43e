import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { restOf, textIn } from "../tables/kept-rest.ts";
import type { SourceColumn, SourcePart } from "../tables/source-tables.ts";
import type { Merged } from "./merged.ts";
import type { NamedSchema, Property } from "./named-schema.ts";

const KEYWORDS = new Set<string>(KEYWORD_NAMES.filter((name) => name !== "unique" && name !== "unit"));
const READ = new Set([...KEYWORDS, "type", "title", "description"]);

/** A property that is neither an object nor a list of objects as a column; `type` names the definition it refers to. */
export function columnOf({ schema, unresolved }: Merged, type: string | undefined, at: Property): SourceColumn {
  const { name, isPresent, path, findings } = at;
  return {
    ...{ name, path, findings },
    title: textIn(schema, "title"),
    description: textIn(schema, "description"),
    type: type ?? typeName(schema),
    optional: !isPresent,
    constraints: constraintsOf(schema),
    kept: { ...restOf(schema, READ), ...(unresolved !== undefined && { $ref: unresolved }) },
  };
}

/** A definition that is no object as a type. */
export function typeOf({ name }: NamedSchema, schema: JsonObject, findings: Findings): SourcePart {
  return {
    ...{ name, findings, path: [name] },
    title: textIn(schema, "title"),
    description: textIn(schema, "description"),
    kept: { schema: restOf(schema, new Set(["title", "description"])) },
  };
}

/** The name of a schema's type: of several types all, of none `any`. */
function typeName({ type, enum: values }: JsonObject): string {
  if (typeof type === "string") return type;
  if (Array.isArray(type) && type.length > 0) return type.map(String).join("|");
  return Array.isArray(values) && values.every((one) => typeof one === "string") ? "string" : "any";
}

/** The keywords of constraints that a schema has; a bound that drafts before 6 and OpenAPI 3.0 call exclusive is one of its own. */
function constraintsOf(schema: JsonObject): JsonObject {
  const found = Object.fromEntries(Object.entries(schema).filter(([member]) => KEYWORDS.has(member)));
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof found[exclusive] !== "boolean") continue;
    const { [bound]: value, [exclusive]: isOpen } = found;
    delete found[exclusive];
    if (isOpen !== true || value === undefined) continue;
    delete found[bound];
    found[exclusive] = value;
  }
  return found;
}
