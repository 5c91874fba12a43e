import type { Fields } from "../domain/fields/field.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import type { Findings } from "./findings.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import { lengthOf, listOf, type ModelJsonForm } from "./model-json-form.ts";

/** An object of a source, under the key it will have, with the objects in its lists. */
export interface SourceObject {
  readonly source: JsonObject;
  readonly key: string;
  readonly findings: Findings;
  /** The objects in its lists, by member. */
  readonly parts: ReadonlyMap<string, readonly SourceObject[]>;
}

/** Counts the objects that the lists of an object would make, however deep; tag groups and roles make none in the model. */
export function partsOf(source: JsonObject, fields: Fields): number {
  let count = 0;
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || !field.compared) continue;
    count += lengthOf(source[member]);
    const list: unknown = source[member];
    if (!Array.isArray(list) || !hasChildren(field.fields)) continue;
    for (const part of list) if (isObject(part)) count += partsOf(part, field.fields);
  }
  return count;
}

function hasChildren(fields: Fields): boolean {
  return Object.values(fields).some(({ is }) => is === "children");
}

/** The objects in the lists of an object, however deep; a fault for each that has no key. */
export function readPartsOf(
  source: JsonObject,
  fields: Fields,
  form: ModelJsonForm,
  findings: Findings,
): ReadonlyMap<string, readonly SourceObject[]> {
  const parts = new Map<string, readonly SourceObject[]>();
  for (const [member, field] of Object.entries(fields)) {
    if ((field.is === "nested" || field.is === "children") && form.reads(member)) {
      parts.set(member, keyed(source, member, field.fields, form, findings));
    }
  }
  return parts;
}

/** The objects of a list that have a key, keys made legal where the form asks for it. */
function keyed(
  holder: JsonObject,
  member: string,
  fields: Fields,
  form: ModelJsonForm,
  findings: Findings,
): readonly SourceObject[] {
  const found = listOf(holder, member, findings).flatMap((source: unknown, i) => {
    const here = findings.at(`/${member}/${i}`);
    if (isObject(source) && typeof source.key === "string") return [{ source, key: source.key, findings: here }];
    if (isObject(source)) here.fault("/key", "expected a text that is the key");
    else here.fault("", `expected an object, got ${jsonTypeOf(source)}`);
    return [];
  });
  const keys = form.texts.keys(
    found.map(({ key }) => key),
    (i) => found[i]?.findings ?? findings,
  );
  return found.map((one, i) => ({
    ...one,
    key: keys[i] ?? one.key,
    parts: readPartsOf(one.source, fields, form, one.findings),
  }));
}
