import { type JsonObject, toJsonSchema } from "../../shared/actions/describe/json-schema.ts";
import { ACTIONS } from "./actions.ts";

const outputs = new Map(ACTIONS.map(({ group, name, output }) => [`${group}/${name}`, output]));

/** Throws where an object in an answer of an action has its described members in another order than its schema. */
export function checkMemberOrder(action: string, body: unknown): void {
  const output = outputs.get(action);
  const found = output && outOfOrder(toJsonSchema(output), body);
  if (found) throw new Error(`${action} answered members out of their order: ${found}`);
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Describes where the members of a value are in another order than in its schema; undefined if nowhere. */
export function outOfOrder(described: JsonObject, value: unknown, pointer = ""): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // Made by `jsonSchemaOf`, which writes everything out where it stands.
  const schema: Schema = described;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const found = choices.filter((one) => isOf(one, value)).map((one) => outOfOrder({ ...one }, value, pointer));
    return found.includes(undefined) ? undefined : found[0];
  }
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) return first(value.entries(), () => items, pointer);
  const names = Object.keys(value);
  const expected = Object.keys(properties).filter((name) => names.includes(name));
  const given = names.filter((name) => expected.includes(name));
  if (given.join() !== expected.join()) return `${pointer || "/"} has ${given} and not ${expected}`;
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  return first(Object.entries(value), (name) => properties[name] ?? others, pointer);
}

function first<N extends string | number>(
  members: Iterable<readonly [N, unknown]>,
  schemaOf: (name: N) => Schema | undefined,
  pointer: string,
): string | undefined {
  for (const [name, value] of members) {
    const schema = schemaOf(name);
    const found = schema && outOfOrder({ ...schema }, value, `${pointer}/${name}`);
    if (found) return found;
  }
  return undefined;
}

/** True where a value may be of one of several schemas: it is a list as that is, or all its members are described there. */
function isOf({ items, properties, additionalProperties }: Schema, value: object) {
  if (Array.isArray(value)) return items !== undefined;
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  return properties !== undefined && Object.keys(value).every((name) => name in properties);
}
