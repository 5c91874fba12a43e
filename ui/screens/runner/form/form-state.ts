import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Field } from "./field.ts";

/** Properties of every control. */
export interface ControlProps {
  readonly field: Field;
  readonly path: Path;
  readonly value: unknown;
  readonly label?: string | undefined;
  readonly tools?: ReactNode;
}

/** State that the controls of a form read and change. */
export interface FormState {
  readonly form: Field;
  readonly payload: JsonObject;
  readonly secrets: Secrets;
  /** Sets the value at a path; undefined removes it. */
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  /** Records whether the text in a field is an invalid value. */
  readonly noteDraft: (pointer: string, isWrong: boolean) => void;
  /** Faults from the service, by the pointer of their field. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Prefix of element ids, for pages with several forms. */
  readonly prefix: string;
  /** Control for any field; lists and objects use it for their content. */
  readonly FieldAt: ComponentType<ControlProps>;
}

/** The form around a control. */
export const FormContext = createContext<FormState | undefined>(undefined);

/** Returns the form around a control; throws outside of a form. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("useForm must be called inside a form.");
  return state;
}

/** Path in a payload: member names and item indices. */
export type Path = readonly (string | number)[];

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the JSON pointer of a path (RFC 6901); empty for the whole payload. */
export function toPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Splits a JSON pointer into its steps, all of them strings. */
export function splitPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a path; undefined if it does not exist. */
export function getValueAt(whole: unknown, path: Path): unknown {
  let value = whole;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/**
 * Returns a copy with another value at a path; undefined removes it. Creates missing objects on the path; a new member
 * comes last.
 */
export function setValueAt(whole: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(whole) ? [...whole] : [];
    const changed = setValueAt(list[step], rest, value);
    if (changed === undefined) list.splice(step, 1);
    else list[step] = changed;
    return list;
  }
  const object = isObject(whole) ? whole : {};
  const changed = setValueAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  const others = Object.entries(object).filter(([name]) => changed !== undefined || name !== step);
  const known = others.some(([name]) => name === step);
  const entries = others.map(([name, one]) => [name, name === step ? changed : one] as const);
  return Object.fromEntries(known || changed === undefined ? entries : [...entries, [step, changed]]);
}

/** Secrets by member name; kept in the memory of the page only, and never shown. */
export type Secrets = Readonly<Record<string, string>>;

/** Lists the members of a payload that are secrets. */
export function listSecretNames({ control }: Field): readonly string[] {
  if (control.kind !== "object") return [];
  return control.members.filter((member) => member.control.kind === "secret").map(({ name }) => name);
}

/** Splits a payload into the payload without secrets, and its secrets. */
export function splitSecrets(
  form: Field,
  payload: JsonObject,
): { readonly open: JsonObject; readonly secrets: Secrets } {
  const names = new Set(listSecretNames(form));
  const isSecret = ([name, value]: [string, unknown]): boolean => names.has(name) && typeof value === "string";
  const entries = Object.entries(payload);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    // Only texts count as secrets.
    secrets: Object.fromEntries(entries.filter(isSecret)) as Secrets,
  };
}

/** Returns the payload to send: with its secrets, and its members in the order of the form. */
export function addSecrets(form: Field, payload: JsonObject, secrets: Secrets): JsonObject {
  const given = Object.entries(secrets).filter(([, value]) => value !== "");
  if (given.length === 0 || form.control.kind !== "object") return payload;
  const all: JsonObject = { ...payload, ...Object.fromEntries(given) };
  const order = form.control.members.map(({ name }) => name);
  const getPosition = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => getPosition(a) - getPosition(b)));
}
