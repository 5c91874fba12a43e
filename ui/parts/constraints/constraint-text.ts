import {
  isKeyword,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  type Shape,
} from "../../../shared/domain/constraints/keywords.ts";

/** Constraints as an answer has them. */
export type ShownConstraints = Readonly<Record<string, unknown>>;

/** The shape of a keyword's value. */
export const getKeywordShape = (keyword: KeywordName): Shape => KEYWORDS[keyword].shape;

/** The keywords of constraints in the order of the editor. */
export function listKeywords(constraints: ShownConstraints): readonly KeywordName[] {
  return KEYWORD_NAMES.filter((name) => Object.hasOwn(constraints, name));
}

/** A keyword's value as its field shows it. */
export function formatFieldText(keyword: KeywordName, value: unknown): string {
  const shape = getKeywordShape(keyword);
  if (shape === "choices" || shape === "values") return formatLines(Array.isArray(value) ? value : []);
  if (shape === "line" || shape === "pattern") return String(value);
  return formatConstraintValue(value);
}

/** What a field's text means; what is no value of the keyword is sent as it is, for the service to refuse at its place. */
export function parseFieldValue(keyword: KeywordName, text: string): unknown {
  const shape = getKeywordShape(keyword);
  if (shape === "choices" || shape === "values") return parseLines(text);
  if (shape === "line" || shape === "pattern") return text;
  if (shape === "flag") return text === "true";
  return parseConstraintValue(text);
}

const formatList = (values: unknown): string => {
  const texts = (Array.isArray(values) ? values : [values]).map(formatConstraintValue);
  return texts.length > 4 ? `${texts.slice(0, 3).join(", ")}, … ${texts.length}` : texts.join(", ");
};

/** The two ends of a range in one text, such as `1 … 13`; undefined where both are open. */
function formatRange(low: unknown, high: unknown): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === high) return `= ${low}`;
  return low === undefined ? `≤ ${high}` : high === undefined ? `≥ ${low}` : `${low} … ${high}`;
}

/** Constraints in one short line for a table, in signs and the keywords' own names. */
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
    // A keyword of a newer service.
    ...Object.keys(c).filter((name) => !isKeyword(name)),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The JSON value that a text is, or undefined. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * A JSON value as people write it: a text without quotes, unless it could be read as something else; all else as JSON.
 * `valueOfText` reads it back.
 */
export function formatConstraintValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return value === "" || value !== value.trim() || /[\r\n]/.test(value) || parseJson(value)
    ? JSON.stringify(value)
    : value;
}

/** The value that a person wrote: JSON where the text is JSON, else the text itself. */
export function parseConstraintValue(text: string): unknown {
  const trimmed = text.trim();
  const json = parseJson(trimmed);
  return json ? json.value : trimmed;
}

/** Values as lines of a text, one each. */
const formatLines = (values: readonly unknown[]): string => values.map(formatConstraintValue).join("\n");

/** The values of the lines of a text; empty lines are none. */
function parseLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseConstraintValue);
}
