import type { ModelDocument } from "../domain/document.ts";
import type { Count } from "../domain/fields/field.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Findings } from "./findings.ts";

/** The objects that refs of a document may name, each as `key:…`. */
export interface Defined {
  readonly type: ReadonlySet<string>;
  readonly entity: ReadonlySet<string>;
  /** The tags of the model and of groups. */
  readonly tag: ReadonlySet<string>;
  /** The attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The objects that a document defines. */
export function definedBy({ types, entities, localTags, tagGroups }: ModelDocument): Defined {
  const global = tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`));
  return {
    type: refsTo(types),
    entity: refsTo(entities),
    tag: new Set([...refsTo(localTags), ...global]),
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, refsTo(attributes)])),
  };
}

/** The refs that name these objects. */
export function refsTo(objects: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ key }) => `key:${key}`));
}

/** Checks that each ref of a list names one of these, and none of them twice. */
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

/** Checks the links of an object to tags: defined by the document, each once, and no more than an action would add. */
export function checkTagRefs(tags: readonly string[], { tag }: Defined, findings: Findings): void {
  checkRefs(tags, tag, "/tags", findings);
  checkCount(tags, { least: 0, most: LIMITS.tagsPerObject, noun: "an object", nouns: "tags" }, "/tags", findings);
}

/** Checks how many members a list has. */
export function checkCount(list: readonly unknown[], count: Count, place: string, findings: Findings): void {
  const { least, most, noun, nouns } = count;
  if (list.length >= least && list.length <= most) return;
  const range = least > 0 ? `${least} to ${most}` : `at most ${most}`;
  findings.fault(place, `${noun} has ${range} ${nouns}, not ${list.length}`);
}
