/** Formats a value as JSON with sorted members, so that equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, v]) => v !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, v]) => `${JSON.stringify(name)}:${toCanonicalJson(v)}`).join(",")}}`;
}

/** Tests whether a JSON value is neither a list nor an object. */
export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | object;

/** Parses a stored JSON text. */
export function parseStoredJson<T = unknown>(text: string): T {
  // Written by `canonicalJson`.
  return JSON.parse(text) as T;
}

/** Returns the own member of a value at a path of names and positions; undefined if there is none. */
export function findMember(value: unknown, path: readonly PropertyKey[]): unknown {
  let node = value;
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    // `Object.hasOwn` was true of it.
    node = (node as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return node;
}

/** Tests whether two stored values are equal: scalars, lists in order, and plain objects by member. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => isSameValue(x, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
    isSameValue(getOwnMember(a, name), getOwnMember(b, name)),
  );
}

/** Returns an own member of an object, ignoring inherited ones such as `constructor`. */
function getOwnMember(holder: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
