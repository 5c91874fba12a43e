import type { DialectRules } from "./dialect-rules.ts";

/** Kind of an object that a database names, if a statement does not. */
export type NamedPart = "primaryKey" | "unique" | "reference" | "check" | "index" | "exclusion" | "sequence";

/** Parts that PostgreSQL makes a name of. */
interface NamedObject {
  readonly part: NamedPart;
  readonly table: string;
  readonly columns: readonly string[];
}

const POSTGRES_LABELS: Readonly<Record<NamedPart, string>> = {
  primaryKey: "pkey",
  unique: "key",
  reference: "fkey",
  check: "check",
  index: "idx",
  exclusion: "excl",
  sequence: "seq",
};

/** Tests for a name that the database makes where a statement gives none. */
export function isMadeName(name: string, object: NamedObject, { madeNames, naming }: DialectRules): boolean {
  if (madeNames?.test(name)) return true;
  if (naming === "postgresql") return isMadeByPostgres(name, object);
  return naming === "mysql" && isMadeByMysql(name, object);
}

/** Returns the name that PostgreSQL makes for a part of a table. */
export function makeName({ part, table, columns }: NamedObject): string {
  return joinName(table, part === "primaryKey" ? undefined : joinColumns(columns), POSTGRES_LABELS[part]);
}

/** MySQL names a key after its first column; a second key of that name gets a number. */
function isMadeByMysql(name: string, { part, columns: [first] }: NamedObject): boolean {
  if (part !== "unique" && part !== "index") return false;
  if (first === undefined) return false;
  const [lower, column] = [name.toLowerCase(), first.toLowerCase()];
  return lower === column || (lower.startsWith(`${column}_`) && /^\d+$/.test(lower.slice(column.length + 1)));
}

/** Letters of a column that the name of a part has, however long it is. */
const KEPT_LETTERS = 12;

function isMadeByPostgres(name: string, { part, table, columns }: NamedObject): boolean {
  const number = /\d*$/.exec(name)?.[0] ?? "";
  // A unique index has the label of an index, and older versions use the first column of a foreign key alone.
  const labels = (part === "unique" ? ["key", "idx"] : [POSTGRES_LABELS[part]])
    .flatMap((label) => [label, label + number])
    .filter((label) => name.endsWith(`_${label}`));
  if (labels.some((label) => joinName(table, undefined, label) === name)) return true;
  const [first] = columns;
  // Most parts of a large table are excluded by this.
  if (part === "primaryKey" || first === undefined || !name.includes(first.slice(0, KEPT_LETTERS))) return false;
  const additions = [columns, [first]].map(joinColumns);
  return labels.some((label) => additions.some((addition) => joinName(table, addition, label) === name));
}

/** Bytes of a name in PostgreSQL. */
const NAME_BYTES = 63;

function joinColumns(columns: readonly string[]): string | undefined {
  return columns.length === 0 ? undefined : columns.join("_").slice(0, NAME_BYTES);
}

/** Joins the parts of a name as PostgreSQL does: the longer one of table and columns is cut until the name fits. */
function joinName(table: string, columns: string | undefined, label: string): string {
  let [first, second] = [Buffer.from(table), Buffer.from(columns ?? "")];
  const free = NAME_BYTES - label.length - 1 - (columns === undefined ? 0 : 1);
  while (first.length + second.length > free) {
    if (first.length > second.length) first = first.subarray(0, -1);
    else second = second.subarray(0, -1);
  }
  return [first.toString(), ...(columns === undefined ? [] : [second.toString()]), label].join("_");
}

/** Tests for the name of the sequence that PostgreSQL makes for a column. */
export function isMadeSequence(name: string, table: string, column: string): boolean {
  const number = /(\d*)"?$/.exec(name)?.[1] ?? "";
  // A text with a name has quotes around one with capital letters.
  const own = name.replaceAll('"', "").toLowerCase();
  return ["", number].some((digits) => joinName(table, column, `seq${digits}`).toLowerCase() === own);
}
