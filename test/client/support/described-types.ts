import type { Action } from "../../../shared/actions/contract/action.ts";
import { type Descriptor, describeAction } from "../../../shared/actions/describe/describe.ts";
import type { JsonObject } from "../../../shared/actions/describe/json-schema.ts";

/** Keywords that say nothing about the TypeScript type of a value. */
const ABOUT_VALUES = new Set([
  ..."title description pattern format writeOnly minimum maximum exclusiveMinimum".split(" "),
  ..."minLength maxLength minItems maxItems uniqueItems minProperties x-enumDescriptions".split(" "),
]);
const KNOWN = new Set(
  "type enum x-extensible-enum items properties required additionalProperties anyOf oneOf".split(" "),
);

/** The TypeScript type of the values of a JSON Schema; an error that names a keyword which is not known here. */
export function typeOf(schema: JsonObject): string {
  const { type, "x-extensible-enum": known, enum: values = known, items, properties, anyOf, oneOf } = schema;
  const stranger = Object.keys(schema).find((keyword) => !ABOUT_VALUES.has(keyword) && !KNOWN.has(keyword));
  if (stranger !== undefined) throw new Error(`no type is known for the keyword ${stranger}`);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return union(branches.map((branch) => typeOf(branch)));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  switch (type) {
    case "string":
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a type of texts
      return isRef(schema) ? "`id:${string}` | `key:${string}`" : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "array":
      return `(${typeOf(items as JsonObject)})[]`;
    case "object":
      return properties ? membersOf(schema) : `{ [member: string]: ${ofMembers(schema)} }`;
    case undefined:
      return "unknown";
    default:
      throw new Error(`no type is known for ${JSON.stringify(type)}`);
  }
}

/** True where a scheme has to stand in front, as the pattern says. */
const isRef = ({ pattern }: JsonObject) =>
  typeof pattern === "string" && pattern.startsWith("^(id:") && pattern.includes("|key:");

function membersOf({ properties, required = [], additionalProperties }: JsonObject): string {
  const needed = new Set(required as readonly string[]);
  const members = Object.entries(properties as Record<string, JsonObject>).map(
    ([name, one]) => `${JSON.stringify(name)}${needed.has(name) ? "" : "?"}: ${typeOf(one)}`,
  );
  if (additionalProperties === true) members.push("[member: string]: unknown");
  return `{ ${members.join("; ")} }`;
}

const ofMembers = ({ additionalProperties }: JsonObject): string =>
  typeof additionalProperties === "object" ? typeOf(additionalProperties as JsonObject) : "unknown";

const union = (types: readonly string[]): string => types.map((type) => `(${type})`).join(" | ");

/** Parameters whose types tell which members go together, or that it is JSON, which no generator of clients reads in a description. */
const FINER = new Set(["SearchFilters", "PropertyValue", "SourceContent"]);

/** Returns input and output of an action as TypeScript types. `Finer` marks parameters with more precise types. */
export function describedTypes(action: Action): { readonly input: string; readonly output: string } {
  const { group, name: called, parameters, output }: Descriptor = describeAction(action);
  const members = parameters.map(({ name, type, schema, required }) => {
    const input = `Actions["${group}"]["${called}"]["input"]["${name}"]`;
    const value = FINER.has(type) ? `Finer<${input}, ${typeOf(schema)}>` : typeOf(schema);
    return required ? `${name}: ${value}` : `${name}?: (${value}) | null`;
  });
  return { input: `{ ${members.join("; ")} }`, output: typeOf(output.schema) };
}
