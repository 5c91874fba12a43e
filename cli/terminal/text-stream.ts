import type { WriteStream } from "node:tty";

/** Text in pieces, some of them bold or in the colour of a class. */
export type Styled = readonly (string | { readonly bold: string } | { readonly text: string; readonly told: Told })[];

/** A stream of the process. Text from elsewhere is escaped on its way, so that no terminal obeys it. */
export interface TextStream {
  readonly isTTY: boolean;
  /** The number of columns of the terminal; undefined where the stream is none. */
  readonly columns: number | undefined;
  /** The number of rows of the terminal; undefined where the stream is none. */
  readonly rows: number | undefined;
  /** Writes text; `styled` tells whether bold pieces and colours are shown so. Settles when the text is taken. */
  write(text: string | Styled, styled?: boolean): Promise<void>;
  /** Writes a sentence as one line. */
  writeLine(sentence: string): void;
  /** Writes a text as it stands into a file or a pipe, and escaped on a terminal. */
  writeVerbatim(text: string): Promise<void>;
  /** Writes over the line that it wrote before. */
  rewriteLine(text: string): void;
  /** The stream itself, for a line editor that shows what is typed and moves the cursor. */
  readonly forTyping: WriteStream;
}

const LINE_START = "\r\u001b[K";

/** The one way to stdout or stderr. */
export function textStream(stream: WriteStream): TextStream {
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    write: (text, styled = false) => send(renderText(text, styled)),
    writeLine: (sentence) => stream.write(`${escapeLine(sentence)}\n`),
    writeVerbatim: (text) => send(stream.isTTY ? escapeControls(text) : text),
    rewriteLine: (text) => stream.write(`${LINE_START}${escapeLine(text)}`),
    forTyping: stream,
  };
}

/** A text as a terminal takes it. */
export function renderText(text: string | Styled, styled: boolean): string {
  return typeof text === "string" ? escapeControls(text) : text.map((piece) => renderPiece(piece, styled)).join("");
}

function renderPiece(piece: Styled[number], styled: boolean): string {
  if (typeof piece === "string") return escapeControls(piece);
  const text = escapeControls("bold" in piece ? piece.bold : piece.text);
  if (!styled) return text;
  return "bold" in piece ? bold(text) : colourText(text, piece.told);
}

/** Characters that a terminal obeys instead of showing: controls, and those that turn the direction of writing. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * A text for a terminal: controls are escapes as JSON has them (`\u001b`); tabs and line ends stay. Inside JSON it means
 * the same.
 */
export function escapeControls(text: string): string {
  return text.replace(OBEYED, (character) =>
    character === "\n" || character === "\t" ? character : toJsonEscape(character),
  );
}

/** A text for a terminal as one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\n\u2028\u2029]/g, toJsonEscape);
}

function toJsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

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
function colourText(text: string, told: Told): string {
  return `${ESCAPES[COLOURS[told]]}${text}${PLAIN}`;
}

/** A text as a terminal shows it in bold. */
function bold(text: string): string {
  return `${BOLD}${text}${PLAIN}`;
}

/** Columns whose values are classes; a key may have the same letters. */
const OF_CLASSES: ReadonlySet<string> = new Set(["impact", "class", "change", "outcome", "state"]);

/** The class that a value of a column is; undefined of any other value. */
export function classIn(column: string, value: string): Told | undefined {
  const isClass = OF_CLASSES.has(column) && Object.hasOwn(COLOURS, value);
  return isClass ? (value as Told) : undefined;
}
