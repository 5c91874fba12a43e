import { pointerToken } from "../domain/well-formed.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";

/** The members of one object of a source that are read or explained; every other member is a warning. */
export interface KnownMembers {
  /** Members that are read, or that only say which format this is. */
  readonly read: ReadonlySet<string>;
  /** Members with a better sentence than "is not carried over". */
  readonly sentences?: { readonly [member: string]: string };
  /** Values that say nothing beyond the format's default. */
  readonly defaults?: { readonly [member: string]: unknown };
}

/** Notes a warning for each member of an object that is not carried over; empty values lose nothing and are skipped. */
export function warnUnread(source: JsonObject, known: KnownMembers, findings: Findings): void {
  for (const [member, value] of Object.entries(source)) {
    if (known.read.has(member) || isEmpty(value)) continue;
    if (known.defaults && Object.hasOwn(known.defaults, member) && same(known.defaults[member], value)) continue;
    const sentence = known.sentences && Object.hasOwn(known.sentences, member) ? known.sentences[member] : undefined;
    findings.warn(`/${pointerToken(member)}`, "not_carried_over", sentence ?? "is not carried over");
  }
}

/** Notes a warning for each entry of a list that is not carried over, or for the member when it is no list. */
export function warnEntries(source: JsonObject, member: string, sentence: string, findings: Findings): void {
  const value = source[member];
  if (isEmpty(value)) return;
  if (!Array.isArray(value)) findings.warn(`/${member}`, "not_carried_over", sentence);
  else for (const i of value.keys()) findings.warn(`/${member}/${i}`, "not_carried_over", sentence);
}

/** True for a value that says nothing. */
export function isEmpty(value: unknown): boolean {
  return isAbsent(value) || value === "" || (Array.isArray(value) && value.length === 0);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
