/** A text in double quotes: backslashes begin no escape, line breaks are those of Graphviz. */
export function dotString(text: string): string {
  const plain = shown(text)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n|\r|\n/g, "\\n");
  // Graphviz takes entities of HTML in quoted texts as well.
  return `"${plain.replaceAll("&", "&amp;")}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text inside of a label of HTML. */
export function htmlText(text: string): string {
  const plain = shown(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
  // A label without anything in it is none that Graphviz takes.
  return plain.trim() === "" ? "&#160;" : plain.replace(/\r\n|\r|\n/g, " ");
}

/** A text without the characters that XML does not know. */
function shown(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\u{fffe}\u{ffff}]/gu, "");
}
