import type { WriteStream } from "node:tty";

/** Text in pieces, some of them bold or coloured by a class. */
export type RichText = readonly (string | { readonly bold: string } | { readonly text: string; readonly tone: Tone })[];

/** An output stream of the process. Foreign text is escaped, so that a terminal does not execute it. */
export interface TextStream {
  readonly isTTY: boolean;
  /** Columns of the terminal; undefined if the stream is not a terminal. */
  readonly columns: number | undefined;
  /** Rows of the terminal; undefined if the stream is not a terminal. */
  readonly rows: number | undefined;
  /** Writes text; `styled` enables bold text and colours. Resolves when the text is accepted. */
  write(text: string | RichText, hasStyle?: boolean): Promise<void>;
  writeLine(sentence: string): void;
  /** Writes text unchanged to a file or pipe, and escaped to a terminal. */
  writeVerbatim(text: string): Promise<void>;
  rewriteLine(text: string): void;
  /** The raw stream, for a line editor that echoes input and moves the cursor. */
  readonly forTyping: WriteStream;
}

const LINE_START = "\r\u001b[K";

/** Wraps stdout or stderr; nothing else writes to them. */
export function createTextStream(stream: WriteStream): TextStream {
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
    write: (text, hasStyle = false) => send(renderText(text, hasStyle)),
    writeLine: (sentence) => stream.write(`${escapeLine(sentence)}\n`),
    writeVerbatim: (text) => send(stream.isTTY ? escapeControls(text) : text),
    rewriteLine: (text) => stream.write(`${LINE_START}${escapeLine(text)}`),
    forTyping: stream,
  };
}

/** Renders text for a terminal. */
export function renderText(text: string | RichText, hasStyle: boolean): string {
  return typeof text === "string" ? escapeControls(text) : text.map((piece) => renderPiece(piece, hasStyle)).join("");
}

function renderPiece(piece: RichText[number], hasStyle: boolean) {
  if (typeof piece === "string") return escapeControls(piece);
  const text = escapeControls("bold" in piece ? piece.bold : piece.text);
  if (!hasStyle) return text;
  return `${"bold" in piece ? BOLD : ESCAPES[COLOURS[piece.tone]]}${text}${PLAIN}`;
}

/** Characters that a terminal executes instead of showing: controls and bidirectional controls. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Escapes control characters as JSON does (`\u001b`), which keeps the meaning inside JSON. */
export function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) =>
    character === "\n" || character === "\t" ? character : toJsonEscape(character),
  );
}

/** Escapes text for a terminal as one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\n\u2028\u2029]/g, toJsonEscape);
}

function toJsonEscape(character: string) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Colours of impacts, changes, outcomes and errors. A colour never adds information that the words lack. */
const COLOURS = {
  breaking: "red",
  behavioural: "yellow",
  additive: "green",
  operational: "yellow",
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

export type Tone = keyof typeof COLOURS;

const ESCAPES = { red: "\u001b[31m", green: "\u001b[32m", yellow: "\u001b[33m" } as const;
const BOLD = "\u001b[1m";
const PLAIN = "\u001b[0m";

/** Columns whose values are classes; a key may have the same letters. */
const OF_CLASSES: ReadonlySet<string> = new Set(["impact", "class", "change", "outcome", "state"]);

/** Returns the class of a column's value; undefined for any other value. */
export function findClass(column: string, value: string): Tone | undefined {
  const isClass = OF_CLASSES.has(column) && Object.hasOwn(COLOURS, value);
  return isClass ? (value as Tone) : undefined;
}
