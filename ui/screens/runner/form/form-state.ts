import { type Field, listMembers } from "./field.ts";

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
export function getValueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** Returns a copy with another value at a path, whose missing objects are created; undefined removes the value. */
export function setValueAt(root: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(root) ? [...root] : [];
    const item = setValueAt(list[step], rest, value);
    if (item === undefined) list.splice(step, 1);
    else list[step] = item;
    return list;
  }
  const object = isObject(root) ? root : {};
  const member = setValueAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  const others = Object.entries(object).filter(([name]) => member !== undefined || name !== step);
  const isKnown = others.some(([name]) => name === step);
  const entries = others.map(([name, one]) => [name, name === step ? member : one] as const);
  return Object.fromEntries(isKnown || member === undefined ? entries : [...entries, [step, member]]);
}

/** Secrets by member name; kept in the memory of the page only, and never shown. */
export type Secrets = Readonly<Record<string, string>>;

/** Lists the members of a payload that are secrets. */
export function listSecretNames(form: Field): readonly string[] {
  return listMembers(form).flatMap(({ name, control }) => (control.kind === "secret" ? [name] : []));
}

/** Splits a payload into the payload without secrets, and its secrets, which are texts only. */
export function splitSecrets(
  form: Field,
  payload: JsonObject,
): { readonly open: JsonObject; readonly secrets: Secrets } {
  const names = listSecretNames(form);
  const { open = [], secrets = [] } = Object.groupBy(Object.entries(payload), ([name, value]) =>
    names.includes(name) && typeof value === "string" ? "secrets" : "open",
  );
  return { open: Object.fromEntries(open), secrets: Object.fromEntries(secrets) as Secrets };
}

/** Returns the payload with its secrets, in the order of the form. */
export function addSecrets(form: Field, payload: JsonObject, secrets: Secrets): JsonObject {
  const entries = Object.entries(secrets).filter(([, value]) => value !== "");
  const order = listMembers(form).map(({ name }) => name);
  if (entries.length === 0 || order.length === 0) return payload;
  const getPosition = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const all = Object.entries({ ...payload, ...Object.fromEntries(entries) });
  return Object.fromEntries(all.sort(([a], [b]) => getPosition(a) - getPosition(b)));
}
