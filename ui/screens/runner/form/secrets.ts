import type { Field } from "./field.ts";
import type { JsonObject } from "./pointer.ts";

/** Secrets by the name of their member; kept in the memory of the page only, and shown nowhere. */
export type Secrets = Readonly<Record<string, string>>;

/** The names of the members of a payload that are secrets. */
export function secretNames({ control }: Field): readonly string[] {
  if (control.kind !== "object") return [];
  return control.members.filter((member) => member.control.kind === "secret").map(({ name }) => name);
}

/** A payload without its secrets, and those that it had. */
export function takeSecrets(
  form: Field,
  payload: JsonObject,
): { readonly open: JsonObject; readonly secrets: Secrets } {
  const names = new Set(secretNames(form));
  const isSecret = ([name, value]: [string, unknown]): boolean => names.has(name) && typeof value === "string";
  const entries = Object.entries(payload);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    // Only texts are taken.
    secrets: Object.fromEntries(entries.filter(isSecret)) as Secrets,
  };
}

/** The payload as it is sent: with the secrets that are given, and its members in the order of the form. */
export function withSecrets(form: Field, payload: JsonObject, secrets: Secrets): JsonObject {
  const given = Object.entries(secrets).filter(([, value]) => value !== "");
  if (given.length === 0 || form.control.kind !== "object") return payload;
  const all: JsonObject = { ...payload, ...Object.fromEntries(given) };
  const order = form.control.members.map(({ name }) => name);
  const places = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => places(a) - places(b)));
}
