/** JSON with the members of every object in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, v]) => v !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, v]) => `${JSON.stringify(name)}:${canonicalJson(v)}`).join(",")}}`;
}

/** Any JSON. */
export type JsonValue = null | boolean | number | string | object;

/** The text that a JSON value is kept as: equal values have equal texts, in whatever order their members came. */
export function jsonText(value: unknown): string {
  return canonicalJson(value);
}

/** The value of a kept text. */
export function jsonOf<T = unknown>(text: string): T {
  // Written by `jsonText`.
  return JSON.parse(text) as T;
}

/** Equality of stored values: scalars, lists in order, and plain objects member by member. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => sameValue(x, b[i]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => sameValue(own(a, name), own(b, name)));
}

/** A member of an object itself: others, such as `constructor`, every object has. */
function own(holder: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
