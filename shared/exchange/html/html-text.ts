import { escapedText } from "../../diagram/markup-text.ts";

/** A text as code. */
export function code(text: string): string {
  return `<code>${escapedText(text)}</code>`;
}

/** A description as it is written, with its lines. */
export function prose(text: string | undefined): string {
  return text === undefined ? "" : `<p class="prose">${escapedText(text.trim())}</p>`;
}

/** An address as a link where it is one of the web, else as a text. */
export function link(url: string): string {
  if (!/^https?:\/\//i.test(url)) return code(url);
  return `<a href="${escapedText(url)}" rel="noopener noreferrer">${escapedText(url)}</a>`;
}
