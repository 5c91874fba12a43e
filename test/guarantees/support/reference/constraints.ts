import { type Check, isObject, RIGHT, text, WRONG } from "./checks.ts";

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (most: number, fits: (t: string) => boolean) => (value: unknown) =>
  text((t) => t.length <= most && fits(t))(value) === RIGHT;
const isLine = isText(200, (t) => t.trim() !== "" && !/[\n\r\u2028\u2029]/.test(t));
const isFlag = (value: unknown) => typeof value === "boolean";
const isAny = () => true;

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
