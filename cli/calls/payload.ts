import { type Common, type FlagForm, type GivenFlag, readSwitch, toKebabCase } from "../input/flags.ts";
import {
  isObject,
  isRefType,
  parseJson,
  parseJsonOrText,
  readTextFile,
  splitAtCommas,
  toRef,
} from "../input/values.ts";
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
  const spellings = listSpellings(action);
  const payload = common.input === undefined ? {} : await readInput(common.input, terminal);
  const valuesByName = new Map<string, unknown[]>();
  for (const flag of flags) {
    const parameter = spellings.get(flag.name);
    if (!parameter) continue;
    const { name, json } = parameter;
    const oldValues = valuesByName.get(name);
    if (oldValues && json !== "array") throw createUsageFailure(`--${flag.name} was given twice.`);
    const names = [name, ...parameter.aliases];
    if (!oldValues && names.some((one) => Object.hasOwn(payload, one)))
      throw createUsageFailure(`--${flag.name} is also set in --input; keep one of them.`);
    const isAlone = flags.filter((one) => spellings.get(one.name) === parameter).length === 1;
    const value = await readFlagValue(parameter, flag, terminal, isAlone);
    if (json === "array" && Array.isArray(value)) valuesByName.set(name, [...(oldValues ?? []), ...value]);
    else valuesByName.set(name, [...(oldValues ?? []), value]);
    // Keep the name as given, because a fault then names it.
    const spelling = names.find((one) => one === flag.name || toKebabCase(one) === flag.name) ?? name;
    payload[spelling] = json === "array" ? valuesByName.get(name) : value;
  }
  return payload;
}

async function readInput(from: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = from === "-" ? await readStdin(terminal) : readTextFile(from.replace(/^@/, ""), "--input");
  const value = parseJson(text, `--input=${from}`);
  if (isObject(value)) return { ...value };
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
  const input = String(flag.value);
  if (parameter.secret && input === "-" && terminal.stdin.isTTY) return askSecretly(terminal, `${parameter.name}: `);
  const text = await readFlagText(input, `--${flag.name}`, terminal);
  if (text === "") return text;
  if (json === "number") {
    const number = Number(text.trim());
    if (Number.isFinite(number)) return number;
    throw createUsageFailure(`--${flag.name}=${input}: expected a number.`);
  }
  if (json === "any") {
    const value = parseJsonOrText(text);
    // A source that is not a JSON object is sent as text.
    const isText = parameter.type === "SourceContent" && (typeof value !== "object" || Array.isArray(value));
    return isText ? text : value;
  }
  if (json === "object") return parseJson(text, `--${flag.name}`);
  // A list is JSON text, or a single item.
  if (json === "array" && /^\s*[[{]/.test(text)) return parseJson(text, `--${flag.name}`);
  const member = /^List<(\w+)>$/.exec(type)?.[1];
  const read = (word: string) => (isRefType(member ?? type) ? toRef(word) : word);
  if (member === undefined) return read(text);
  return (isAlone ? splitAtCommas(text) : [text]).map(read);
}

/** Reads the text of a flag: `@file` or `-` without the final line end; `@@` starts a text with `@`. */
export async function readFlagText(input: string, flag: string, terminal: Terminal): Promise<string> {
  if (input.startsWith("@@")) return input.slice(1);
  if (input !== "-" && !input.startsWith("@")) return input;
  const text = input === "-" ? await readStdin(terminal) : readTextFile(input.slice(1), flag);
  return text.replace(/\r?\n$/, "");
}

const drainedTerminals = new WeakSet<Terminal>();

/** Reads all of stdin; it can be read only once. */
export async function readStdin(terminal: Terminal): Promise<string> {
  if (drainedTerminals.has(terminal)) throw createUsageFailure("Only one value can be read from stdin.");
  drainedTerminals.add(terminal);
  let text = "";
  terminal.stdin.setEncoding("utf8");
  for await (const chunk of terminal.stdin) text += chunk;
  return text;
}
