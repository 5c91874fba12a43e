const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text in an element or an attribute, of which nothing is markup. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}/gu, "")
    .replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}

/** A text as code. */
export function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** A description as it is written, with its lines. */
export function prose(text: string | undefined): string {
  return text === undefined ? "" : `<p class="prose">${escaped(text.trim())}</p>`;
}

/** An address as a link where it is one of the web, else as a text. */
export function link(url: string): string {
  if (!/^https?:\/\//i.test(url)) return code(url);
  return `<a href="${escaped(url)}" rel="noopener noreferrer">${escaped(url)}</a>`;
}
