import type { Ref } from "../refs.ts";
import type { ValueFault } from "../text/json-faults.ts";
import { parseStoredJson, toCanonicalJson } from "../text/json-values.ts";
import type { HolderKind, PropertyImpact } from "../values/properties.ts";
import { findSchemaMismatch, type PropertySchema } from "../values/property-schema.ts";
import type { PropertyDefinition } from "./objects.ts";

/** A definition that comes with the service. Its id never changes, so that a ref to it stays good. */
interface WellKnownProperty {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly kinds?: readonly HolderKind[];
  readonly schema: PropertySchema;
  readonly impact: PropertyImpact;
}

const one = (
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

const DATE = "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ][0-9:.,+Z-]+)?$";
const URL = "^[A-Za-z][A-Za-z0-9+.-]*:\\S+$";

/** The properties that every instance knows; `docs/properties.md` explains them. */
export const WELL_KNOWN: readonly WellKnownProperty[] = [
  one(1, "owner", "Owner", "Who is accountable for it: a person, a team or an organisation, by name or address.", {
    type: "string",
    pattern: "\\S",
  }),
  one(2, "steward", "Steward", "Who looks after it day by day.", { type: "string", pattern: "\\S" }),
  one(
    3,
    "licenses",
    "Licences",
    "The licences under which the data may be used, each an object with `name`, `path` or `title`.",
    {
      type: "array",
      items: { type: "object" },
    },
  ),
  one(4, "sources", "Sources", "Where the data comes from, each an object with `title`, `path` or `email`.", {
    type: "array",
    items: { type: "object" },
  }),
  one(
    5,
    "contributors",
    "Contributors",
    "Who made it, each an object with `title`, and `email`, `path`, `roles` or `organization`.",
    {
      type: "array",
      items: { type: "object" },
    },
  ),
  one(6, "homepage", "Home page", "The address of a page about it.", { type: "string", pattern: URL }),
  one(7, "created", "Created", "When it was made, as an ISO 8601 date or date and time.", {
    type: "string",
    pattern: DATE,
  }),
  one(8, "classification", "Classification", "How confidential the data is.", {
    type: "string",
    enum: ["public", "internal", "confidential", "restricted"],
  }),
  one(
    9,
    "deprecated",
    "Deprecated",
    "Not to be used any more: true, or an object that may say `since`, `reason` and `replacedBy`.",
    {
      type: ["boolean", "object"],
    },
  ),
  {
    ...one(
      10,
      "frictionless:constraints",
      "Other constraints",
      "What a Frictionless source asks of values beside `constraints`, such as the earliest date; a change may allow fewer of them.",
      { type: "object" },
    ),
    impact: "breaking",
  },
];

/** The definitions in force, by the name of the property. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;

const BUILT_IN_DEFINITIONS: PropertyDefinitions = new Map(WELL_KNOWN.map((one) => [one.key, toDefinition(one)]));

function toDefinition({ schema, ...own }: WellKnownProperty): PropertyDefinition {
  return { kind: "property_definition", revision: 0, ...own, schema: toCanonicalJson(schema) };
}

/** The definition that comes with the service under a key; undefined where none does. */
export function getBuiltIn(key: string): PropertyDefinition | undefined {
  return BUILT_IN_DEFINITIONS.get(key);
}

/** Whether a definition is the service's own, which nobody has changed and which is not stored. */
export function isBuiltIn(definition: PropertyDefinition): boolean {
  return getBuiltIn(definition.key) === definition;
}

/** The definition that comes with the service and that a ref names; undefined where it names none. */
export function findBuiltIn({ scheme, value }: Ref): PropertyDefinition | undefined {
  return scheme === "key"
    ? getBuiltIn(value)
    : [...BUILT_IN_DEFINITIONS.values()].find(({ id }) => id === value.toLowerCase());
}

/** The definitions in force: those that are stored, and those of the service that none of them replaces. */
export function mergeDefinitions(storedOnes: Iterable<PropertyDefinition>): PropertyDefinitions {
  return new Map([...BUILT_IN_DEFINITIONS, ...[...storedOnes].map((one) => [one.key, one] as const)]);
}

/** The place and reason where a value is not as its definition says, for an object of a kind; undefined where it is. */
export function findDefinitionFault(
  { key, kinds, schema }: Pick<PropertyDefinition, "key" | "kinds" | "schema">,
  kind: string,
  value: unknown,
): ValueFault | undefined {
  const holder = kind === "global_tag" ? "tag" : kind;
  if (kinds && !kinds.some((one) => one === holder)) {
    return { path: [], detail: `the property ${key} is defined for ${kinds.join(", ")} only; choose another name` };
  }
  return schema === undefined ? undefined : findSchemaMismatch(value, parseStoredJson<PropertySchema>(schema));
}

/**
 * Why a value of a source does not fit the property of that name that comes with the service, in words; undefined where
 * it fits, or none comes with it. A definition that somebody changed is asked when the model is made.
 */
export function findBuiltInFault(name: string, value: unknown): string | undefined {
  const definition = getBuiltIn(name);
  const misfit = definition && findSchemaMismatch(value, parseStoredJson<PropertySchema>(definition.schema ?? "{}"));
  return misfit?.detail;
}
