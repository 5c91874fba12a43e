import type * as z from "zod/mini";
import { CONTROLS, NOT_BLANK_PATTERN, TEXT_PATTERN } from "../legal-text.ts";
import { LIMITS } from "../limits.ts";
import { anyObject, describedAs, valueType } from "../value-type.ts";
import { constraintFaults } from "./check.ts";
import { type Constraints, KEYWORD_NAMES, KEYWORDS, type Shape } from "./keywords.ts";

/** The JSON Schema of each shape. */
const SHAPE_SCHEMAS: { readonly [S in Shape]: Readonly<Record<string, unknown>> } = {
  number: { type: "number" },
  positive: { type: "number", exclusiveMinimum: 0 },
  count: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  flag: { type: "boolean" },
  line: { type: "string", maxLength: LIMITS.nameCharacters, pattern: NOT_BLANK_PATTERN.replaceAll("[^", "[^\\r\\n") },
  pattern: { type: "string", maxLength: LIMITS.patternCharacters, pattern: TEXT_PATTERN },
  value: {},
  values: { type: "array", items: {} },
  choices: { type: "array", items: {}, minItems: 1, uniqueItems: true },
};

const shape = () => ({
  title: "Constraints",
  type: "object",
  properties: Object.fromEntries(
    // In the order in which they are kept and answered.
    KEYWORD_NAMES.toSorted().map((name) => {
      const { shape, text } = KEYWORDS[name];
      return [name, { ...SHAPE_SCHEMAS[shape], description: `${text}.` }];
    }),
  ),
  minProperties: 1,
  additionalProperties: false,
});

/** The constraints of an attribute, handed on as they are. */
export const constraints = valueType<Constraints>({
  id: "Constraints",
  json: "object",
  description: `The values that an attribute may have: an object with keywords of JSON Schema validation 2020-12, and \`unique\` and \`unit\`: ${KEYWORD_NAMES.join(", ")}. At most ${LIMITS.constraintBytes} bytes as JSON, texts without ${CONTROLS}, and no two that contradict each other. Kept, compared and exported, never run against data.`,
  schema: () =>
    anyObject().check((ctx) => {
      for (const { path, detail } of constraintFaults(ctx.value)) {
        ctx.issues.push({ code: "custom", input: ctx.value, path: [...path], message: detail });
      }
    }, describedAs(shape())) as z.ZodMiniType<Constraints>,
});
