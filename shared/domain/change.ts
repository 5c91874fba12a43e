import type { AnyObject, ObjectByKind } from "./objects.ts";

/** The change a commit makes to one object; `before` is the object as it was read, which is also the write's condition. */
export type Change =
  /** `replaces`: the object that a removed owner left at the key, which counts as free. */
  | { readonly does: "create"; readonly after: AnyObject; readonly replaces?: AnyObject }
  | { readonly does: "update"; readonly before: AnyObject; readonly after: AnyObject; readonly replaces?: AnyObject }
  /** `hasDependents`: objects that belong to it are left for the sweeper. */
  | { readonly does: "delete"; readonly before: AnyObject; readonly hasDependents: boolean };

/** A change that adds an object; `replaces` is the object that a removed owner left at its key. */
export function create(after: AnyObject, replaces?: AnyObject): Change {
  return { does: "create", after, ...(replaces && { replaces }) };
}

/** A change that removes an object, and with it all that it owns. */
export function remove(before: AnyObject, hasDependents: boolean): Change {
  return { does: "delete", before, hasDependents };
}

type Fields<O> = Partial<{ [F in Exclude<keyof O, "kind" | "id" | "revision">]: O[F] | undefined }>;

/**
 * A change that sets fields of an object (`undefined` clears one); no change at all when every value is already there.
 * `replaces` is the object that a removed owner left at its new key.
 */
export function update<O extends ObjectByKind[keyof ObjectByKind]>(
  before: O,
  fields: Fields<O>,
  replaces?: AnyObject,
): readonly Change[] {
  const after: Record<string, unknown> = { ...before };
  let differs = false;
  for (const [name, value] of Object.entries(fields)) {
    if (sameValue(after[name], value)) continue;
    differs = true;
    if (value === undefined) delete after[name];
    else after[name] = value;
  }
  // The loop above only sets fields of O to values of those fields.
  return differs
    ? [{ does: "update", before, after: after as unknown as AnyObject, ...(replaces && { replaces }) }]
    : [];
}

/** Equality of stored values: scalars, lists in order, and plain objects member by member. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => sameValue(x, b[i]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
    sameValue(ownValue(a, name), ownValue(b, name)),
  );
}

/** The value of an object's own member: JSON may have one of any name, also of those that every object inherits. */
function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
