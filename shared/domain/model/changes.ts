import { KINDS } from "../kinds.ts";
import { Problem } from "../problems.ts";
import { isSameValue } from "../text/json-values.ts";
import type { AnyObject, ObjectByKind } from "./objects.ts";

/** The change a commit makes to one object; `before` is the object as it was read, which is also the write's condition. */
export type Change =
  /** `replaces`: the object that a removed owner left at the key, which counts as free. */
  | { readonly does: "create"; readonly after: AnyObject; readonly replaces?: AnyObject }
  | { readonly does: "update"; readonly before: AnyObject; readonly after: AnyObject; readonly replaces?: AnyObject }
  /** `hasDependents`: objects that belong to it are left for the sweeper. */
  | { readonly does: "delete"; readonly before: AnyObject; readonly hasDependents: boolean };

/** A change that adds an object; `replaces` is the object that a removed owner left at its key. */
export function createChange(after: AnyObject, replaces?: AnyObject): Change {
  return { does: "create", after, ...(replaces && { replaces }) };
}

/** A change that removes an object, and with it all that it owns. */
export function deleteChange(before: AnyObject, hasDependents: boolean): Change {
  return { does: "delete", before, hasDependents };
}

type Fields<O> = Partial<{ [F in Exclude<keyof O, "kind" | "id" | "revision">]: O[F] | undefined }>;

/**
 * A change that sets fields of an object (`undefined` clears one); no change at all when every value is already there.
 * `replaces` is the object that a removed owner left at its new key.
 */
export function updateChanges<O extends ObjectByKind[keyof ObjectByKind]>(
  before: O,
  fields: Fields<O>,
  replaces?: AnyObject,
): readonly Change[] {
  const after: Record<string, unknown> = { ...before };
  let differs = false;
  for (const [name, value] of Object.entries(fields)) {
    if (isSameValue(after[name], value)) continue;
    differs = true;
    if (value === undefined) delete after[name];
    else after[name] = value;
  }
  // The loop above only sets fields of O to values of those fields.
  return differs
    ? [{ does: "update", before, after: after as unknown as AnyObject, ...(replaces && { replaces }) }]
    : [];
}

/** The refusal of an object whose key another one of its kind and scope has. */
export function createKeyTakenProblem(object: AnyObject): Problem {
  const noun = object.kind.replaceAll("_", " ");
  const { scope } = KINDS[object.kind];
  return new Problem("key_taken", `the key ${object.key} is taken by another ${noun}${scope}; choose another key`);
}
