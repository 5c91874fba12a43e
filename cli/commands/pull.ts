import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Actions } from "../../client/actions.ts";
import { TEXT_FILE_ENDINGS } from "../../shared/domain/values/source-formats.ts";
import { type OwnCalls, readCalls } from "../calls/own-calls.ts";
import { detectLanguage, hasEnding, parseSourceObject, replaceFile, type SourceObject } from "../input/source-text.ts";
import { isObject, readTextFile, toRef } from "../input/values.ts";
import { formatShort } from "../output/cell-text.ts";
import { printPage } from "../output/output.ts";
import { createUsageFailure, EXIT, type Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RichText } from "../terminal/text-stream.ts";
import { isOwnDocument } from "./model-folder.ts";
import { SIGNS } from "./plan-steps.ts";
import { formatJsonLike, matchItems, mergeValues } from "./pulled-json.ts";
import { formatYamlLike } from "./pulled-yaml.ts";

type Export = Actions["model"]["model_export_as"]["output"];

/** Runs `metaction pull <model> [file]`: writes a model into its file, keeping the file's format, order and style. */
export async function pull(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "pull", args);
  const [model = "", word] = calls.words;
  if (word === "-") throw createUsageFailure("pull writes to a file; use export to write to stdout");
  const file = word ?? findPulledFile(model);
  if (hasEnding(file, TEXT_FILE_ENDINGS)) throw createUnwritableFailure(file);
  const old = existsSync(file) ? readTextFile(file) : undefined;
  const before = old === undefined ? undefined : await parseSourceObject(file, old);
  const document = await exportDocument(calls, toRef(model), detectFormat(file, before, calls.text("format")));
  if (document === undefined) return EXIT.done;
  const after = before === undefined ? document : mergeValues(before, document);
  const changes = listChanges(before ?? {}, after);
  const isChanged = before === undefined || changes.length > 0;
  if (isChanged && !calls.on("check") && !calls.common["dry-run"])
    await replaceFile(file, await formatPulledText(file, old, after));
  const isNew = before === undefined;
  const body = { file, new: isNew, changed: isChanged, changes: isNew ? [] : changes };
  await printPage(terminal, calls, formatChanges({ file, isNew, changes }), body);
  return isChanged && calls.on("check") ? EXIT.breaking : EXIT.done;
}

function findPulledFile(model: string) {
  const key = model.replace(/^key:/, "");
  if (!/^\w[\w.-]*$/.test(key)) throw createUsageFailure(`Name the file too: metaction pull ${model} <file>`);
  const files = ["json", "yaml", "yml"].map((ending) => `${key}.${ending}`);
  return files.find((file) => existsSync(file)) ?? `${key}.json`;
}

function createUnwritableFailure(file: string): Failure {
  return createUsageFailure(
    `${file} is not a model document, Data Package or Table Schema, the formats that pull writes; pull into another file`,
  );
}

function detectFormat(file: string, before: SourceObject | undefined, option: string | undefined) {
  if (before === undefined) return option ?? "metaction";
  const isFrictionless = Array.isArray(before.resources) || (Array.isArray(before.fields) && before.type !== "record");
  if (!isFrictionless && !isOwnDocument(before)) throw createUnwritableFailure(file);
  const format = isFrictionless ? "frictionless" : "metaction";
  if (option === undefined || option === format) return format;
  throw createUsageFailure(`${file} is written in ${format}; pull into another file for --format=${option}`);
}

async function exportDocument(calls: OwnCalls, modelRef: string, format: string): Promise<SourceObject | undefined> {
  const { "dry-run": _, ...common } = calls.common;
  if (format === "metaction") {
    // The declared answer of the action is an object.
    return (await calls.call("model_export", { modelRef }, common))?.body as SourceObject | undefined;
  }
  const answer = await calls.call("model_export_as", { modelRef, format }, common);
  // All export formats here are JSON.
  return answer && (JSON.parse((answer.body as Export).content) as SourceObject);
}

