import type { WriteStream } from "node:tty";
import { bold, coloured, type Told } from "./colours.ts";
import { escaped, escapedLine } from "./escape.ts";

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
    write: (text, styled = false) => send(renderedText(text, styled)),
    writeLine: (sentence) => stream.write(`${escapedLine(sentence)}\n`),
    writeVerbatim: (text) => send(stream.isTTY ? escaped(text) : text),
    rewriteLine: (text) => stream.write(`${LINE_START}${escapedLine(text)}`),
    forTyping: stream,
  };
}

/** A text as a terminal takes it. */
export function renderedText(text: string | Styled, styled: boolean): string {
  return typeof text === "string" ? escaped(text) : text.map((piece) => shown(piece, styled)).join("");
}

function shown(piece: Styled[number], styled: boolean): string {
  if (typeof piece === "string") return escaped(piece);
  const text = escaped("bold" in piece ? piece.bold : piece.text);
  if (!styled) return text;
  return "bold" in piece ? bold(text) : coloured(text, piece.told);
}
