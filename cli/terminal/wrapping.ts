/** Wraps text at blanks only; a long word stays whole, because it may be a secret or an address. */
export function wrapAtBlanks(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => fillLines(splitWords(line.trimEnd()), width))
    .join("\n");
}

/** Returns the words of a text, after which a line of a cell may end. */
export function splitWords(text: string): readonly string[] {
  return text.split(/(?<= )(?=\S)/);
}

/** Returns the parts of a column name: `createdAt` has two. */
export function splitColumnName(name: string): readonly string[] {
  return name.split(/(?<= )|(?<=[a-z])(?=[A-Z])/);
}

/** Fills lines of a width with as many parts as fit. */
export function fillLines(parts: readonly string[], width: number): readonly string[] {
  const lines = [""];
  for (const part of parts) {
    const line = lines.at(-1) ?? "";
    if (line === "" || (line + part).trimEnd().length <= width) lines[lines.length - 1] = line + part;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd());
}

/** Returns the length of the longest text; there may be more texts than a call takes arguments. */
export function findLongestLength(texts: readonly string[]): number {
  return texts.reduce((maximum, text) => Math.max(maximum, text.trimEnd().length), 0);
}
