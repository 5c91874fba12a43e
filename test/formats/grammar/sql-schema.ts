/** A column as a text of PostgreSQL tells it. */
export interface SqlColumn {
  readonly name: string;
  type: string;
  required: boolean;
  /** A literal as a text, `expression` for anything else, nothing without a default. */
  default?: string | undefined;
  comment?: string | undefined;
}

/** A table as a text of PostgreSQL tells it; keys are names of columns joined by a plus. */
export interface SqlTable {
  readonly columns: SqlColumn[];
  comment?: string | undefined;
  primaryKey: string;
  readonly unique: Set<string>;
  /** Each as `own > table referred`. */
  readonly references: Set<string>;
}

/** What a text of PostgreSQL tells: its tables by `schema.name`, and the values of its enums by their names. */
export interface SqlSchema {
  readonly tables: Map<string, SqlTable>;
  readonly enums: Map<string, string>;
}

/** A literal as a text; numbers without the digits that say nothing. */
export function literal(value: unknown): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  const text = String(value);
  return text.trim() !== "" && Number.isFinite(Number(text)) ? String(Number(text)) : text;
}

/** What is told as lines, in an order of their own: columns stay in that of their table. */
export function linesOf({ tables, enums }: SqlSchema): readonly string[] {
  const lines = [...enums].map(([name, values]) => `enum ${name}: ${values}`);
  for (const [name, { columns, comment, primaryKey, unique, references }] of tables) {
    lines.push(`table ${name}: ${comment ?? ""}`, `primary key of ${name}: ${primaryKey}`);
    lines.push(...[...unique].map((key) => `unique in ${name}: ${key}`));
    lines.push(...[...references].map((one) => `reference of ${name}: ${one}`));
    for (const [i, column] of columns.entries()) {
      const { name: own, type, required, default: value, comment: said } = column;
      const rest = [type, required ? "not null" : "", value ?? "no default", said ?? ""].join(" | ");
      lines.push(`column ${i} of ${name}: ${own} ${rest}`);
    }
  }
  return lines.toSorted();
}
