/** Physical type as text, split into its parts. */
export interface TypeText {
  /** Name without arguments, in lower case with single spaces. */
  readonly name: string;
  /** Arguments such as lengths, as they are written. */
  readonly arguments: readonly string[];
  /** Types of the items of lists, of keys and values of maps, and of fields with their names. */
  readonly parts: readonly TypePart[];
  /** Number of brackets `[]` after the type. */
  readonly lists: number;
}

export interface TypePart {
  readonly name?: string;
  readonly type: TypeText;
}

const MAX_DEPTH = 15;
/** A longer text is a name. */
const MAX_CHARACTERS = 2_000;
/** Names whose brackets contain types. */
const NESTED = /^(array|list|map|struct|row|record|object|union|nullable|range|multiset)$/;

/** Parses a physical type such as `numeric(12,2)`, `timestamp(3) with time zone`, `text[]` or `ARRAY<STRUCT<a INT64>>`. */
export function parseTypeText(text: string, depth = 0): TypeText {
  let rest = text.trim();
  let lists = 0;
  if (rest.length > MAX_CHARACTERS) return { name: rest, arguments: [], parts: [], lists };
  for (; rest.endsWith("]"); lists++) {
    const bracket = rest.lastIndexOf("[");
    if (bracket <= 0 || !/^\s*\d*\s*$/.test(rest.slice(bracket + 1, -1))) break;
    rest = rest.slice(0, bracket).trimEnd();
  }
  const open = rest.search(/[(<]/);
  if (open < 0) return { name: toTypeName(rest), arguments: [], parts: [], lists };
  const end = findEnd(rest, open);
  const name = toTypeName(`${rest.slice(0, open)} ${rest.slice(end + 1)}`);
  const list = splitTopLevel(rest.slice(open + 1, end));
  const isNested = rest[open] === "<" || NESTED.test(name);
  if (!isNested || depth >= MAX_DEPTH) return { name, arguments: list, parts: [], lists };
  return { name, arguments: [], parts: list.map((part) => parsePart(part, name, depth + 1)), lists };
}

/** Returns a type name in lower case with single spaces. */
export function toTypeName(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Parses a field `name type` or `name: type` of a structure, or a type without a name. */
function parsePart(text: string, container: string, depth: number): TypePart {
  if (/^(array|list|map|nullable|range|multiset)$/.test(container)) return { type: parseTypeText(text, depth) };
  const [, quoted, plain, type] = /^(?:[`"]([^`"]+)[`"]|([^\s:(<]+))\s*[:\s]\s*(.+)$/s.exec(text) ?? [];
  if (type === undefined) return { type: parseTypeText(text, depth) };
  const options = /\s+(not\s+null|comment\s+'[^']*'|options\s*\(.*\))\s*/gi;
  return { name: quoted ?? plain ?? "", type: parseTypeText(type.replace(options, ""), depth) };
}

function findEnd(text: string, open: number): number {
  let level = 0;
  for (let i = open; i < text.length; i++) {
    const letter = text[i];
    if (letter === "'") i = skipQuoted(text, i);
    else if (letter === "(" || letter === "<") level += 1;
    else if (letter === ")" || letter === ">") {
      level -= 1;
      if (level === 0) return i;
    }
  }
  return text.length;
}

function skipQuoted(text: string, start: number): number {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? text.length : end;
}

/** Splits a list at its commas, outside of brackets and texts. */
function splitTopLevel(text: string): readonly string[] {
  const items: string[] = [];
  let level = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === "'") i = skipQuoted(text, i);
    else if (letter === "(" || letter === "<" || letter === "[") level += 1;
    else if (letter === ")" || letter === ">" || letter === "]") level -= 1;
    else if (letter === "," && level === 0) {
      items.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === "" && items.length === 0 ? [] : [...items, last];
}
