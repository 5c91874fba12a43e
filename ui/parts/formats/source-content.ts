/** Content of a source: a JSON object, or the text of any other format. */
export type SourceContent = Readonly<Record<string, unknown>> | string;

/** Parses the content of a source: an object if it begins like JSON, else text. Throws for invalid JSON. */
export function parseSourceContent(text: string): SourceContent {
  const body = text.replace(/^\uFEFF/, "");
  // A text that begins with a brace must be a JSON object.
  return /^\s*\{/.test(body) ? (JSON.parse(body) as Readonly<Record<string, unknown>>) : body;
}
