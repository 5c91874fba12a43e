const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text without the characters that XML does not know. */
export function legalText(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\u{fffe}\u{ffff}]/gu, "");
}

/** A text as XML and HTML take it in an element or an attribute: nothing of it can be markup. */
export function escapedText(text: string): string {
  return legalText(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}
