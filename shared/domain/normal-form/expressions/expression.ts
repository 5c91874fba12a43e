/** Expression of SQL as a tree, without the brackets and the spaces of its text. */
export type Expression =
  | { readonly is: "text"; readonly value: string }
  | { readonly is: "number"; readonly value: string }
  /** Bits or bytes, such as `b'01'` and `x'ff'`. */
  | { readonly is: "bits"; readonly value: string }
  /** Constant without quotes, such as `TRUE`, `NULL` and `CURRENT_DATE`, in upper case. */
  | { readonly is: "constant"; readonly value: string }
  | { readonly is: "name"; readonly path: readonly string[] }
  | { readonly is: "call"; readonly name: string; readonly operands: readonly Expression[] }
  | { readonly is: "operation"; readonly operator: string; readonly operands: readonly Expression[] }
  | { readonly is: "cast"; readonly type: string; readonly operands: readonly [Expression] }
  /** The first operand is compared with the others. */
  | { readonly is: "membership"; readonly isNegated: boolean; readonly operands: readonly Expression[] }
  | { readonly is: "array" | "row"; readonly operands: readonly Expression[] }
  /** Operands: an optional subject, pairs of condition and result, and an optional other result. */
  | {
      readonly is: "case";
      readonly hasSubject: boolean;
      readonly hasOther: boolean;
      readonly operands: readonly Expression[];
    };

/** How a dialect writes texts and names. */
export interface Notation {
  /** Signs that enclose a name. */
  readonly quotes: string;
  /** Case in which the database reports a name without quotes. */
  readonly names: "lower" | "upper" | "kept";
  /** True if a double quote encloses a text. */
  readonly doubleIsText: boolean;
  /** True if a backslash escapes a sign in every text. */
  readonly backslash: boolean;
}

/** How strongly an operator binds its operands. */
export const BINDING = {
  OR: 1,
  AND: 2,
  NOT: 3,
  IS: 4,
  comparison: 5,
  LIKE: 6,
  other: 7,
  sum: 8,
  product: 9,
  power: 10,
  AT: 11,
  COLLATE: 12,
  sign: 13,
  cast: 14,
  operand: 15,
} as const;

const SYMBOLS: ReadonlyMap<string, number> = new Map([
  ...["=", "<", ">", "<=", ">=", "<>", "<=>"].map((one) => [one, BINDING.comparison] as const),
  ...["LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE", "REGEXP", "NOT REGEXP", "SIMILAR TO", "NOT SIMILAR TO"].map(
    (one) => [one, BINDING.LIKE] as const,
  ),
  ...["+", "-"].map((one) => [one, BINDING.sum] as const),
  ...["*", "/", "%", "DIV", "MOD"].map((one) => [one, BINDING.product] as const),
  ["^", BINDING.power],
  ["OR", BINDING.OR],
  ["XOR", BINDING.OR],
  ["AND", BINDING.AND],
  ["NOT", BINDING.NOT],
  ["COLLATE", BINDING.COLLATE],
]);

/** Returns how strongly an operator between two operands binds them. */
export function getBinding(operator: string): number {
  if (operator.startsWith("IS ")) return BINDING.IS;
  if (/ (ANY|ALL)$/.test(operator)) return BINDING.comparison;
  return SYMBOLS.get(operator) ?? BINDING.other;
}

/** Words that cannot be a name without quotes in an expression. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    "AND OR NOT IN IS LIKE ILIKE SIMILAR BETWEEN CASE WHEN THEN ELSE END CAST ARRAY ROW ANY ALL SOME COLLATE AT REGEXP " +
    "RLIKE DIV MOD XOR SELECT WITH EXISTS FROM FOR USING AS ESCAPE DISTINCT ISNULL NOTNULL INTERVAL OVERLAPS UNIQUE " +
    "TRUE FALSE NULL UNKNOWN CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP " +
    "SESSION_USER USER CURRENT_ROLE CURRENT_CATALOG CURRENT_SCHEMA OVER FILTER WITHIN"
  ).split(" "),
);

/** Words that SQL reserves, and that an expression could have as names. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "ADD ALTER ASC BY CHECK COLUMN CONSTRAINT CREATE CROSS DEFAULT DELETE DESC DO DROP EXCEPT FETCH FOREIGN FULL GRANT GROUP " +
    "HAVING INDEX INNER INSERT INTERSECT INTO JOIN KEY LEFT LIMIT NATURAL OFFSET ON ONLY ORDER OUTER PRIMARY REFERENCES " +
    "RIGHT SET TABLE TO TRIGGER UNION UPDATE VALUES WHERE WINDOW"
  ).split(" "),
);

/** Constants without quotes. Some of them can be called with a precision. */
export const CONSTANTS: ReadonlySet<string> = new Set(
  (
    "TRUE FALSE NULL UNKNOWN CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP " +
    "SESSION_USER USER CURRENT_ROLE CURRENT_CATALOG CURRENT_SCHEMA"
  ).split(" "),
);

/** Returns a text with the quotes of SQL. */
export function formatText(value: string, { backslash }: Pick<Notation, "backslash">): string {
  return `'${(backslash ? value.replaceAll("\\", "\\\\") : value).replaceAll("'", "''")}'`;
}
