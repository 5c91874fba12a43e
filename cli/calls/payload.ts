import { readFileSync } from "node:fs";
import { isRefType, splitAtCommas, toRef } from "../input/bare-ref.ts";
import { type Common, type FlagForm, type GivenFlag, readSwitch, toKebabCase } from "../input/flags.ts";
import { createUsageFailure } from "../terminal/failure.ts";
import { askSecretly, type Terminal } from "../terminal/terminal.ts";
import type { ActionDescription, ParameterDescription } from "./description.ts";

/** Returns every spelling of an action's parameters: as declared, in kebab case, and their aliases. */
export function listSpellings(action: ActionDescription): ReadonlyMap<string, ParameterDescription> {
  const all = new Map<string, ParameterDescription>();
  for (const parameter of action.parameters) {
    for (const name of [parameter.name, ...parameter.aliases]) {
      all.set(name, parameter);
      all.set(toKebabCase(name), parameter);
    }
  }
  return all;
}

/** Returns the forms of the flags for an action's parameters. */
export function listParameterForms(action: ActionDescription): ReadonlyMap<string, FlagForm> {
  return new Map([...listSpellings(action)].map(([name, { json }]) => [name, json === "boolean" ? "switch" : "text"]));
}

/** Builds the payload from flags and `--input`. A list is JSON text or a repeated flag. */
export async function readPayload(
  action: ActionDescription,
  flags: readonly GivenFlag[],
  common: Common,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const known = listSpellings(action);
  const payload = common.input === undefined ? {} : await readInput(common.input, terminal);
  const taken = new Map<string, unknown[]>();
  for (const flag of flags) {
    const parameter = known.get(flag.name);
    if (!parameter) continue;
    const { name, json } = parameter;
    const earlier = taken.get(name);
    if (earlier && json !== "array") throw createUsageFailure(`--${flag.name} was given twice.`);
    const names = [name, ...parameter.aliases];
    if (!earlier && names.some((one) => Object.hasOwn(payload, one)))
      throw createUsageFailure(`--${flag.name} is also set in --input; keep one of them.`);
    const isAlone = flags.filter((one) => known.get(one.name) === parameter).length === 1;
    const value = await readFlagValue(parameter, flag, terminal, isAlone);
    if (json === "array" && Array.isArray(value)) taken.set(name, [...(earlier ?? []), ...value]);
    else taken.set(name, [...(earlier ?? []), value]);
    // Keep the name as given, because a fault then names it.
    const called = names.find((one) => one === flag.name || toKebabCase(one) === flag.name) ?? name;
    payload[called] = json === "array" ? taken.get(name) : value;
  }
  return payload;
}

async function readInput(from: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = from === "-" ? await readStdin(terminal) : await readNamed(from.replace(/^@/, ""), "--input");
  const value = parseFlagJson(text, `--input=${from}`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw createUsageFailure(`--input=${from} must contain a JSON object.`);
}

async function readFlagValue(
  parameter: ParameterDescription,
  flag: GivenFlag,
  terminal: Terminal,
  isAlone: boolean,
): Promise<unknown> {
  const { json, type } = parameter;
  if (json === "boolean") return readSwitch(flag);
  const given = String(flag.value);
  if (parameter.secret && given === "-" && terminal.stdin.isTTY) return askSecretly(terminal, `${parameter.name}: `);
  const text = await readFlagText(given, `--${flag.name}`, terminal);
  if (text === "") return text;
  if (json === "number") {
    const number = Number(text.trim());
    if (Number.isFinite(number)) return number;
    throw createUsageFailure(`--${flag.name}=${given}: expected a number.`);
  }
  if (json === "any") {
    const value = parseJsonOrText(text);
    // A source that is not a JSON object is sent as text.
    const isText = parameter.type === "SourceContent" && (typeof value !== "object" || Array.isArray(value));
    return isText ? text : value;
  }
  if (json === "object") return parseFlagJson(text, `--${flag.name}`);
  // A list is JSON text, or a single item.
  if (json === "array" && /^\s*\[/.test(text)) return parseFlagJson(text, `--${flag.name}`);
  if (json === "array" && /^\s*\{/.test(text)) return parseFlagJson(text, `--${flag.name}`);
  const member = /^List<(\w+)>$/.exec(type)?.[1];
  if (member !== undefined) return (isAlone ? splitAtCommas(text) : [text]).map((one) => toRefIfRefType(member, one));
  return toRefIfRefType(type, text);
}

/** Turns a bare word into a key ref where a ref is expected. */
function toRefIfRefType(type: string, word: string): string {
  return isRefType(type) ? toRef(word) : word;
}

/** Reads the text of a flag: `@file` or `-` without the final line end; `@@` starts a text with `@`. */
export async function readFlagText(given: string, flag: string, terminal: Terminal): Promise<string> {
  if (given.startsWith("@@")) return given.slice(1);
  if (given !== "-" && !given.startsWith("@")) return given;
  const text = given === "-" ? await readStdin(terminal) : await readNamed(given.slice(1), flag);
  return text.replace(/\r?\n$/, "");
}

async function readNamed(file: string, flag: string): Promise<string> {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw createUsageFailure(`${flag}: ${file} ${code === "ENOENT" ? "does not exist" : `cannot be read (${code})`}`);
  }
}

const drained = new WeakSet<Terminal>();

/** Reads all of stdin; it can be read only once. */
export async function readStdin(terminal: Terminal): Promise<string> {
  if (drained.has(terminal)) throw createUsageFailure("Only one value can be read from stdin.");
  drained.add(terminal);
  let text = "";
  terminal.stdin.setEncoding("utf8");
  for await (const chunk of terminal.stdin) text += chunk;
  return text;
}

/** Parses the text as JSON; falls back to the raw string. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function parseFlagJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw createUsageFailure(`${flag} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
