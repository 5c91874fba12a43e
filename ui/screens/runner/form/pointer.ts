/** The way to a place of a payload: names of members and numbers of items. */
export type Path = readonly (string | number)[];

/** A JSON object that can be looked into. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON pointer of a path (RFC 6901); empty for the whole payload. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The steps of a JSON pointer, all as texts. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a place; undefined where there is none. */
export function valueAt(whole: unknown, path: Path): unknown {
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
export function withValueAt(whole: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(whole) ? [...whole] : [];
    const changed = withValueAt(list[step], rest, value);
    if (changed === undefined) list.splice(step, 1);
    else list[step] = changed;
    return list;
  }
  const object = isObject(whole) ? whole : {};
  const changed = withValueAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  const others = Object.entries(object).filter(([name]) => changed !== undefined || name !== step);
  const known = others.some(([name]) => name === step);
  const entries = others.map(([name, one]) => [name, name === step ? changed : one] as const);
  return Object.fromEntries(known || changed === undefined ? entries : [...entries, [step, changed]]);
}
