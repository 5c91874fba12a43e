import type { ValueFault } from "./json-faults.ts";
import { jsonOf, jsonText } from "./json-value.ts";
import type { PropertyDefinition } from "./objects.ts";
import { misfitOf, type PropertySchema } from "./property-schema.ts";
import type { Ref } from "./refs.ts";
import { WELL_KNOWN, type WellKnownProperty } from "./well-known-properties.ts";

/** The definitions in force, by the name of the property. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;

const OF_SERVICE: PropertyDefinitions = new Map(WELL_KNOWN.map((one) => [one.key, stored(one)]));

function stored({ schema, ...own }: WellKnownProperty): PropertyDefinition {
  return { kind: "property_definition", revision: 0, ...own, schema: jsonText(schema) };
}

/** The definition that comes with the service under a key; undefined where none does. */
export function wellKnown(key: string): PropertyDefinition | undefined {
  return OF_SERVICE.get(key);
}

/** Whether a definition is the service's own, which nobody has changed and which is not stored. */
export function isBuiltIn(definition: PropertyDefinition): boolean {
  return wellKnown(definition.key) === definition;
}

/** The definition that comes with the service and that a ref names; undefined where it names none. */
export function wellKnownNamed({ scheme, value }: Ref): PropertyDefinition | undefined {
  return scheme === "key" ? wellKnown(value) : [...OF_SERVICE.values()].find(({ id }) => id === value.toLowerCase());
}

/** The definitions in force: those that are stored, and those of the service that none of them replaces. */
export function inForce(storedOnes: Iterable<PropertyDefinition>): PropertyDefinitions {
  return new Map([...OF_SERVICE, ...[...storedOnes].map((one) => [one.key, one] as const)]);
}

/** The place and reason where a value is not as its definition says, for an object of a kind; undefined where it is. */
export function definitionMisfit(
  { key, kinds, schema }: Pick<PropertyDefinition, "key" | "kinds" | "schema">,
  kind: string,
  value: unknown,
): ValueFault | undefined {
  const holder = kind === "global_tag" ? "tag" : kind;
  if (kinds && !kinds.some((one) => one === holder)) {
    return { path: [], detail: `the property ${key} is defined for ${kinds.join(", ")} only; choose another name` };
  }
  return schema === undefined ? undefined : misfitOf(value, jsonOf<PropertySchema>(schema));
}

/**
 * Why a value of a source does not fit the property of that name that comes with the service, in words; undefined where
 * it fits, or none comes with it. A definition that somebody changed is asked when the model is made.
 */
export function wellKnownMisfit(name: string, value: unknown): string | undefined {
  const definition = wellKnown(name);
  const misfit = definition && misfitOf(value, jsonOf<PropertySchema>(definition.schema ?? "{}"));
  return misfit?.detail;
}
