import type { JsonSchema, ServiceDescription } from "./description.ts";

/** A value that a parameter may have. */
export interface Choice {
  readonly value: string;
  /** In English; empty where the service does not say what the value means. */
  readonly text: string;
}

/** The values that a parameter of an action may have, in the order of the service; none where it is not there. */
export function choicesOf(
  { actions, schemas }: ServiceDescription,
  action: string,
  parameter: string,
): readonly Choice[] {
  const whole = (schema: JsonSchema | undefined): JsonSchema =>
    schema?.$ref === undefined
      ? (schema ?? {})
      : { ...schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)], ...schema };
  const { enum: values = [], "x-enumDescriptions": texts = {} } = whole(
    whole(actions.get(action)?.input).properties?.[parameter],
  );
  return values.filter((value) => typeof value === "string").map((value) => ({ value, text: texts[value] ?? "" }));
}
