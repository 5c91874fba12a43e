import { type Check, isObject, type Members, RIGHT, text, WRONG } from "./checks.ts";

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (most: number, fits: (t: string) => boolean) => (value: unknown) =>
  text((t) => t.length <= most && fits(t))(value) === RIGHT;
const isLine = isText(200, (t) => t.trim() !== "" && !/[\n\r\u2028\u2029]/.test(t));
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isAny = (): boolean => true;

/** JSON with sorted members: equal for equal values. */
export function jsonOf(value: unknown): string {
  const sorted = (_: string, one: unknown): unknown =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  return JSON.stringify(value, sorted);
}

/** JSON Schema validation 2020-12, with two keywords of the service's own: what each takes. */
const TAKES: Readonly<Record<string, (value: unknown) => boolean>> = {
  enum: (value) => Array.isArray(value) && value.length > 0 && new Set(value.map(jsonOf)).size === value.length,
  const: isAny,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isText(1_000, isAny),
  format: isLine,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  default: isAny,
  examples: Array.isArray,
  contentEncoding: isLine,
  contentMediaType: isLine,
  unique: isFlag,
  unit: isLine,
};

export const isKeyword = (name: string): boolean => Object.hasOwn(TAKES, name);

const PAIRS = [
  ["minimum", "maximum"],
  ["exclusiveMinimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
] as const;

/** The pointers of what is wrong with the constraints of an attribute. */
export const constraintsFault: Check = (value) => {
  if (!isObject(value) || Object.keys(value).length === 0) return WRONG;
  const wrong = Object.entries(value).flatMap(([name, one]) => (TAKES[name]?.(one) ? [] : [`/${name}`]));
  if (wrong.length > 0) return wrong;
  if (Buffer.byteLength(JSON.stringify(value)) > 32_000) return WRONG;
  const crossed = PAIRS.filter(([least, most]) => {
    const [from, to] = [Number(value[least] ?? Number.NaN), Number(value[most] ?? Number.NaN)];
    return from > to || (from === to && `${least}${most}`.includes("exclusive"));
  }).map(([, most]) => `/${most}`);
  const isNoChoice =
    Array.isArray(value.enum) && "const" in value && !value.enum.map(jsonOf).includes(jsonOf(value.const));
  return [...new Set(crossed), ...(isNoChoice ? ["/const"] : [])];
};

/** Enough values to tell two small ranges apart. */
const SAMPLES = Array.from({ length: 400 }, (_, i) => (i - 100) / 4);
const LENGTHS = Array.from({ length: 200 }, (_, i) => i);

/** The values of a sample that keywords which belong together allow, by their JSON. */
function allowed(about: string, value: Members, both: readonly Members[]): ReadonlySet<string> {
  const numbers = (fits: (n: number) => boolean) => new Set(SAMPLES.filter(fits).map(jsonOf));
  const lengths = (fits: (n: number) => boolean) => new Set(LENGTHS.filter(fits).map(jsonOf));
  const at = (name: string, otherwise: number): number => Number(value[name] ?? otherwise);
  switch (about) {
    case "choice": {
      const named = both.flatMap((one) => [...(Array.isArray(one.enum) ? one.enum : []), one.const]).map(jsonOf);
      const all = [...named, "any other"];
      if (value.const !== undefined) return new Set([jsonOf(value.const)]);
      return new Set(Array.isArray(value.enum) ? value.enum.map(jsonOf) : all);
    }
    case "lower":
      return numbers((n) => n >= at("minimum", -1e9) && n > at("exclusiveMinimum", -1e9));
    case "upper":
      return numbers((n) => n <= at("maximum", 1e9) && n < at("exclusiveMaximum", 1e9));
    case "multipleOf":
      return numbers((n) => n % at("multipleOf", 0.25) === 0);
    case "minLength":
    case "minItems":
      return lengths((n) => n >= at(about, 0));
    case "maxLength":
    case "maxItems":
      return lengths((n) => n <= at(about, 1e9));
    case "unique":
    case "uniqueItems":
      return new Set(value[about] === true ? ["all differ"] : ["all differ", "some are alike"]);
    default:
      throw new Error(about);
  }
}

const BY_SAMPLES = [
  ...["choice", "lower", "upper", "multipleOf", "minLength", "minItems", "maxLength", "maxItems"],
  ...["unique", "uniqueItems"],
];

/** The impact of a change of constraints: README, and docs/constraints.md. */
export function constraintsImpact(before: unknown, after: unknown): string {
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const impacts: string[] = BY_SAMPLES.map((about) => {
    const [first, then] = [allowed(about, was, [was, is]), allowed(about, is, [was, is])];
    if ([...first].some((one) => !then.has(one))) return "breaking";
    return then.size > first.size ? "additive" : "cosmetic";
  });
  // A default of null is one.
  const differs = (name: string): boolean => name in was !== name in is || jsonOf([was[name]]) !== jsonOf([is[name]]);
  for (const name of ["pattern", "format", "contentEncoding", "contentMediaType"]) {
    if (differs(name)) impacts.push(name in is ? "breaking" : "additive");
  }
  for (const name of ["default", "unit"]) if (differs(name)) impacts.push(name in was ? "breaking" : "additive");
  return ["breaking", "additive"].find((one) => impacts.includes(one)) ?? "cosmetic";
}
