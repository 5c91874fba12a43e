/** Condition types with their operators; the first is the default. */
export const CONDITIONS = {
  text: ["contains"],
  tags: ["anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  properties: ["equals", "anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  constraints: ["anyOf", "allOf", "noneOf", "notEmpty", "empty"],
  format: ["anyOf", "noneOf"],
} as const;

export type ConditionType = keyof typeof CONDITIONS;

/** Search condition of editor and address; may be incomplete. */
export interface Condition {
  readonly type: ConditionType;
  readonly condition: string;
  /** Searched values, or a single text; for a property its name and value. */
  readonly values: readonly string[];
}

/** Condition in the form of the service. */
export interface ServiceCondition {
  readonly type: ConditionType;
  readonly condition: string;
  readonly value?: string | readonly string[] | Readonly<Record<string, unknown>>;
}

/** Maximum number of conditions in an address, as in the service. */
const MAX_CONDITIONS = 100;

const isConditionType = (text: unknown): text is ConditionType =>
  typeof text === "string" && Object.hasOwn(CONDITIONS, text);

function parseCondition(value: unknown): Condition | undefined {
  if (!Array.isArray(value)) return undefined;
  const [type, condition, ...values] = value.map(String);
  if (!isConditionType(type) || condition === undefined) return undefined;
  const names: readonly string[] = CONDITIONS[type];
  return names.includes(condition) ? { type, condition, values } : undefined;
}

/** Reads conditions from an address; each is a list of type, operator and values. */
export function readConditions(value: unknown): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const conditions = value.slice(0, MAX_CONDITIONS).flatMap((one) => parseCondition(one) ?? []);
  return conditions.length > 0 ? conditions.map(formatCondition) : undefined;
}

/** Parses the conditions of an address. */
export const parseConditions = (lists: readonly (readonly string[])[] = []): readonly Condition[] =>
  lists.flatMap((one) => parseCondition(one) ?? []);

/** Formats a condition for an address. */
export const formatCondition = ({ type, condition, values }: Condition): readonly string[] => [
  type,
  condition,
  ...values,
];

const WITHOUT_VALUE: readonly string[] = ["empty", "notEmpty"];

/** Returns true for an operator without values. */
export const isWithoutValue = ({ condition }: Condition): boolean => WITHOUT_VALUE.includes(condition);

/** Converts a condition to the form of the service; returns undefined for an incomplete one. */
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

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Builds the filters of a search; returns undefined for an empty search. */
export function buildFilters(text: string, conditions: readonly Condition[], operator: "and" | "or") {
  const items = [
    ...(text.trim() === "" ? [] : [{ type: "text", condition: "contains", value: text.trim() } as const]),
    ...conditions.flatMap((one) => toServiceCondition(one) ?? []),
  ];
  return items.length > 0 ? { operator, items } : undefined;
}

/** Focuses an element when it renders, such as one that replaces the pressed button. */
export const focusElement = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
