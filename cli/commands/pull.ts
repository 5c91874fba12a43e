import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Actions } from "../../client/actions.ts";
import { TEXT_FILE_ENDINGS } from "../../shared/domain/values/source-formats.ts";
import { type OwnCalls, ownCalls } from "../calls/own-calls.ts";
import { toRef } from "../input/bare-ref.ts";
import { PULL_FLAGS } from "../input/flags.ts";
import { endsIn, isObject, detectLanguage, objectIn, replaceFile, type SourceObject } from "../input/source-text.ts";
import { cellText } from "../output/cell-text.ts";
import { chooseFormat, isBold, print, applyQuery, write } from "../output/output.ts";
import { EXIT, type Failure, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Styled } from "../terminal/text-stream.ts";
import { isOwnDocument, textAt } from "./model-folder.ts";
import { SIGNS } from "./plan-steps.ts";
import { mergeValues, matchItems } from "./pulled-json.ts";

type Exported = Actions["model"]["model_export_as"]["output"];

/** `metaction pull <model> [file]`: writes a model into its file, in the format, the order and the style that the file has. */
export async function pull(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "pull", PULL_FLAGS, given);
  const [model, named, ...more] = calls.words;
  if (model === undefined) throw usage("pull needs a model, and takes its file: metaction pull crm crm.yaml");
  if (more.length > 0) throw usage(`pull takes a model and a file; ${more[0]} is one more`);
  if (named === "-") throw usage("pull writes into a file; export writes to stdout");
  const file = named ?? findPulledFile(model);
  if (endsIn(file, TEXT_FILE_ENDINGS)) throw notWritten(file);
  const old = existsSync(file) ? await textAt(file) : undefined;
  const before = old === undefined ? undefined : await objectIn(file, old);
  const pulled = await exportDocument(calls, toRef(model), formatIn(file, before, calls.text("format")));
  if (pulled === undefined) return EXIT.done;
  const after = before === undefined ? pulled : mergeValues(before, pulled);
  const changes = changesIn(before ?? {}, after);
  const isChanged = before === undefined || changes.length > 0;
  if (isChanged && !calls.on("check") && !calls.common["dry-run"])
    await replaceFile(file, await formatPulledText(file, old, after));
  await tell(place, calls, { file, isNew: before === undefined, changes });
  return isChanged && calls.on("check") ? EXIT.breaking : EXIT.done;
}

/** The file of a model that is given without one: named by its key, in the folder where the command runs. */
function findPulledFile(model: string): string {
  const key = model.replace(/^key:/, "");
  if (!/^\w[\w.-]*$/.test(key)) throw usage(`name the file too: metaction pull ${model} <file>`);
  const known = ["json", "yaml", "yml"].map((ending) => `${key}.${ending}`);
  return known.find((file) => existsSync(file)) ?? `${key}.json`;
}

function notWritten(file: string): Failure {
  return usage(
    `${file} is no model document, Data Package or Table Schema, and pull writes no other format; pull into another file`,
  );
}

/** The format that a file is written in. */
function formatIn(file: string, before: SourceObject | undefined, given: string | undefined): string {
  if (before === undefined) return given ?? "metaction";
  const isFrictionless = Array.isArray(before.resources) || (Array.isArray(before.fields) && before.type !== "record");
  if (!isFrictionless && !isOwnDocument(before)) throw notWritten(file);
  const format = isFrictionless ? "frictionless" : "metaction";
  if (given === undefined || given === format) return format;
  throw usage(`${file} is written in ${format}; pull into another file for --format=${given}`);
}

/** The model as an object in a format; undefined where `--curl` showed the call. */
async function exportDocument(calls: OwnCalls, modelRef: string, format: string): Promise<SourceObject | undefined> {
  const { "dry-run": _, ...common } = calls.common;
  if (format === "metaction") {
    // The action's declared answer is an object.
    return (await calls.call("model_export", { modelRef }, common))?.body as SourceObject | undefined;
  }
  const answer = await calls.call("model_export_as", { modelRef, format }, common);
  // Formats of exports are JSON.
  return answer && (JSON.parse((answer.body as Exported).content) as SourceObject);
}

