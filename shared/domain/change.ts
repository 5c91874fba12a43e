import type { AnyObject, ObjectByKind } from "./objects.ts";

/** What a commit does to one object; `before` is the object as it was read, which is also the write's condition. */
export type Change =
  | { readonly does: "create"; readonly after: AnyObject }
  | { readonly does: "update"; readonly before: AnyObject; readonly after: AnyObject }
  /** `owns`: objects that belong to it are left for the sweeper. */
  | { readonly does: "delete"; readonly before: AnyObject; readonly owns: boolean };

/** A change that adds an object. */
export function create(after: AnyObject): Change {
  return { does: "create", after };
}

/** A change that removes an object, and with it all that it owns. */
export function remove(before: AnyObject, owns: boolean): Change {
  return { does: "delete", before, owns };
}

type Fields<O> = Partial<{ [F in Exclude<keyof O, "kind" | "id" | "revision">]: O[F] | undefined }>;

/** A change that sets fields of an object (`undefined` clears one); no change at all when every value is already there. */
export function update<O extends ObjectByKind[keyof ObjectByKind]>(before: O, fields: Fields<O>): readonly Change[] {
  const after: Record<string, unknown> = { ...before };
  let moved = false;
  for (const [name, value] of Object.entries(fields)) {
    if (sameValue(after[name], value)) continue;
    moved = true;
    if (value === undefined) delete after[name];
    else after[name] = value;
  }
  // The loop above only sets fields of O to values of those fields.
  return moved ? [{ does: "update", before, after: after as unknown as AnyObject }] : [];
}

/** Equality of stored values: scalars, and lists of strings in order. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => x === b[i]);
  return a === b;
}
