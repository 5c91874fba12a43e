import * as z from "zod/mini";
import { LIMITS } from "../domain/limits.ts";
import type { ValueType } from "../domain/value-type.ts";
import { markdown, singleLine } from "../domain/value-types.ts";
import type { Findings } from "./findings.ts";

interface Described {
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

/** Keys and texts of the objects of one scope, and that no two keys are equal. */
export function checkAll(
  objects: readonly Described[],
  place: string,
  key: ValueType<string>,
  findings: Findings,
): void {
  const first = new Map<string, number>();
  for (const [i, object] of objects.entries()) {
    const here = findings.at(`${place}/${i}`);
    check(object, "key", key, here);
    check(object, "name", singleLine, here);
    check(object, "description", markdown, here);
    const twin = first.get(object.key);
    if (twin === undefined) first.set(object.key, i);
    else here.fault("/key", `the key ${JSON.stringify(object.key)} is taken by ${place}/${twin}`);
  }
}

/** That each ref of a list names something of these, and none of them twice. */
export function checkRefs(
  refs: readonly string[],
  known: ReadonlySet<string>,
  place: string,
  findings: Findings,
): void {
  const named = new Set<string>();
  for (const [i, ref] of refs.entries()) {
    if (!known.has(ref)) findings.fault(`${place}/${i}`, `${JSON.stringify(ref)} names nothing in the document`);
    else if (named.has(ref)) findings.fault(`${place}/${i}`, `${JSON.stringify(ref)} is named twice`);
    named.add(ref);
  }
}

/** The tags something is marked with: defined by the document, each once, and no more than an action would add. */
export function checkMarks(tags: readonly string[] | undefined, known: ReadonlySet<string>, findings: Findings): void {
  checkRefs(tags ?? [], known, "/tags", findings);
  if (tags && tags.length > LIMITS.tagsPerObject) {
    findings.fault("/tags", `an object has at most ${LIMITS.tagsPerObject} tags, not ${tags.length}`);
  }
}

/** An origin may be of a scheme that cannot be linked to, so it is held to the length of a URL and to one line only. */
export function checkOrigin(holder: { readonly origin?: string }, findings: Findings): void {
  const { origin } = holder;
  if (origin === undefined) return;
  if (origin.trim() === "" || /\s/.test(origin) || origin.length > LIMITS.urlCharacters) {
    findings.fault("/origin", `an origin is a URI of at most ${LIMITS.urlCharacters} characters`);
  }
}

/** One member against the type that an action would take there. */
export function check<M extends string>(
  object: { readonly [K in M]?: string },
  member: M,
  type: ValueType<unknown>,
  findings: Findings,
): void {
  const value = object[member];
  if (value === undefined) return;
  const result = z.safeParse(type.schema(), value);
  if (!result.success) findings.fault(`/${member}`, result.error.issues[0]?.message ?? `is no ${type.id}`);
}
