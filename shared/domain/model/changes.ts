import { KINDS } from "../kinds.ts";
import { Problem } from "../problems.ts";
import { isSameValue } from "../text/json-values.ts";
import type { AnyObject, ObjectByKind } from "./objects.ts";

/** Change of one object in a commit. `before` is the object that was read, and the condition of the write. */
export type Change =
  /** `replaces`: object of a deleted owner with the same key, which counts as free. */
  | { readonly does: "create"; readonly after: AnyObject; readonly replaces?: AnyObject }
  | { readonly does: "update"; readonly before: AnyObject; readonly after: AnyObject; readonly replaces?: AnyObject }
  /** `hasDependents`: owned objects are left for the sweeper. */
  | { readonly does: "delete"; readonly before: AnyObject; readonly hasDependents: boolean };

/** Creates the change that adds an object. */
export function createChange(after: AnyObject, replaces?: AnyObject): Change {
  return { does: "create", after, ...(replaces && { replaces }) };
}

/** Creates the change that deletes an object with everything it owns. */
export function deleteChange(before: AnyObject, hasDependents: boolean): Change {
  return { does: "delete", before, hasDependents };
}

type Fields<O> = Partial<{ [F in Exclude<keyof O, "kind" | "id" | "revision">]: O[F] | undefined }>;

/** Creates the change that sets fields; `undefined` clears one. */
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
  // The loop only assigns fields of O.
  return differs
    ? [{ does: "update", before, after: after as unknown as AnyObject, ...(replaces && { replaces }) }]
    : [];
}

/** Creates the problem for a key that another object of the same kind and scope has. */
export function createKeyTakenProblem(object: AnyObject): Problem {
  const noun = object.kind.replaceAll("_", " ");
  const { scope } = KINDS[object.kind];
  return new Problem("key_taken", `key ${object.key} is already used by another ${noun}${scope}; choose another key`);
}
