import * as z from "zod/mini";
import type { Kind } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findJsonTextFault } from "../../domain/text/json-faults.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import type { Action } from "../contract/action.ts";
import { getParameters } from "../contract/action-parameters.ts";
import type { Payload, RawPayload } from "../contract/call.ts";
import type { Params } from "../contract/params.ts";

type Nearest = (word: string, names: Iterable<string>) => string | undefined;

/** Reads a payload. Throws one `bad_parameters` with all faults, and with `nearest` with suggestions for names. */
export function readPayload(action: Action, raw: RawPayload, nearest?: Nearest): Payload {
  const { kinds, params, names } = getParameters(action);
  const faults: Fault[] = [];
  const json = collectValues(params, names, raw, faults, nearest);
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const { value, alias } = json.get(name) ?? { value: undefined, alias: name };
    if (isAbsent(value, param.type)) {
      const isFaulty = faults.some((f) => `${f.pointer}/`.startsWith(`${pointer(alias)}/`));
      if (param.required && !isFaulty)
        faults.push({ pointer: pointer(alias), detail: `${alias} is required: ${param.description}` });
      continue;
    }
    const result = z.safeParse(param.type.schema(), value);
    if (result.success) values[name] = result.data;
    else for (const issue of result.error.issues) faults.push(toFault(alias, issue, value, nearest));
  }
  if (faults.length > 0) {
    throw new Problem("bad_parameters", formatSummary(faults), { errors: faults });
  }
  const path: { kind: Kind; ref: Ref }[] = [];
  for (const kind of kinds) {
    // The ref types above read their values as refs.
    path.push({ kind, ref: values[kind.refParameter] as Ref });
    delete values[kind.refParameter];
  }
  return { path, input: values };
}

function formatSummary(faults: readonly Fault[]) {
  const [first] = faults;
  if (first && faults.length === 1) return first.detail;
  const names = [...new Set(faults.map(({ pointer }) => pointer.split("/")[1]))].slice(0, 10).join(", ");
  return `${faults.length} faults in the parameters, listed in errors: ${names}`;
}

/** Absent, null and "" mean the same: no value. */
function isAbsent(value: unknown, type: ValueType<unknown>) {
  if (value === undefined) return true;
  if (type.nullIsValue) return false;
  if (value === null || value === "") return true;
  return type.blankIsAbsent && typeof value === "string" && value.trim() === "";
}

interface Argument {
  readonly value: unknown;
  readonly alias: string;
}

function collectValues(
  params: Params,
  names: ReadonlyMap<string, string>,
  raw: RawPayload,
  faults: Fault[],
  nearest: Nearest | undefined,
): ReadonlyMap<string, Argument> {
  const values = new Map<string, Argument>();
  const take = (input: string, value: unknown) => {
    const name = names.get(input);
    if (faults.length >= LIMITS.listedFaults) return;
    if (name === undefined) {
      const close = nearest?.(input, names.keys());
      faults.push({
        pointer: pointer(input),
        detail: `unknown parameter ${input}${close ? `; did you mean ${close}?` : ""}`,
      });
      return;
    }
    const earlier = values.get(name)?.alias;
    if (earlier !== undefined) {
      const advice =
        earlier === input
          ? "; give it once, in the query or the body"
          : `, as ${earlier} and as ${input}; give it once`;
      faults.push({ pointer: pointer(input), detail: `${name} is given twice${advice}` });
    } else {
      values.set(name, { value, alias: input });
    }
  };
  for (const [input, value] of raw.query) {
    const type = params[names.get(input) ?? ""]?.type;
    if (type?.secret) {
      faults.push({ pointer: pointer(input), detail: `${input} is secret and must not be sent in the query string` });
      continue;
    }
    const fault = type && isJson(type) ? findJsonTextFault(value) : undefined;
    if (fault) faults.push({ pointer: pointer(input) + (fault.pointer ?? ""), detail: `${input} ${fault.detail}` });
    else take(input, type ? coerce(type, value) : value);
  }
  if (raw.body !== undefined) {
    if (typeof raw.body !== "object" || raw.body === null || Array.isArray(raw.body)) {
      throw new Problem("bad_request", "The body must be a JSON object with the action's parameters");
    }
    for (const [input, value] of Object.entries(raw.body)) take(input, value);
  }
  return values;
}

/** Returns true for lists and objects, which are JSON text in a query string. */
function isJson({ json }: ValueType<unknown>) {
  return json !== "string" && json !== "boolean" && json !== "number";
}

/** Converts a query value to its declared JSON form; others stay text, for the schema to refuse. */
function coerce(type: ValueType<unknown>, text: string): unknown {
  if (type.json === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type.json === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (!isJson(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pointer(...steps: readonly PropertyKey[]) {
  return steps.map((step) => `/${escapePointerToken(step)}`).join("");
}

function toFault(name: string, issue: z.core.$ZodIssue, value: unknown, nearest: Nearest | undefined): Fault {
  const path = [name, ...issue.path].map(String).join(".");
  const choice = nearest && issue.code === "invalid_value" ? suggestChoice(issue, value, nearest) : "";
  return { pointer: pointer(name, ...issue.path), detail: `${path}: ${issue.message}${choice}` };
}

function suggestChoice({ path, values, message }: z.core.$ZodIssueInvalidValue, value: unknown, nearest: Nearest) {
  const choice = path.reduce<unknown>((container, step) => (container as Record<PropertyKey, unknown>)[step], value);
  const texts = values.filter((one) => typeof one === "string");
  if (typeof choice !== "string" || texts.length === 0 || choice.length > LONGEST_CHOICE) return "";
  const close = nearest(choice, texts);
  const quote = JSON.stringify(choice);
  return `${message.includes(quote) ? "" : `, not ${quote}`}${close === undefined ? "" : `; did you mean ${close}?`}`;
}

/** A longer text is not a misspelt choice, and is not repeated. */
const LONGEST_CHOICE = 60;
