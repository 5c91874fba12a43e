import * as z from "zod/mini";
import { faultOfJsonText } from "../../domain/json-text.ts";
import type { Kind } from "../../domain/kinds.ts";
import { pathOf } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { nearest } from "../../domain/nearest.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { REF_TYPES } from "../../domain/ref-types.ts";
import type { Ref } from "../../domain/refs.ts";
import type { ValueType } from "../../domain/value-type.ts";
import type { Action } from "./define-action.ts";
import { type Param, type Params, required } from "./params.ts";

/** What a door received, before anything is known about the action: query pairs in order, and the parsed body. */
export interface RawPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** What a caller sent, as long as nobody has looked into it. */
export interface UnreadPayload {
  /** True where reading it costs next to nothing, so that it may be read while it is looked up who calls. */
  readonly isShort: boolean;
  /** The payload, the same each time; rejects with a `Problem` where none can be read: size, media type, malformed JSON, a control. */
  readonly read: () => Promise<RawPayload>;
}

/** The payload of a caller who hands over values, not bytes. */
export function unread(body: unknown, query: RawPayload["query"] = []): UnreadPayload {
  return { isShort: true, read: async () => ({ query, body }) };
}

/** Checked parameters: refs of the addressed path, outermost first, and the input of `run`. */
export interface Payload {
  readonly path: readonly { readonly kind: Kind; readonly ref: Ref }[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** The kinds whose refs an action takes, outermost first. */
export function addressedKinds(action: Action): readonly Kind[] {
  const innermost = action.target ?? action.within;
  return innermost ? pathOf(innermost) : [];
}

/** Every parameter of an action in declared order, refs first: what discovery shows and the payload is read by. */
export function allParams(action: Action): Params {
  const refs = addressedKinds(action).map((k): [string, Param] => {
    const type = REF_TYPES[k.refType];
    if (!type) throw new Error(`no ref type ${k.refType}`);
    return [k.refParameter, required(type, `The ${k.noun}.`)];
  });
  return { ...Object.fromEntries(refs), ...action.input };
}

/** Reads a payload against an action's parameters; one `bad_parameters` problem lists everything that is wrong. */
export function readPayload(action: Action, raw: RawPayload): Payload {
  const params = allParams(action);
  const faults: Fault[] = [];
  const json = gather(params, raw, faults);
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const { value, called } = json.get(name) ?? { value: undefined, called: name };
    if (isAbsent(value, param.type)) {
      const isFaulty = faults.some((f) => `${f.pointer}/`.startsWith(`${pointer(called)}/`));
      if (param.required && !isFaulty)
        faults.push({ pointer: pointer(called), detail: `${called} is required: ${param.description}` });
      continue;
    }
    const checked = z.safeParse(param.type.schema(), value);
    if (checked.success) values[name] = param.type.read(value);
    else for (const issue of checked.error.issues) faults.push(faultOf(called, issue));
  }
  if (faults.length > 0) {
    throw new Problem("bad_parameters", summaryOf(faults), { errors: faults });
  }
  const kinds = addressedKinds(action);
  // The ref types above read their values as refs.
  const path = kinds.map((kind) => ({ kind, ref: values[kind.refParameter] as Ref }));
  for (const kind of kinds) delete values[kind.refParameter];
  return { path, input: values };
}

/** One sentence for all faults; each has its own in `errors`. */
function summaryOf(faults: readonly Fault[]): string {
  const [first] = faults;
  if (first && faults.length === 1) return first.detail;
  const names = [...new Set(faults.map(({ pointer }) => pointer.split("/")[1]))].slice(0, 10).join(", ");
  return `${faults.length} faults in the parameters, listed in errors: ${names}`;
}

/** Absent, null and "" mean the same: no value. */
function isAbsent(value: unknown, type: ValueType<unknown>): boolean {
  if (value === undefined || value === null || value === "") return true;
  return type.blankIsAbsent && typeof value === "string" && value.trim() === "";
}

/** A raw JSON value, and which of its names its parameter was given by. */
interface Given {
  readonly value: unknown;
  readonly called: string;
}

/** What was given for each declared parameter, in query and body together. */
function gather(params: Params, raw: RawPayload, faults: Fault[]): ReadonlyMap<string, Given> {
  const canonical = new Map<string, string>();
  for (const [name, param] of Object.entries(params)) {
    for (const one of [name, ...param.aliases]) canonical.set(one, name);
  }
  const values = new Map<string, Given>();
  const take = (given: string, value: unknown): void => {
    const name = canonical.get(given);
    if (faults.length >= LIMITS.listedFaults) return;
    if (name === undefined) {
      const close = nearest(given, canonical.keys());
      faults.push({
        pointer: pointer(given),
        detail: `unknown parameter ${given}${close ? `; did you mean ${close}?` : ""}`,
      });
    } else if (values.has(name)) {
      faults.push({
        pointer: pointer(given),
        detail: `${name} is given twice; give it once, in the query or the body`,
      });
    } else {
      values.set(name, { value, called: given });
    }
  };
  for (const [given, value] of raw.query) {
    const type = params[canonical.get(given) ?? ""]?.type;
    if (type?.secret) {
      faults.push({ pointer: pointer(given), detail: `${given} is secret and must not be sent in the query string` });
      continue;
    }
    const fault = type && isJson(type) ? faultOfJsonText(value) : undefined;
    if (fault) faults.push({ pointer: pointer(given) + (fault.pointer ?? ""), detail: `${given} ${fault.detail}` });
    else take(given, type ? coerce(type, value) : value);
  }
  if (raw.body !== undefined) {
    if (typeof raw.body !== "object" || raw.body === null || Array.isArray(raw.body)) {
      throw new Problem("bad_request", "The body must be a JSON object with the action's parameters");
    }
    for (const [given, value] of Object.entries(raw.body)) take(given, value);
  }
  return values;
}

/** True for lists and objects, which stand in a query string as JSON text. */
function isJson({ json }: ValueType<unknown>): boolean {
  return json !== "string" && json !== "boolean" && json !== "number";
}

/** A query value in the JSON form its type declares; what does not convert is left as text, for the schema to refuse. */
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

function pointer(...steps: readonly (string | number | symbol)[]): string {
  return steps.map((s) => `/${String(s).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function faultOf(name: string, issue: z.core.$ZodIssue): Fault {
  const where = [name, ...issue.path].map(String).join(".");
  return { pointer: pointer(name, ...issue.path), detail: `${where}: ${issue.message}` };
}
