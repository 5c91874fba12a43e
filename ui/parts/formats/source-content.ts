/** The content of a source as actions take it: an object of JSON, or the text of a file in any other format. */
export type SourceContent = Readonly<Record<string, unknown>> | string;

/** The content that a text holds: its object where it begins as JSON does, else the text. Throws where that is no JSON. */
export function parseSourceContent(text: string): SourceContent {
  const written = text.replace(/^\uFEFF/, "");
  // What begins with a brace is an object, or no JSON.
  return /^\s*\{/.test(written) ? (JSON.parse(written) as Readonly<Record<string, unknown>>) : written;
}
