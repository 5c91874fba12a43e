import { KINDS } from "./kinds.ts";
import type { AnyObject } from "./objects.ts";
import { Problem } from "./problems.ts";

/** The refusal of an object whose key another one of its kind and scope has. */
export function keyTaken(object: AnyObject): Problem {
  const noun = object.kind.replaceAll("_", " ");
  const { scope } = KINDS[object.kind];
  return new Problem("key_taken", `the key ${object.key} is taken by another ${noun}${scope}; choose another key`);
}
