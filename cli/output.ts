import { Failure, usage } from "./failure.ts";
import type { Common } from "./general-flags.ts";
import type { Place } from "./place.ts";
import type { Setting } from "./settings.ts";
import { listIn, tableOf } from "./table.ts";

/** The forms of `--output`. */
export const FORMATS = ["json", "yaml", "table", "ndjson", "raw"] as const;
export type Format = (typeof FORMATS)[number];

/** How the answer is written: as asked, else a table for people and JSON for programs. */
export function formatOf(asked: Setting | undefined, place: Place): Format {
  if (!asked) return place.stdout.isTTY ? "table" : "json";
  const format = FORMATS.find((known) => known === asked.value);
  if (format) return format;
  throw usage(`${asked.from}: ${asked.value} is no output; write ${FORMATS.join(", ")}`);
}

/** The part of an answer that `--query` asks for. */
export async function queried(body: unknown, { query }: Common): Promise<unknown> {
  if (query === undefined) return body;
  const { default: jmespath } = await import("jmespath");
  try {
    return jmespath.search(body, query) as unknown;
  } catch (error) {
    throw usage(`--query=${query}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes an answer to stdout, which carries nothing else. */
export async function print(body: unknown, format: Format, common: Common, place: Place): Promise<void> {
  await write(place, await printed(body, format, common, place));
}

async function printed(body: unknown, format: Format, common: Common, place: Place): Promise<string> {
  if (format === "yaml") return (await import("yaml")).stringify(body);
  // Text is data as it stands, whatever the form.
  if (typeof body === "string" && (format === "raw" || format === "table" || common.query === undefined)) {
    return body.endsWith("\n") ? body : `${body}\n`;
  }
  const list = listIn(body);
  if (format === "ndjson" && list) return list.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (format === "raw" || format === "ndjson") return `${JSON.stringify(body)}\n`;
  if (format === "json") return `${JSON.stringify(body, undefined, 2)}\n`;
  const width = place.stdout.isTTY ? place.stdout.columns : undefined;
  return tableOf(body, { bold: boldOn(place, common), ...(width !== undefined && { width }) });
}

/** Writes to stdout and waits until it is taken, so that the end of the process cuts nothing off. */
export function write(place: Place, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    place.stdout.write(text, (error) => (error ? reject(new Failure(`stdout: ${error.message}`, 1)) : resolve()));
  });
}

/** Bold letters, where the terminal shows them and nobody said otherwise (no-color.org). */
export function boldOn({ stdout, environment }: Place, { color }: Common): (text: string) => string {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const byItself = !NO_COLOR && (Boolean(FORCE_COLOR) || (stdout.isTTY && TERM !== "dumb"));
  const wanted = color ?? byItself;
  return wanted ? (text) => `\u001b[1m${text}\u001b[0m` : (text) => text;
}
