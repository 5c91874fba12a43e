import { type Check, hasOnly, isObject, isRef, listOf, RIGHT, text, under, WRONG } from "./checks.ts";
import { isKeyword } from "./constraints.ts";
import { isPropertyName, propertiesFault } from "./properties.ts";
import { tagName } from "./tag-refs.ts";

/** The scope of a tag: all models, or one. */
const scopeFault: Check = (value) => {
  if (!isObject(value)) return WRONG;
  const { type, id } = value;
  if (type !== "global" && type !== "model") return ["/type"];
  if (type === "global" && id !== undefined && id !== null) return ["/id"];
  return type === "model" && !isRef(`id:${typeof id === "string" ? id : ""}`) ? ["/id"] : [];
};

const itemFault: Check = (value) =>
  isObject(value) && hasOnly(value, "type", "condition", "value")
    ? [
        ...(value.type === "scopeRef" ? [] : ["/type"]),
        ...(value.condition === "is" ? [] : ["/condition"]),
        ...under("/value", scopeFault(value.value)),
      ]
    : WRONG;

/** Filters of a search for tags. */
export const filtersFault: Check = (value) => {
  if (!isObject(value) || !hasOnly(value, "operator", "items")) return WRONG;
  const { operator, items } = value;
  return [
    ...(operator === undefined || operator === "and" || operator === "or" ? [] : ["/operator"]),
    ...(items === undefined ? [] : under("/items", listOf(itemFault, 100)(items))),
  ];
};

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  tags: ["empty", "notEmpty", "anyOf", "allOf", "noneOf"],
  constraints: ["empty", "notEmpty", "anyOf", "allOf", "noneOf"],
  properties: ["empty", "notEmpty", "anyOf", "allOf", "noneOf", "equals"],
  format: ["anyOf", "noneOf"],
  text: ["contains"],
};

/** A ref that says of which model, or of which group, a tag is. */
const isPlacedTag = (value: unknown): boolean => {
  const { id, group, model } = (typeof value === "string" ? tagName(value) : undefined) ?? {};
  return (id ?? group ?? model) !== undefined;
};

const conditionFault: Check = (value) => {
  if (!isObject(value) || !hasOnly(value, "type", "condition", "value")) return WRONG;
  const { type, condition, value: wanted } = value;
  const missing = Object.entries({ type, condition }).filter(([, one]) => typeof one !== "string");
  if (missing.length > 0) return missing.map(([name]) => `/${name}`);
  const conditions = CONDITIONS[String(type)];
  if (!conditions) return ["/type"];
  if (!conditions.includes(String(condition))) return ["/condition"];
  if (type === "text") return under("/value", text((t) => t.length <= 200)(wanted));
  if (condition === "empty" || condition === "notEmpty") return wanted === undefined ? RIGHT : ["/value"];
  if (condition === "equals") return under("/value", propertiesFault(wanted));
  const named: Readonly<Record<string, Check>> = {
    tags: (one) => (isPlacedTag(one) ? RIGHT : WRONG),
    constraints: text(isKeyword),
    properties: text(isPropertyName),
    format: text((t) => t.length <= 200),
  };
  return under("/value", listOf(named[String(type)] ?? (() => WRONG), 100)(wanted));
};

/** Filters of a search through all models. */
export const searchFault: Check = (value) => {
  if (!isObject(value) || !hasOnly(value, "operator", "items")) return WRONG;
  const { operator, items } = value;
  return [
    ...(operator === undefined || operator === "and" || operator === "or" ? [] : ["/operator"]),
    ...(items === undefined ? [] : under("/items", listOf(conditionFault, 100)(items))),
  ];
};