async function formatPulledText(file: string, old: string | undefined, after: SourceObject): Promise<string> {
  const isYaml = old === undefined ? /\.ya?ml$/i.test(file) : detectLanguage(file, old) === "yaml";
  if (isYaml) return formatYamlLike(old, after);
  if (old !== undefined) return formatJsonLike(old, after);
  return `${JSON.stringify(after, undefined, 2)}\n`;
}

interface Pull {
  readonly file: string;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
}

const MAX_LISTED = 200;

function formatChanges({ file, isNew, changes }: Pull): RichText {
  if (isNew) return [`${file}: new\n`];
  if (changes.length === 0) return [`${file}: matches the model\n`];
  const left = changes.length - MAX_LISTED;
  return [
    { bold: `${file}: ${changes.length} ${changes.length === 1 ? "change" : "changes"}` },
    "\n",
    ...changes.slice(0, MAX_LISTED).flatMap(({ change, path, before, after }) => {
      const values = [before, after].filter((value) => value !== undefined).join(" → ");
      return ["  ", { text: SIGNS[change], tone: change }, ` ${path}${values === "" ? "" : `: ${values}`}\n`];
    }),
    ...(left > 0 ? [`  and ${left} more\n`] : []),
  ];
}

interface Change {
  readonly change: "create" | "update" | "delete";
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** Returns the changes between two states of a file; list items match by id, key or name. */
export function listChanges(before: SourceObject, after: SourceObject): readonly Change[] {
  return [...listChangesInObjects(before, after, "")];
}

function* listChangesInObjects(before: SourceObject, after: SourceObject, path: string): Generator<Change> {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const at = path === "" ? name : `${path}.${name}`;
    if (!(name in after)) yield { change: "delete", path: at, ...pickSides(before[name], undefined) };
    else if (!(name in before)) yield { change: "create", path: at, ...pickSides(undefined, after[name]) };
    else yield* listChangesInValues(before[name], after[name], at);
  }
}

function* listChangesInValues(before: unknown, after: unknown, path: string): Generator<Change> {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) yield* listChangesInObjects(before, after, path);
  else if (isListOfObjects(before) && isListOfObjects(after)) yield* listChangesInLists(before, after, path);
  else yield { change: "update", path, ...pickSides(before, after) };
}

function* listChangesInLists(
  before: readonly SourceObject[],
  after: readonly SourceObject[],
  path: string,
): Generator<Change> {
  const pairs = matchItems(before, after);
  for (const one of after) {
    const match = pairs.get(one);
    if (isObject(match)) yield* listChangesInValues(match, one, `${path}.${getItemName(match)}`);
    else yield { change: "create", path: `${path}.${getItemName(one)}` };
  }
  const matches = new Set(pairs.values());
  const removedItems = before.filter((one) => !matches.has(one));
  for (const one of removedItems) yield { change: "delete", path: `${path}.${getItemName(one)}` };
  const order = [...pairs.values()];
  const oldOrder = before.filter((one) => matches.has(one));
  if (!isDeepStrictEqual(order, oldOrder)) {
    yield {
      change: "update",
      path,
      before: oldOrder.map(getItemName).join(", "),
      after: after.map(getItemName).join(", "),
    };
  }
}

function isListOfObjects(value: unknown): value is readonly SourceObject[] {
  return Array.isArray(value) && value.every((one) => isObject(one) && getItemName(one) !== "");
}

function getItemName(one: SourceObject) {
  return String(one.key ?? one.name ?? "");
}

function pickSides(before: unknown, after: unknown): Pick<Change, "before" | "after"> {
  const [oldText, newText] = [before, after].map((value) => (value === undefined ? undefined : formatShort(value)));
  return { ...(oldText !== undefined && { before: oldText }), ...(newText !== undefined && { after: newText }) };
}
