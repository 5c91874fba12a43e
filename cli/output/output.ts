import { spawn } from "node:child_process";
import type { Actions } from "../../client/actions.ts";
import { COMMANDS, type CommandName } from "../input/commands.ts";
import type { Common } from "../input/flags.ts";
import type { Setting, Settings } from "../input/settings.ts";
import { createUnknownValueFailure, EXIT, Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { escapeControls, type RichText, renderText, type TextStream } from "../terminal/text-stream.ts";
import { applyQuery } from "./query.ts";
import { findList, formatTable } from "./table.ts";

export const FORMATS = ["json", "yaml", "table", "ndjson", "raw"] as const;
export type Format = (typeof FORMATS)[number];

/** Returns every form that `--output` of a command accepts. */
export function listOutputForms(command: CommandName): readonly string[] {
  return [...(COMMANDS[command].forms ?? []), ...FORMATS];
}

/** Returns the output form: as requested, else a table on a terminal and JSON otherwise. */
export function chooseFormat(form: Setting | undefined, terminal: Terminal, forms: readonly string[] = []): Format {
  if (!form) return terminal.stdout.isTTY ? "table" : "json";
  const format = FORMATS.find((name) => name === form.value);
  if (format) return format;
  const setting = form.from === "--output" ? `--output=${form.value}` : `output=${form.value} of the ${form.from}`;
  throw createUnknownValueFailure(setting, form.value, [...forms, ...FORMATS]);
}

/** Writes an answer to stdout and nothing else. */
export async function print(
  body: unknown,
  format: Format,
  common: Common,
  terminal: Terminal,
  emptyText = "No rows.",
): Promise<void> {
  const isText = typeof body === "string" && format !== "yaml";
  // Text is printed as it is in every form.
  if (isText && (format === "raw" || format === "table" || common.query === undefined)) {
    await terminal.stdout.writeVerbatim(body.endsWith("\n") ? body : `${body}\n`).catch(throwOutputFailure);
    return;
  }
  await write(terminal, await formatBody(body, format, terminal), isBold(terminal, common));
  // Printing nothing would leave people waiting.
  const isEmpty = format === "table" && terminal.stdout.isTTY && findList(body)?.length === 0;
  if (isEmpty && !common.quiet) terminal.stderr.writeLine(emptyText);
}

/** Prints a page: as text if requested or on a terminal, else its data. */
export async function printPage(
  terminal: Terminal,
  { common, settings: { output } }: { readonly common: Common; readonly settings: Settings },
  text: RichText,
  body: unknown,
): Promise<void> {
  const isText = output === undefined ? terminal.stdout.isTTY : output.value === "text";
  if (isText && common.query === undefined) return write(terminal, text, isBold(terminal, common));
  await print(await applyQuery(body, common), chooseFormat(isText ? undefined : output, terminal), common, terminal);
}

async function formatBody(body: unknown, format: Format, terminal: Terminal): Promise<string | RichText> {
  if (format === "yaml") return formatYaml(body);
  const list = findList(body);
  if (format === "ndjson" && list) return list.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (format === "raw" || format === "ndjson") return `${JSON.stringify(body)}\n`;
  if (format === "json") return `${JSON.stringify(body, undefined, 2)}\n`;
  // A document has more content than a table can show.
  if (isDocument(body)) return formatYaml(body);
  return formatTable(body, terminal.stdout.columns);
}

/** True for a document with a `$schema`, and for an answer with a list of them. */
function isDocument(body: unknown) {
  const namesSchema = (one: unknown) => typeof Object(one).$schema === "string";
  const hasSchema = (value: unknown) => Array.isArray(value) && value.some(namesSchema);
  return namesSchema(body) || Object.values(Object(body)).some(hasSchema);
}

/** Writes to stdout and waits until it is accepted, so that the end of the process does not cut it off. */
export async function write(terminal: Terminal, text: string | RichText, bold = false): Promise<void> {
  const { stdout, pager, environment } = terminal;
  if (pager !== undefined && isLonger(text, stdout)) {
    if (await showInPager(renderText(text, bold), pager, environment)) return;
  }
  await stdout.write(text, bold).catch(throwOutputFailure);
}

function isLonger(text: string | RichText, { isTTY, rows, columns }: TextStream) {
  // A terminal without a known size never pages.
  if (!isTTY || !rows || !columns) return false;
  const lines = renderText(text, false).split("\n");
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0) > rows;
}

function throwOutputFailure(error: Error): never {
  throw new Failure(`stdout: ${error.message}`, EXIT.server);
}

/** Returns whether stdout shows bold text and colours. */
export function isBold({ stdout, environment }: Terminal, { color }: Common): boolean {
  return isStyled(stdout, environment, color);
}

/** Returns whether a stream shows bold text and colours (no-color.org). */
export function isStyled(
  { isTTY }: TextStream,
  { NO_COLOR, FORCE_COLOR, TERM }: Terminal["environment"],
  color: boolean | undefined,
): boolean {
  return color ?? (!NO_COLOR && (Boolean(FORCE_COLOR) || (isTTY && TERM !== "dumb")));
}

type Warnings = Actions["model"]["model_export_as"]["output"]["warnings"];

/** Formats a line per code of warning. */
export function formatWarningLines(warnings: Warnings): readonly string[] {
  return warnings.map(({ code, detail, count, pointers: [first] }) => {
    const times = count > 1 ? ` (${count} times)` : "";
    return `${code}: ${detail}${times}${first === undefined ? "" : `, first at ${first === "" ? "the model" : first}`}`;
  });
}

const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

/** Shows a text in a pager until it is closed. Returns false if there is no such command. */
function showInPager(text: string, command: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const env = { LESS: "FRX", ...environment };
  const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env });
  // Closing the pager early is not an error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(!NOT_RUN.has(code)));
  });
}

/** Formats a body as YAML. Texts with characters to escape get double quotes, so that escaping keeps their meaning. */
async function formatYaml(body: unknown): Promise<string> {
  const { Document, visit } = await import("yaml");
  const document = new Document(body);
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && escapeControls(scalar.value) !== scalar.value)
        scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString();
}
