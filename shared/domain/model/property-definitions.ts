import type { Ref } from "../refs.ts";
import type { ValueFault } from "../text/json-faults.ts";
import { parseStoredJson, toCanonicalJson } from "../text/json-values.ts";
import { PatternBudget } from "../text/pattern-budget.ts";
import { findSchemaMismatch, type PropertySchema } from "../values/property-schema.ts";
import type { PropertyDefinition } from "./objects.ts";

/** Built-in definition. Its id never changes, so that refs to it stay valid. */
interface WellKnownProperty extends Omit<PropertyDefinition, "kind" | "revision" | "schema"> {
  readonly name: string;
  readonly description: string;
  readonly schema: PropertySchema;
}

const defineBuiltIn = (
  number: number,
  key: string,
  name: string,
  description: string,
  schema: PropertySchema,
): WellKnownProperty => ({
  id: `01980000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  ...{ key, name, description, schema },
  impact: "cosmetic",
});

const OBJECTS: PropertySchema = { type: "array", items: { type: "object" } };
const NON_BLANK: PropertySchema = { type: "string", pattern: "\\S" };
const ADDRESS: PropertySchema = { type: "string", pattern: "^[A-Za-z][A-Za-z0-9+.-]*:\\S+$" };
const DATE: PropertySchema = {
  type: "string",
  pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ][0-9:.,+Z-]+)?$",
};

/** Built-in properties of every instance; `docs/properties.md` explains them. */
export const WELL_KNOWN: readonly WellKnownProperty[] = [
  defineBuiltIn(
    1,
    "owner",
    "Owner",
    "Who is accountable for it: a person, a team or an organisation, by name or address.",
    NON_BLANK,
  ),
  defineBuiltIn(2, "steward", "Steward", "The person or team for the daily maintenance.", NON_BLANK),
  defineBuiltIn(
    3,
    "licenses",
    "Licences",
    "The licenses of the data; each is an object with `name`, `path` or `title`.",
    OBJECTS,
  ),
  defineBuiltIn(
    4,
    "sources",
    "Sources",
    "The sources of the data; each is an object with `title`, `path` or `email`.",
    OBJECTS,
  ),
  defineBuiltIn(
    5,
    "contributors",
    "Contributors",
    "The contributors; each is an object with `title`, and `email`, `path`, `roles` or `organization`.",
    OBJECTS,
  ),
  defineBuiltIn(6, "homepage", "Home page", "The address of a page with more information.", ADDRESS),
  defineBuiltIn(7, "created", "Created", "The creation time, as an ISO 8601 date or date and time.", DATE),
  defineBuiltIn(8, "classification", "Classification", "The confidentiality of the data.", {
    type: "string",
    enum: ["public", "internal", "confidential", "restricted"],
  }),
  defineBuiltIn(
    9,
    "deprecated",
    "Deprecated",
    "Deprecated: true, or an object with optional `since`, `reason` and `replacedBy`.",
    { type: ["boolean", "object"] },
  ),
  {
    ...defineBuiltIn(
      10,
      "frictionless:constraints",
      "Other constraints",
      "Constraints of a Frictionless source that `constraints` cannot express, such as the earliest date. A change may allow fewer values.",
      { type: "object" },
    ),
    impact: "breaking",
  },
];

export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;

const BUILT_IN_DEFINITIONS: PropertyDefinitions = new Map(WELL_KNOWN.map((one) => [one.key, toDefinition(one)]));

function toDefinition({ schema, ...own }: WellKnownProperty): PropertyDefinition {
  return { kind: "property_definition", revision: 0, ...own, schema: toCanonicalJson(schema) };
}

/** Returns the built-in definition with a key, if there is one. */
export function getBuiltIn(key: string): PropertyDefinition | undefined {
  return BUILT_IN_DEFINITIONS.get(key);
}

/** Tests whether a definition is built in, unchanged and therefore not stored. */
export function isBuiltIn(definition: PropertyDefinition): boolean {
  return getBuiltIn(definition.key) === definition;
}

/** Finds the built-in definition that a ref names. */
export function findBuiltIn({ scheme, value }: Ref): PropertyDefinition | undefined {
  return scheme === "key"
    ? getBuiltIn(value)
    : [...BUILT_IN_DEFINITIONS.values()].find(({ id }) => id === value.toLowerCase());
}

/** Merges stored definitions with the built-in ones that they do not replace. */
export function mergeDefinitions(storedOnes: Iterable<PropertyDefinition>): PropertyDefinitions {
  return new Map([...BUILT_IN_DEFINITIONS, ...[...storedOnes].map((one) => [one.key, one] as const)]);
}

/** Finds the fault of a value by the definition of its property. */
export function findDefinitionFault(
  { key, kinds, schema }: Pick<PropertyDefinition, "key" | "kinds" | "schema">,
  kind: string,
  value: unknown,
  budget: PatternBudget,
): ValueFault | undefined {
  const holder = kind === "global_tag" ? "tag" : kind;
  if (kinds && !kinds.some((one) => one === holder)) {
    return { path: [], detail: `the property ${key} is only defined for ${kinds.join(", ")}; choose another name` };
  }
  return schema === undefined ? undefined : findSchemaMismatch(value, parseStoredJson<PropertySchema>(schema), budget);
}

/** Returns a sentence if a value violates a built-in definition. */
export function findBuiltInFault(name: string, value: unknown): string | undefined {
  const definition = getBuiltIn(name);
  const schema = definition && parseStoredJson<PropertySchema>(definition.schema ?? "{}");
  return schema && findSchemaMismatch(value, schema, new PatternBudget())?.detail;
}
