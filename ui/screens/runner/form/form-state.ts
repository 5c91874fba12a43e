import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Field } from "./field.ts";

/** What every control of one place of the payload is given. */
export interface ControlProps {
  readonly field: Field;
  readonly path: Path;
  readonly value: unknown;
  readonly label?: string | undefined;
  readonly tools?: ReactNode;
}

/** What the controls of a form see and change. */
export interface FormState {
  readonly form: Field;
  readonly payload: JsonObject;
  readonly secrets: Secrets;
  /** Puts a value at a place; undefined takes it away. */
  readonly put: (path: Path, value: unknown) => void;
  readonly setSecret: (name: string, text: string) => void;
  /** Notes that what stands in a field is no value, or that it is one again. */
  readonly noteDraft: (pointer: string, isWrong: boolean) => void;
  /** The faults that the service found, by the pointer of their field. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Before the ids of elements, where a page has several forms. */
  readonly prefix: string;
  /** The control of a place; by it those of lists and objects draw what is inside of them. */
  readonly FieldAt: ComponentType<ControlProps>;
}

/** The form that a control is in. */
export const FormContext = createContext<FormState | undefined>(undefined);

/** The form that a control is in; an error outside of one. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error("a control outside of a form");
  return state;
}

/** The way to a place of a payload: names of members and numbers of items. */
export type Path = readonly (string | number)[];

/** A JSON object that can be looked into. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON pointer of a path (RFC 6901); empty for the whole payload. */
export function toPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The steps of a JSON pointer, all as texts. */
export function splitPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a place; undefined where there is none. */
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
 * A copy of a value with another one at a place; undefined takes away what is there. Objects on the way are made, and
 * a member that is new comes last.
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

/** Secrets by the name of their member; kept in the memory of the page only, and shown nowhere. */
export type Secrets = Readonly<Record<string, string>>;

/** The names of the members of a payload that are secrets. */
export function listSecretNames({ control }: Field): readonly string[] {
  if (control.kind !== "object") return [];
  return control.members.filter((member) => member.control.kind === "secret").map(({ name }) => name);
}

/** A payload without its secrets, and those that it had. */
export function takeSecrets(
  form: Field,
  payload: JsonObject,
): { readonly open: JsonObject; readonly secrets: Secrets } {
  const names = new Set(listSecretNames(form));
  const isSecret = ([name, value]: [string, unknown]): boolean => names.has(name) && typeof value === "string";
  const entries = Object.entries(payload);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    // Only texts are taken.
    secrets: Object.fromEntries(entries.filter(isSecret)) as Secrets,
  };
}

/** The payload as it is sent: with the secrets that are given, and its members in the order of the form. */
export function addSecrets(form: Field, payload: JsonObject, secrets: Secrets): JsonObject {
  const given = Object.entries(secrets).filter(([, value]) => value !== "");
  if (given.length === 0 || form.control.kind !== "object") return payload;
  const all: JsonObject = { ...payload, ...Object.fromEntries(given) };
  const order = form.control.members.map(({ name }) => name);
  const places = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => places(a) - places(b)));
}