async function formatPulledText(file: string, old: string | undefined, after: SourceObject): Promise<string> {
  const isYaml = old === undefined ? /\.ya?ml$/i.test(file) : detectLanguage(file, old) === "yaml";
  if (isYaml) return (await import("./pulled-yaml.ts")).yamlWith(old, after);
  if (old !== undefined) return (await import("./pulled-json.ts")).jsonWith(old, after);
  return `${JSON.stringify(after, undefined, 2)}\n`;
}

interface Pulled {
  readonly file: string;
  readonly isNew: boolean;
  readonly changes: readonly Changed[];
}

async function tell(place: Terminal, { common, settings }: OwnCalls, { file, isNew, changes }: Pulled): Promise<void> {
  const { output } = settings;
  const isText = output === undefined ? place.stdout.isTTY : output.value === "text";
  if (isText && common.query === undefined) {
    await write(place, textAbout({ file, isNew, changes }), isBold(place, common));
    return;
  }
  const body = { file, new: isNew, changed: isNew || changes.length > 0, changes: isNew ? [] : changes };
  await print(await applyQuery(body, common), chooseFormat(isText ? undefined : output, place), common, place);
}

/** Changes of a file that are told on a terminal. */
const TOLD = 200;

function textAbout({ file, isNew, changes }: Pulled): Styled {
  if (isNew) return [`${file}: new\n`];
  if (changes.length === 0) return [`${file}: as the model is\n`];
  const left = changes.length - TOLD;
  return [
    { bold: `${file}: ${changes.length} ${changes.length === 1 ? "change" : "changes"}` },
    "\n",
    ...changes.slice(0, TOLD).flatMap(({ change, place, before, after }) => {
      const values = [before, after].filter((value) => value !== undefined).join(" → ");
      return ["  ", { text: SIGNS[change], told: change }, ` ${place}${values === "" ? "" : `: ${values}`}\n`];
    }),
    ...(left > 0 ? [`  and ${left} more\n`] : []),
  ];
}

/** A place of a file that another value stands in. */
interface Changed {
  readonly change: "create" | "update" | "delete";
  /** Member names and keys on the way to it: `entities.loan.description`. */
  readonly place: string;
  /** The values in short. */
  readonly before?: string;
  readonly after?: string;
}

/** The changes between two states of a file, in the order of the new one; objects in lists are known by id, key or name. */
export function changesIn(before: SourceObject, after: SourceObject): readonly Changed[] {
  return [...inObjects(before, after, "")];
}

function* inObjects(before: SourceObject, after: SourceObject, place: string): Generator<Changed> {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const at = place === "" ? name : `${place}.${name}`;
    if (!(name in after)) yield { change: "delete", place: at, ...values(before[name], undefined) };
    else if (!(name in before)) yield { change: "create", place: at, ...values(undefined, after[name]) };
    else yield* inValues(before[name], after[name], at);
  }
}

function* inValues(before: unknown, after: unknown, place: string): Generator<Changed> {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) yield* inObjects(before, after, place);
  else if (isListOfObjects(before) && isListOfObjects(after)) yield* inLists(before, after, place);
  else yield { change: "update", place, ...values(before, after) };
}

function* inLists(before: readonly SourceObject[], after: readonly SourceObject[], place: string): Generator<Changed> {
  const twins = matchItems(before, after);
  for (const one of after) {
    const twin = twins.get(one);
    if (isObject(twin)) yield* inValues(twin, one, `${place}.${formatChangedName(twin)}`);
    else yield { change: "create", place: `${place}.${formatChangedName(one)}` };
  }
  const known = new Set(twins.values());
  const gone = before.filter((one) => !known.has(one));
  for (const one of gone) yield { change: "delete", place: `${place}.${formatChangedName(one)}` };
  const order = [...twins.values()];
  const stood = before.filter((one) => known.has(one));
  if (!isDeepStrictEqual(order, stood)) {
    yield { change: "update", place, before: stood.map(formatChangedName).join(", "), after: after.map(formatChangedName).join(", ") };
  }
}

function isListOfObjects(value: unknown): value is readonly SourceObject[] {
  return Array.isArray(value) && value.every((one) => isObject(one) && formatChangedName(one) !== "");
}

function formatChangedName(one: SourceObject): string {
  return String(one.key ?? one.name ?? "");
}

/** Characters of a value that are told. */
const SHOWN = 80;

function values(before: unknown, after: unknown): Pick<Changed, "before" | "after"> {
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : short(value)));
  return { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
}

function short(value: unknown): string {
  const text = cellText(value).replace(/\s+/g, " ").trim() || "none";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
