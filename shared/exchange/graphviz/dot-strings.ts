import { escapedText, legalText } from "../../diagram/markup-text.ts";

/** A text in double quotes: backslashes begin no escape, line breaks are those of Graphviz. */
export function dotString(text: string): string {
  const plain = legalText(text)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n|\r|\n/g, "\\n");
  // Graphviz takes entities of HTML in quoted texts as well.
  return `"${plain.replaceAll("&", "&amp;")}"`;
}

/** A text inside of a label of HTML. */
export function htmlText(text: string): string {
  const plain = escapedText(text);
  // A label without anything in it is none that Graphviz takes.
  return plain.trim() === "" ? "&#160;" : plain.replace(/\r\n|\r|\n/g, " ");
}
