/** The sorts of conditions, each with how it may be put; the first one is what a new condition has. */
export const CONDITIONS = {
  text: ["contains"],
  tags: ["anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  properties: ["equals", "anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  constraints: ["anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  format: ["anyOf", "noneOf"],
} as const;

export type ConditionType = keyof typeof CONDITIONS;

/** One condition of a search as a person builds it and an address keeps it; it may not be complete yet. */
export interface Condition {
  readonly type: ConditionType;
  readonly condition: string;
  /** What a list is looked for in, or the one text; the name and the value of a property. */
  readonly values: readonly string[];
}

/** One condition as the service takes it. */
export interface ServiceCondition {
  readonly type: ConditionType;
  readonly condition: string;
  readonly value?: string | readonly string[] | Readonly<Record<string, unknown>>;
}

/** Conditions that an address may name; the service takes no more. */
const MOST = 100;

const isConditionType = (text: unknown): text is ConditionType =>
  typeof text === "string" && Object.hasOwn(CONDITIONS, text);

function parseCondition(given: unknown): Condition | undefined {
  if (!Array.isArray(given)) return undefined;
  const [type, condition, ...values] = given.map(String);
  if (!isConditionType(type) || condition === undefined) return undefined;
  const known: readonly string[] = CONDITIONS[type];
  return known.includes(condition) ? { type, condition, values } : undefined;
}

/** Reads conditions from an address, where each is a list of its sort, how it is put, and its values. */
export function readConditions(given: unknown): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const known = given.slice(0, MOST).flatMap((one) => parseCondition(one) ?? []);
  return known.length > 0 ? known.map(formatCondition) : undefined;
}

/** The conditions of an address. */
export const parseConditions = (written: readonly (readonly string[])[] = []): readonly Condition[] =>
  written.flatMap((one) => parseCondition(one) ?? []);

/** A condition as an address keeps it. */
export const formatCondition = ({ type, condition, values }: Condition): readonly string[] => [
  type,
  condition,
  ...values,
];

const WITHOUT_VALUE: readonly string[] = ["empty", "notEmpty"];

/** True where a condition asks for no value. */
export const isWithoutValue = ({ condition }: Condition): boolean => WITHOUT_VALUE.includes(condition);

/** A condition as the service takes it; undefined of one that is not complete. */
export function toServiceCondition(one: Condition): ServiceCondition | undefined {
  const { type, condition } = one;
  if (isWithoutValue(one)) return { type, condition };
  const values = one.values.filter((value) => value !== "");
  const [first, second] = one.values;
  if (first === undefined || first.trim() === "") return undefined;
  if (type === "text") return { type, condition, value: first };
  if (condition !== "equals") return { type, condition, value: values };
  if (second === undefined || second === "") return undefined;
  return { type, condition, value: { [first]: parseJsonOrText(second) } };
}

/** The value of a property as it is typed: JSON where it is some, else a text. */
function parseJsonOrText(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

/** The filters of a search for a text and some conditions; undefined where nothing is asked for. */
export function buildFilters(text: string, conditions: readonly Condition[], operator: "and" | "or") {
  const items = [
    ...(text.trim() === "" ? [] : [{ type: "text", condition: "contains", value: text.trim() } as const]),
    ...conditions.flatMap((one) => toServiceCondition(one) ?? []),
  ];
  return items.length > 0 ? { operator, items } : undefined;
}

/** Gives an element the focus when it is drawn: in a dialog, for what takes the place of the button that had it. */
export const focusAtOnce = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
