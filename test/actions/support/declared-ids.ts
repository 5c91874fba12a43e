import type { JsonObject } from "../../../shared/actions/describe/json-schema.ts";

const ID = /^(?:id:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Id of an object in an answer, or a ref by id, with the description of its member. */
export interface AnsweredId {
  readonly place: string;
  readonly value: string;
  readonly description: string;
}

/** Lists the ids and refs by id in an answer with this schema, except in values that callers choose or other actions declare. */
export function* listIds(value: unknown, schema: JsonObject = {}, place = "", text = ""): Generator<AnsweredId> {
  const {
    title,
    properties,
    additionalProperties,
    items,
    description = text,
  } = schema as Readonly<Record<string, Body>>;
  if (title === "BatchResult") return;
  if (typeof value === "string") {
    if (ID.test(value)) yield { place, value, description };
  } else if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) yield* listIds(one, items, `${place}/${i}`, description);
  } else if (typeof value === "object" && value !== null) {
    for (const [member, one] of Object.entries(value)) {
      if (CHOSEN.has(member)) continue;
      const inner =
        properties?.[member] ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
      // Members of an image, which has one description for all of them.
      yield* listIds(one, inner, `${place}/${member}`, properties ? "" : description);
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is read without types
type Body = any;

const CHOSEN: ReadonlySet<string> = new Set(["key", "name", "fullname", "properties", "result"]);

/** Lists the places of an answer with an id in a member whose description does not say so. */
export function listUndeclaredIds(body: unknown, schema: JsonObject): readonly string[] {
  const isDeclared = ({ description }: AnsweredId) => /\b(?:ids?|refs?)\b/i.test(description);
  return [...listIds(body, schema)].flatMap((one) => (isDeclared(one) ? [] : [`${one.place} ${one.value}`]));
}
