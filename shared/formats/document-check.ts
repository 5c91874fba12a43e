import * as z from "zod/mini";
import type { ModelDocument } from "../domain/document/document.ts";
import type { Count, Field, Fields, PairsField, RefsField } from "../domain/fields/field.ts";
import { modelFields } from "../domain/fields/model-fields.ts";
import { LIMITS } from "../domain/limits.ts";
import type { KeyPair } from "../domain/refs.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import type { ValueType } from "../domain/values/value-type.ts";
import { modelKey } from "../domain/values/value-types.ts";
import type { Diagnostics } from "./common/diagnostics.ts";

/** Checks a document against the fields of its kinds: values, unique keys and refs. */
export function checkDocument(document: ModelDocument, diagnostics: Diagnostics): void {
  checkValue(document.key, "key", modelKey, diagnostics);
  checkFields(document, modelFields, indexDefinitions(document), diagnostics);
}

interface DocumentObject {
  readonly key: string;
}

function checkFields(object: DocumentObject, fields: Fields, definedRefs: DefinedRefs, diagnostics: Diagnostics) {
  for (const [member, field] of Object.entries(fields)) {
    const value = (object as unknown as Readonly<Record<string, unknown>>)[member];
    if (value !== undefined) checkMember(value, member, field, object, definedRefs, diagnostics);
  }
}

function checkMember(
  value: unknown,
  member: string,
  field: Field,
  object: DocumentObject,
  definedRefs: DefinedRefs,
  diagnostics: Diagnostics,
) {
  const path = `/${member}`;
  switch (field.is) {
    case "value":
    case "json":
      checkValue(value, member, field.type, diagnostics);
      return;
    case "ref":
      if (definedRefs[field.to].has(value as string)) return;
      diagnostics.reject(`/${member}`, `the model has no ${field.to} ${JSON.stringify(value)}`);
      return;
    case "refs": {
      const refs = value as readonly string[];
      const own = findAttributes(object, field, definedRefs);
      checkCount(refs, field.count, path, diagnostics);
      // An unknown entity is already reported.
      if (own) checkRefs(refs, own, path, diagnostics);
      return;
    }
    case "pairs":
      checkPairs(value as readonly KeyPair[], readPairSides(object, field), field, path, definedRefs, diagnostics);
      return;
    case "tags":
      checkRefs(value as readonly string[], definedRefs.tag, path, diagnostics);
      checkCount(value as readonly string[], TAG_COUNT, path, diagnostics);
      return;
    case "nested":
    case "children":
      if (field.is === "nested") checkCount(value as readonly DocumentObject[], field.count, path, diagnostics);
      checkObjects(value as readonly DocumentObject[], path, field, definedRefs, diagnostics);
      return;
    case "internal":
  }
}

function readPairSides(object: DocumentObject, { of }: PairsField): readonly { readonly entity: string }[] {
  return (object as unknown as Readonly<Record<string, readonly { readonly entity: string }[]>>)[of] ?? [];
}

function findAttributes(
  object: DocumentObject,
  { of }: RefsField,
  { attributes }: DefinedRefs,
): ReadonlySet<string> | undefined {
  const { attributes: own = [], entity = "" } = object as AttributeOwner;
  return of === "itself" ? toRefs(own) : attributes.get(entity);
}

interface AttributeOwner extends DocumentObject {
  readonly attributes?: readonly DocumentObject[];
  readonly entity?: string;
}

function checkObjects(
  parts: readonly DocumentObject[],
  path: string,
  { key, fields }: { readonly key: ValueType<string>; readonly fields: Fields },
  definedRefs: DefinedRefs,
  diagnostics: Diagnostics,
) {
  const first = new Map<string, number>();
  for (const [i, part] of parts.entries()) {
    const partDiagnostics = diagnostics.at(`${path}/${i}`);
    checkValue(part.key, "key", key, partDiagnostics);
    const firstIndex = first.get(part.key);
    if (firstIndex === undefined) first.set(part.key, i);
    else partDiagnostics.reject("/key", `the key ${JSON.stringify(part.key)} is used by ${path}/${firstIndex}`);
    checkFields(part, fields, definedRefs, partDiagnostics);
  }
}

function checkValue(value: unknown, member: string, type: ValueType<unknown>, diagnostics: Diagnostics) {
  const result = z.safeParse(type.schema(), value);
  if (result.success) return;
  const [first, ...others] = result.error.issues;
  for (const issue of [first, ...others.filter(({ path }) => path.length > 0)]) {
    const path = (issue?.path ?? []).map((step) => `/${escapePointerToken(step)}`).join("");
    diagnostics.reject(`/${member}${path}`, issue?.message ?? `is not a valid ${type.id}`);
  }
}

interface DefinedRefs {
  readonly type: ReadonlySet<string>;
  readonly entity: ReadonlySet<string>;
  readonly tag: ReadonlySet<string>;
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>;
}

function indexDefinitions({ types, entities, localTags, tagGroups }: ModelDocument): DefinedRefs {
  const globalRefs = tagGroups.flatMap(({ key, tags }) => tags.map((tag) => `key:${key}/${tag.key}`));
  return {
    type: toRefs(types),
    entity: toRefs(entities),
    tag: new Set([...toRefs(localTags), ...globalRefs]),
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, toRefs(attributes)])),
  };
}

function toRefs(objects: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ key }) => `key:${key}`));
}

function checkRefs(refs: readonly string[], targets: ReadonlySet<string>, path: string, diagnostics: Diagnostics) {
  const visitedRefs = new Set<string>();
  for (const [i, ref] of refs.entries()) {
    if (!targets.has(ref))
      diagnostics.reject(`${path}/${i}`, `${JSON.stringify(ref)} refers to nothing in the document`);
    else if (visitedRefs.has(ref)) diagnostics.reject(`${path}/${i}`, `${JSON.stringify(ref)} is listed twice`);
    visitedRefs.add(ref);
  }
}

const TAG_COUNT: Count = { least: 0, most: LIMITS.tagsPerObject, noun: "an object", nouns: "tags" };

/** Checks the length of a list. */
export function checkCount(list: readonly unknown[], count: Count, path: string, diagnostics: Diagnostics): void {
  const { least, most, noun, nouns } = count;
  if (list.length >= least && list.length <= most) return;
  const range = least > 0 ? `${least} to ${most}` : `at most ${most}`;
  diagnostics.reject(path, `${noun} has ${range} ${nouns}, not ${list.length}`);
}

function checkPairs(
  pairs: readonly KeyPair[],
  sides: readonly { readonly entity: string }[],
  { count }: PairsField,
  path: string,
  { attributes }: DefinedRefs,
  diagnostics: Diagnostics,
) {
  checkCount(pairs, count, path, diagnostics);
  if (sides.length !== 2) {
    diagnostics.reject(path, `key pairs require two roles, not ${sides.length}`);
    return;
  }
  const visitedNames = new Set<string>();
  for (const [i, pair] of pairs.entries()) {
    for (const [j, { entity }] of sides.entries()) {
      const isKnown = attributes.get(entity)?.has(pair[j] ?? "") ?? true;
      if (!isKnown)
        diagnostics.reject(`${path}/${i}/${j}`, `${JSON.stringify(pair[j])} is not an attribute of ${entity}`);
    }
    const name = JSON.stringify(pair);
    if (visitedNames.has(name)) diagnostics.reject(`${path}/${i}`, "the pair is listed twice");
    visitedNames.add(name);
  }
}
