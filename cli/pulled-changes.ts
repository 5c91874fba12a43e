import { isDeepStrictEqual } from "node:util";
import { cellText } from "./cell-text.ts";
import { twinsOf } from "./pulled-value.ts";
import { isObject, type SourceObject } from "./source-text.ts";

/** A place of a file that another value stands in. */
export interface Changed {
  readonly change: "create" | "update" | "delete";
  /** Member names and keys on the way to it: `entities.loan.description`. */
  readonly place: string;
  /** The values in short. */
  readonly before?: string;
  readonly after?: string;
}

/** The changes between two states of a file, in the order of the new one; objects in lists are known by id, key or name. */
export function changesIn(before: SourceObject, after: SourceObject): readonly Changed[] {
  return [...inObjects(before, after, "")];
}

function* inObjects(before: SourceObject, after: SourceObject, place: string): Generator<Changed> {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const at = place === "" ? name : `${place}.${name}`;
    if (!(name in after)) yield { change: "delete", place: at, ...values(before[name], undefined) };
    else if (!(name in before)) yield { change: "create", place: at, ...values(undefined, after[name]) };
    else yield* inValues(before[name], after[name], at);
  }
}

function* inValues(before: unknown, after: unknown, place: string): Generator<Changed> {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) yield* inObjects(before, after, place);
  else if (isListOfObjects(before) && isListOfObjects(after)) yield* inLists(before, after, place);
  else yield { change: "update", place, ...values(before, after) };
}

function* inLists(before: readonly SourceObject[], after: readonly SourceObject[], place: string): Generator<Changed> {
  const twins = twinsOf(before, after);
  for (const one of after) {
    const twin = twins.get(one);
    if (isObject(twin)) yield* inValues(twin, one, `${place}.${nameOf(twin)}`);
    else yield { change: "create", place: `${place}.${nameOf(one)}` };
  }
  const known = new Set(twins.values());
  const gone = before.filter((one) => !known.has(one));
  for (const one of gone) yield { change: "delete", place: `${place}.${nameOf(one)}` };
  const order = [...twins.values()];
  const stood = before.filter((one) => known.has(one));
  if (!isDeepStrictEqual(order, stood)) {
    yield { change: "update", place, before: stood.map(nameOf).join(", "), after: after.map(nameOf).join(", ") };
  }
}

function isListOfObjects(value: unknown): value is readonly SourceObject[] {
  return Array.isArray(value) && value.every((one) => isObject(one) && nameOf(one) !== "");
}

function nameOf(one: SourceObject): string {
  return String(one.key ?? one.name ?? "");
}

/** Characters of a value that are told. */
const SHOWN = 80;

function values(before: unknown, after: unknown): Pick<Changed, "before" | "after"> {
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : short(value)));
  return { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
}

function short(value: unknown): string {
  const text = cellText(value).replace(/\s+/g, " ").trim() || "none";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
