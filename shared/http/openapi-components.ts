import type { JsonObject } from "../actions/describe/json-schema.ts";

/** Collects the schemas of objects, so that each stands in the document once, under its name. */
export interface NamedSchemas {
  /**
   * The schema with references in the place of the objects that have a `title`; an object without one is given `name`.
   * Throws where one name stands for two schemas.
   */
  refer(schema: JsonObject, name?: string): JsonObject;
  /** Every schema referred to so far, by name. */
  components(): JsonObject;
}

/** Makes an empty collection of schemas. */
export function namedSchemas(): NamedSchemas {
  const collected = new Map<string, JsonObject>();

  const refer = (schema: JsonObject, name?: string): JsonObject => {
    const title = schema.title ?? (schema.properties === undefined ? undefined : name);
    const inner = Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, within(member, value)]));
    return typeof title === "string" ? reference(title, inner) : inner;
  };

  const within = (member: string, value: unknown): unknown => {
    if (member === "properties") return mapped(value as JsonObject, (one) => refer(one as JsonObject));
    if (member === "items" || member === "additionalProperties") return isSchema(value) ? refer(value) : value;
    if (member === "anyOf" || member === "oneOf") return (value as readonly JsonObject[]).map((one) => refer(one));
    return value;
  };

  const reference = (name: string, { title: _, ...members }: JsonObject): JsonObject => {
    const here = Object.entries(members).filter(([member]) => isOfPlace(member));
    const schema = Object.fromEntries(Object.entries(members).filter(([member]) => !isOfPlace(member)));
    const known = collected.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are named ${name}`);
    collected.set(name, schema);
    return { ...Object.fromEntries(here), $ref: `#/components/schemas/${name}` };
  };

  return {
    refer,
    components: () => Object.fromEntries([...collected].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** True for what belongs to the place where an object stands: "the group of a global tag", and the names of a parameter. */
function isOfPlace(member: string): boolean {
  return member === "description" || member.startsWith("x-");
}

function mapped(members: JsonObject, to: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value)]));
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}
