import {
  isKeyword,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  type Shape,
} from "../../../shared/domain/constraints/keywords.ts";

/** Constraints in an answer. */
export type ShownConstraints = Readonly<Record<string, unknown>>;

/** Returns the kind of value that a keyword takes. */
export const getKeywordShape = (keyword: KeywordName): Shape => KEYWORDS[keyword].shape;

/** Lists the keywords of constraints in the order of the editor. */
export function listKeywords(constraints: ShownConstraints): readonly KeywordName[] {
  return KEYWORD_NAMES.filter((name) => Object.hasOwn(constraints, name));
}

/** Formats the value of a keyword as the text of its field. */
export function formatFieldText(keyword: KeywordName, value: unknown): string {
  const shape = getKeywordShape(keyword);
  if (shape === "choices" || shape === "values") return formatLines(Array.isArray(value) ? value : []);
  if (shape === "line" || shape === "pattern") return String(value);
  return formatConstraintValue(value);
}

/** Parses the text of a field; an invalid value is kept, so that the service reports it. */
export function parseFieldValue(keyword: KeywordName, text: string): unknown {
  const shape = getKeywordShape(keyword);
  if (shape === "choices" || shape === "values") return parseLines(text);
  if (shape === "line" || shape === "pattern") return text;
  if (shape === "flag") return text === "true";
  return parseConstraintValue(text);
}

const formatList = (values: unknown) => {
  const texts = (Array.isArray(values) ? values : [values]).map(formatConstraintValue);
  return texts.length > 4 ? `${texts.slice(0, 3).join(", ")}, … ${texts.length}` : texts.join(", ");
};

function formatRange(low: unknown, high: unknown): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === high) return `= ${low}`;
  return low === undefined ? `≤ ${high}` : high === undefined ? `≥ ${low}` : `${low} … ${high}`;
}

/** Formats constraints in one short line for a table, with signs and keywords. */
export function summarizeConstraints(constraints: ShownConstraints | undefined): string {
  if (!constraints) return "";
  const c = constraints;
  const numbers = [
    formatRange(c.minimum, c.maximum),
    c.exclusiveMinimum !== undefined && `> ${c.exclusiveMinimum}`,
    c.exclusiveMaximum !== undefined && `< ${c.exclusiveMaximum}`,
    c.multipleOf !== undefined && `× ${c.multipleOf}`,
    c.unit !== undefined && String(c.unit),
  ];
  const length = formatRange(c.minLength, c.maxLength);
  const items = formatRange(c.minItems, c.maxItems);
  const parts = [
    c.unique === true && "unique",
    numbers.filter(Boolean).join(" "),
    length && `length ${length}`,
    items && `items ${items}`,
    c.uniqueItems === true && "uniqueItems",
    c.enum !== undefined && `enum ${formatList(c.enum)}`,
    c.const !== undefined && `const ${formatConstraintValue(c.const)}`,
    c.format !== undefined && `format ${c.format}`,
    c.pattern !== undefined && `pattern ${c.pattern}`,
    c.default !== undefined && `default ${formatConstraintValue(c.default)}`,
    c.contentEncoding !== undefined && `${c.contentEncoding}`,
    c.contentMediaType !== undefined && `${c.contentMediaType}`,
    // Keyword of a newer service.
    ...Object.keys(c).filter((name) => !isKeyword(name)),
  ];
  return parts.filter(Boolean).join(" · ");
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Formats a JSON value for a text field, quoted only if necessary; `parseConstraintValue` is the inverse. */
export function formatConstraintValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return value === "" || value !== value.trim() || /[\r\n]/.test(value) || parseJson(value)
    ? JSON.stringify(value)
    : value;
}

/** Parses a typed value as JSON; falls back to the text itself. */
export function parseConstraintValue(text: string): unknown {
  const trimmedText = text.trim();
  const json = parseJson(trimmedText);
  return json ? json.value : trimmedText;
}

const formatLines = (values: readonly unknown[]) => values.map(formatConstraintValue).join("\n");

function parseLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseConstraintValue);
}
