import type { EntityDocument, ModelDocument } from "../../domain/document/document.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import type { Properties } from "../../domain/values/properties.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { toName } from "../common/source-texts.ts";
import { indexTags } from "../common/writing/read-back.ts";
import { readKeywordTexts } from "./kept-members.ts";
import { findMapping, isTableType, LAYOUT, MEMBER_NAMES, NAMESPACE, type PartMembers } from "./profile-members.ts";

/** Warns about the parts of a model that Frictionless descriptors cannot express. */
export function warnUnwritten(document: ModelDocument, diagnostics: Diagnostics): void {
  const { types, entities, localTags, tagGroups, businessKeys, authority } = document;
  if (authority !== "system") diagnostics.warn("/authority", "not_written", "descriptors have no authority");
  for (const [i, { key, properties, ...others }] of types.entries()) {
    const hasTexts = Object.keys(others).some((member) => member !== "id") || properties !== undefined;
    if (hasTexts) diagnostics.warn(`/types/${i}`, "not_written", "types have no name, texts, tags and properties");
    else if (!isTableType(key))
      diagnostics.warn(`/types/${i}`, "not_written", "only types of the standard can be written");
  }
  for (const [i, tag] of localTags.entries()) {
    if (tag.description === undefined && tag.properties === undefined) continue;
    diagnostics.warn(`/localTags/${i}`, "not_written", "keywords have no description and no properties");
  }
  for (const [i, { name, description, properties }] of businessKeys.entries()) {
    if (name !== undefined || description !== undefined || properties !== undefined)
      diagnostics.warn(`/businessKeys/${i}`, "not_written", "unique keys have no name, description and properties");
  }
  if (tagGroups.length > 0) diagnostics.warn("/tagGroups", "not_written", "global tags cannot be written as keywords");
  warnGlobalTags(document, diagnostics);
  for (const [i, entity] of entities.entries()) warnGlobalTags(entity, diagnostics.at(`/entities/${i}`));
}

function warnGlobalTags({ tags = [] }: { readonly tags?: readonly string[] }, at: Diagnostics) {
  for (const [i, ref] of tags.entries()) {
    if (ref.includes("/")) at.warn(`/tags/${i}`, "not_written", "global tags cannot be written as keywords");
  }
}

/** Warns about texts of a model that differ from those of its only entity. */
export function warnOtherTexts(model: ModelDocument, entity: EntityDocument, diagnostics: Diagnostics): void {
  for (const member of ["key", "name", "description", "documentationHome"] as const) {
    if (model[member] === entity[member] || (member === "name" && model.name === entity.key)) continue;
    const detail = `a Table Schema has the ${member} of its entity, which differs from the model`;
    diagnostics.warn(`/${member}`, "not_written", detail);
  }
}

interface SplitProperties {
  readonly members: JsonObject;
  /** Original values of fixed members, written while they have the same meaning. */
  readonly extras: JsonObject;
}

const LAYOUT_PROPERTIES: ReadonlySet<string> = new Set([...Object.values(LAYOUT), MEMBER_NAMES]);

/** Splits properties into members. Warns about properties with the name of a fixed member. */
export function splitProperties(
  properties: Properties = {},
  part: PartMembers,
  diagnostics: Diagnostics,
): SplitProperties {
  const names = isObject(properties[MEMBER_NAMES]) ? properties[MEMBER_NAMES] : {};
  const members: Record<string, unknown> = {};
  const extras: Record<string, unknown> = {};
  const toRank = (property: string) => (property.startsWith(NAMESPACE) ? 0 : 1);
  for (const [property, value] of Object.entries(properties).toSorted(([a], [b]) => toRank(a) - toRank(b))) {
    if (LAYOUT_PROPERTIES.has(property)) continue;
    const originalName = Object.hasOwn(names, property) ? String(names[property]) : property;
    const isOwn = originalName.startsWith(NAMESPACE);
    const member = isOwn ? originalName.slice(NAMESPACE.length) : originalName;
    const mapping = findMapping(part, member);
    const isFixed = mapping === "constraint" || typeof mapping === "object";
    if (isFixed && isOwn) extras[member] = value;
    else if (isFixed || mapping === "none") {
      const path = `/properties/${escapePointerToken(property)}`;
      diagnostics.warn(path, "not_written", "the property has the name of another member");
    } else members[member] = value;
  }
  return { members, extras };
}

/** Returns the texts of the local tags of an object, in order. */
export function listTagTexts({ localTags }: ModelDocument, refs: readonly string[] = []): readonly string[] {
  if (refs.length === 0) return [];
  const positions = indexTags(localTags);
  const used = [...new Set(refs)].flatMap((ref) => positions.get(ref) ?? []);
  return used.sort((a, b) => a - b).flatMap((i) => localTags[i]?.name ?? localTags[i]?.key ?? []);
}

/** Returns true when the keywords of a source became exactly these tags. */
export function areSameKeywords(texts: readonly string[], ...values: readonly unknown[]): boolean {
  const names = new Set(values.flatMap(readKeywordTexts).map(toName));
  return isSameValue([...names].toSorted(), [...new Set(texts)].toSorted());
}

/** Returns the keywords for the tags of an object. */
export function toKeywords(document: ModelDocument, refs: readonly string[] | undefined, keywords: unknown): unknown {
  const texts = listTagTexts(document, refs);
  if (keywords !== undefined && areSameKeywords(texts, keywords)) return keywords;
  return texts.length > 0 ? texts : undefined;
}
