import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { CONTROLS, NOT_BLANK_PATTERN, TEXT_PATTERN } from "../text/characters.ts";
import { findJsonFault, type ValueFault } from "../text/json-faults.ts";
import { isScalar, toCanonicalJson } from "../text/json-values.ts";
import { findNearest } from "../text/suggestions.ts";
import {
  checkFaults,
  createObjectSchema,
  defineValueType,
  describeJsonType,
  replaceJsonSchema,
} from "../values/value-type.ts";
import { singleLine } from "../values/value-types.ts";
import {
  type Constraints,
  findLowerBound,
  findUpperBound,
  isKeyword,
  KEYWORD_NAMES,
  KEYWORDS,
  type Shape,
} from "./keywords.ts";

/** Returns every fault of constraints; none if they may be stored. */
export function findConstraintFaults(value: Readonly<Record<string, unknown>>): readonly ValueFault[] {
  const names = Object.keys(value);
  if (names.length === 0) return [{ path: [], detail: "contains no keyword; omit it to have no constraints" }];
  const unstorable = findJsonFault(value, LIMITS.constraintDepth);
  if (unstorable) return [unstorable];
  const faults = names.flatMap((name): ValueFault[] => {
    const detail = isKeyword(name) ? SHAPE_FAULTS[KEYWORDS[name].shape](value[name]) : describeUnknownKeyword(name);
    return detail === undefined ? [] : [{ path: [name], detail }];
  });
  if (faults.length > 0) return faults;
  if (Buffer.byteLength(JSON.stringify(value)) > LIMITS.constraintBytes) {
    return [{ path: [], detail: `longer than ${LIMITS.constraintBytes} bytes as JSON` }];
  }
  return findContradictions(value);
}

/** Returns a sentence about an unknown keyword, with a suggestion. */
export function describeUnknownKeyword(name: string): string {
  const close = findNearest(name, KEYWORD_NAMES);
  return `is not a known keyword of constraints${close ? `; did you mean ${close}?` : `; use one of ${KEYWORD_NAMES.join(", ")}`}`;
}

const describeExpected = (type: string, value: unknown) => `expected ${type}, got ${describeJsonType(value)}`;

const findNumberFault = (value: unknown): string | undefined =>
  typeof value === "number" ? undefined : describeExpected("a number", value);

const findListFault = (value: unknown): string | undefined =>
  Array.isArray(value) ? undefined : describeExpected("a list", value);

const SHAPE_FAULTS: { readonly [S in Shape]: (value: unknown) => string | undefined } = {
  number: findNumberFault,
  positive: (value) => findNumberFault(value) ?? (Number(value) > 0 ? undefined : "must be greater than 0"),
  count: (value) =>
    findNumberFault(value) ??
    (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : "must be a whole number, 0 or more"),
  flag: (value) => (typeof value === "boolean" ? undefined : describeExpected("true or false", value)),
  line: (value) => z.safeParse(singleLine.schema(), value).error?.issues[0]?.message,
  pattern: (value) => {
    if (typeof value !== "string") return describeExpected("a string", value);
    return value.length > LIMITS.patternCharacters ? `longer than ${LIMITS.patternCharacters} characters` : undefined;
  },
  value: () => undefined,
  values: findListFault,
  choices: (value) => findListFault(value) ?? findChoicesFault(value as readonly unknown[]),
};

function findChoicesFault(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return "must contain at least one value";
  if (values.every(isScalar) && new Set(values).size === values.length) return undefined;
  const usedValues = new Set<string>();
  for (const value of values) {
    const text = toCanonicalJson(value);
    if (usedValues.has(text)) return `contains ${shortenJson(text)} twice`;
    usedValues.add(text);
  }
  return undefined;
}

function findContradictions(constraints: Constraints): readonly ValueFault[] {
  const faults: ValueFault[] = [];
  const [lower, upper] = [findLowerBound(constraints), findUpperBound(constraints)];
  if (lower && upper && (lower.at > upper.at || (lower.at === upper.at && (lower.isOpen || upper.isOpen)))) {
    const comparison = lower.isOpen || upper.isOpen ? "greater than" : "at least";
    faults.push({
      path: [upper.keyword],
      detail: `${upper.at} must be ${comparison} ${lower.keyword}, which is ${lower.at}`,
    });
  }
  for (const [least, most] of [
    ["minLength", "maxLength"],
    ["minItems", "maxItems"],
  ] as const) {
    const [from, to] = [constraints[least], constraints[most]];
    if (from !== undefined && to !== undefined && from > to) {
      faults.push({ path: [most], detail: `${to} must be at least ${least}, which is ${from}` });
    }
  }
  if (Object.hasOwn(constraints, "const") && constraints.enum) {
    const text = toCanonicalJson(constraints.const);
    if (!constraints.enum.some((one) => toCanonicalJson(one) === text)) {
      faults.push({ path: ["const"], detail: "is not one of the values of enum" });
    }
  }
  return faults;
}

const MAX_SHOWN_CHARACTERS = 60;

/** Shortens the JSON of a value for a message. */
export function shortenJson(json: string): string {
  return json.length > MAX_SHOWN_CHARACTERS
    ? `${json.slice(0, MAX_SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…`
    : json;
}

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

const buildSchema = () => ({
  title: "Constraints",
  type: "object",
  properties: Object.fromEntries(
    // In the order of stored and returned constraints.
    KEYWORD_NAMES.toSorted().map((name) => {
      const { shape, text } = KEYWORDS[name];
      return [name, { ...SHAPE_SCHEMAS[shape], description: `${text}.` }];
    }),
  ),
  minProperties: 1,
  additionalProperties: false,
});

export const constraints = defineValueType<Constraints>({
  id: "Constraints",
  json: "object",
  description:
    `The values that an attribute may have: an object with keywords of JSON Schema validation 2020-12, and \`unique\` and \`unit\`: ${KEYWORD_NAMES.join(", ")}. ` +
    `At most ${LIMITS.constraintBytes} bytes as JSON, texts without ${CONTROLS}, and no two that contradict each other. ` +
    `Stored, compared and exported, but never checked against data.`,
  schema: () =>
    createObjectSchema().check(
      checkFaults(findConstraintFaults),
      replaceJsonSchema(buildSchema()),
    ) as z.ZodMiniType<Constraints>,
});
