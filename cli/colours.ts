/** The colour of each class of what is told: of impacts, of changes, of outcomes, of errors. Each says nothing that words do not say too. */
const COLOURS = {
  breaking: "red",
  additive: "green",
  cosmetic: "yellow",
  create: "green",
  created: "green",
  added: "green",
  update: "yellow",
  updated: "yellow",
  modified: "yellow",
  rename: "yellow",
  renamed: "yellow",
  move: "yellow",
  doubt: "yellow",
  delete: "red",
  deleted: "red",
  error: "red",
  refused: "red",
  failed: "red",
} as const;

/** A class that has a colour. */
export type Told = keyof typeof COLOURS;

const ESCAPES = { red: "\u001b[31m", green: "\u001b[32m", yellow: "\u001b[33m" } as const;
const BOLD = "\u001b[1m";
const PLAIN = "\u001b[0m";

/** A text as a terminal shows it in the colour of a class. */
export function coloured(text: string, told: Told): string {
  return `${ESCAPES[COLOURS[told]]}${text}${PLAIN}`;
}

/** A text as a terminal shows it in bold. */
export function bold(text: string): string {
  return `${BOLD}${text}${PLAIN}`;
}

/** Columns whose values are classes; a key may have the same letters. */
const OF_CLASSES: ReadonlySet<string> = new Set(["impact", "class", "change", "outcome", "state"]);

/** The class that a value of a column is; undefined of any other value. */
export function classIn(column: string, value: string): Told | undefined {
  const isClass = OF_CLASSES.has(column) && Object.hasOwn(COLOURS, value);
  return isClass ? (value as Told) : undefined;
}
