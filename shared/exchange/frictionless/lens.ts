import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";

/**
 * The two directions between members of a descriptor and the fixed fields of an object. A member that the fields cannot give
 * back exactly is kept beside them, and stands in the export as long as it still says what the fields say.
 */
export interface Lens<T> {
  /** The fields that members mean; what cannot be meant is left out. */
  readonly read: (members: JsonObject) => T;
  /** The members that fields are written as. */
  readonly write: (fields: T) => JsonObject;
  /** Members that say nothing where they have these values. */
  readonly defaults?: JsonObject;
  /** The members that are left out where the others mean the same: whether they might is told by the name alone. */
  readonly spare: (written: JsonObject, kept: JsonObject) => readonly string[];
}

/** The members of a source that have to be kept so that writing gives them back; those beside the lens are not looked at. */
export function keptBeside<T>(source: JsonObject, members: readonly string[], lens: Lens<T>, fields: T): JsonObject {
  let kept: JsonObject = {};
  let written = restored(fields, kept, lens);
  for (const member of members) {
    const value = source[member];
    if (value === undefined || same(value, written[member]) || same(value, lens.defaults?.[member])) continue;
    kept = { ...kept, [member]: value };
    written = restored(fields, kept, lens);
  }
  return kept;
}

/** The members that fields are written as, kept ones in their place where they still mean the same. */
export function restored<T>(fields: T, kept: JsonObject, lens: Lens<T>): JsonObject {
  let out = lens.write(fields);
  const spare = lens.spare(out, kept).filter((member) => !isAbsent(out[member]) && !Object.hasOwn(kept, member));
  if (spare.length === 0 && Object.keys(kept).length === 0) return out;
  const meant = canonicalJson(lens.read(out));
  const tryOut = (candidate: JsonObject): void => {
    if (canonicalJson(lens.read(candidate)) === meant) out = candidate;
  };
  for (const [member, value] of Object.entries(kept)) tryOut({ ...out, [member]: value });
  for (const member of spare) {
    const { [member]: _, ...rest } = out;
    tryOut(rest);
  }
  return out;
}

/** True for values that are equal as JSON, the order of members aside. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

/** Findings that nobody reads: those of a source that was read before. */
export const SILENT: Findings = { fault: () => undefined, warn: () => undefined, at: () => SILENT };

/** A title that repeats the name is left out, which is the key or what the source called it. */
export function spareTitle({ name, title }: JsonObject, kept: JsonObject): readonly string[] {
  return title === name || Object.hasOwn(kept, "name") ? ["title"] : [];
}
