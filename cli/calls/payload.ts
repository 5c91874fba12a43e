import { readFileSync } from "node:fs";
import { isRefType, partedAtCommas, toRef } from "../input/bare-ref.ts";
import { type Common, type FlagForm, type GivenFlag, kebab, readSwitch } from "../input/flags.ts";
import { usage } from "../terminal/failure.ts";
import { askSecretly, type Terminal } from "../terminal/terminal.ts";
import type { ActionDescription, ParameterDescription } from "./description.ts";

/** Every spelling of an action's parameters: as declared, in kebab case, and their other names. */
export function spellings(action: ActionDescription): ReadonlyMap<string, ParameterDescription> {
  const all = new Map<string, ParameterDescription>();
  for (const parameter of action.parameters) {
    for (const name of [parameter.name, ...parameter.aliases]) {
      all.set(name, parameter);
      all.set(kebab(name), parameter);
    }
  }
  return all;
}

/** The forms of the flags that an action's parameters are given by. */
export function parameterForms(action: ActionDescription): ReadonlyMap<string, FlagForm> {
  return new Map([...spellings(action)].map(([name, { json }]) => [name, json === "boolean" ? "switch" : "text"]));
}

/** The payload that flags and `--input` give together. A list may be given as JSON text or by repeating its flag. */
export async function readPayload(
  action: ActionDescription,
  flags: readonly GivenFlag[],
  common: Common,
  place: Terminal,
): Promise<Record<string, unknown>> {
  const known = spellings(action);
  const payload = common.input === undefined ? {} : await readInput(common.input, place);
  const taken = new Map<string, unknown[]>();
  for (const flag of flags) {
    const parameter = known.get(flag.name);
    if (!parameter) continue;
    const { name, json } = parameter;
    const earlier = taken.get(name);
    if (earlier && json !== "array") throw usage(`--${flag.name} is given twice`);
    const names = [name, ...parameter.aliases];
    if (!earlier && names.some((one) => Object.hasOwn(payload, one))) throw usage(`--${flag.name} is in --input too`);
    const isAlone = flags.filter((one) => known.get(one.name) === parameter).length === 1;
    const value = await flagValue(parameter, flag, place, isAlone);
    if (json === "array" && Array.isArray(value)) taken.set(name, [...(earlier ?? []), ...value]);
    else taken.set(name, [...(earlier ?? []), value]);
    // Under the name it was given by, which is the one that a fault then names.
    const called = names.find((one) => one === flag.name || kebab(one) === flag.name) ?? name;
    payload[called] = json === "array" ? taken.get(name) : value;
  }
  return payload;
}

async function readInput(from: string, place: Terminal): Promise<Record<string, unknown>> {
  const text = from === "-" ? await readStdin(place) : await readNamed(from.replace(/^@/, ""), "--input");
  const value = parsed(text, `--input=${from}`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw usage(`--input=${from}: a payload is a JSON object`);
}

async function flagValue(
  parameter: ParameterDescription,
  flag: GivenFlag,
  place: Terminal,
  isAlone: boolean,
): Promise<unknown> {
  const { json, type } = parameter;
  if (json === "boolean") return readSwitch(flag);
  const given = String(flag.value);
  if (parameter.secret && given === "-" && place.stdin.isTTY) return askSecretly(place, `${parameter.name}: `);
  const text = await readFlagText(given, `--${flag.name}`, place);
  if (text === "") return text;
  if (json === "number") {
    const number = Number(text.trim());
    if (Number.isFinite(number)) return number;
    throw usage(`--${flag.name}=${given}: expected a number`);
  }
  if (json === "any") {
    const value = jsonOrText(text);
    // A source that is no JSON object is sent as the text it is.
    const isText = parameter.type === "SourceContent" && (typeof value !== "object" || Array.isArray(value));
    return isText ? text : value;
  }
  if (json === "object") return parsed(text, `--${flag.name}`);
  // A list is JSON text, or one member.
  if (json === "array" && /^\s*\[/.test(text)) return parsed(text, `--${flag.name}`);
  if (json === "array" && /^\s*\{/.test(text)) return parsed(text, `--${flag.name}`);
  const member = /^List<(\w+)>$/.exec(type)?.[1];
  if (member !== undefined) return (isAlone ? partedAtCommas(text) : [text]).map((one) => toRefIfRefType(member, one));
  return toRefIfRefType(type, text);
}

/** A bare word becomes a key where a ref is meant. */
function toRefIfRefType(type: string, word: string): string {
  return isRefType(type) ? toRef(word) : word;
}

/**
 * The text of a value: `@file` is what the file holds, `-` what comes on stdin, both without the line end at the end;
 * `@@` begins a text with one `@`.
 */
export async function readFlagText(given: string, flag: string, place: Terminal): Promise<string> {
  if (given.startsWith("@@")) return given.slice(1);
  if (given !== "-" && !given.startsWith("@")) return given;
  const text = given === "-" ? await readStdin(place) : await readNamed(given.slice(1), flag);
  return text.replace(/\r?\n$/, "");
}

async function readNamed(file: string, flag: string): Promise<string> {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw usage(`${flag}: ${file} ${code === "ENOENT" ? "is not there" : `cannot be read (${code})`}`);
  }
}

const drained = new WeakSet<Terminal>();

/** All of stdin, which can be read once. */
export async function readStdin(place: Terminal): Promise<string> {
  if (drained.has(place)) throw usage("only one value can be read from stdin");
  drained.add(place);
  let text = "";
  place.stdin.setEncoding("utf8");
  for await (const chunk of place.stdin) text += chunk;
  return text;
}

/** The value of a JSON text; a text that is none stands for itself. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function parsed(text: string, flag: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usage(`${flag} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
