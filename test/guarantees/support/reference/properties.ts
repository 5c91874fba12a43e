import { type Check, isKey, isObject, RIGHT, text, WRONG } from "./checks.ts";

/** Named JSON values of an object, their members in order at every depth. */
export type RefProperties = Readonly<Record<string, unknown>>;

/** A JSON value with the members of its objects in order, so that equal ones have equal texts. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, one]) => [name, ordered(one)]));
}

/** A step of a JSON pointer. */
export const step = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** No body holds `__proto__` or `constructor.prototype`, so no value of a property does. */
const memberFault = (name: string, above: string): readonly string[] =>
  name === "__proto__" || (name === "prototype" && above === "constructor") ? WRONG : text(() => true)(name);

/** A key, but not one that would lead to such a body. */
export const isPropertyName = (name: string): boolean => isKey(name) && name !== "__proto__" && name !== "constructor";

/** Any JSON of at most 16 levels; only the first fault is told. */
const valueFault = (value: unknown, levels = 16, above = ""): readonly string[] => {
  if (typeof value === "string") return text(() => true)(value);
  if (typeof value !== "object" || value === null) return RIGHT;
  if (levels === 0) return WRONG;
  for (const [name, one] of Object.entries(value)) {
    const named = Array.isArray(value) ? RIGHT : memberFault(name, above);
    const [fault] = [...named, ...valueFault(one, levels - 1, name)];
    if (fault !== undefined) return [step(name) + fault];
  }
  return RIGHT;
};

export const propertyValueFault: Check = (value) => valueFault(value);

/** True for properties that an object has room for. */
export const fits = (all: RefProperties): boolean =>
  Object.keys(all).length <= 100 && Buffer.byteLength(JSON.stringify(all)) <= 64_000;
