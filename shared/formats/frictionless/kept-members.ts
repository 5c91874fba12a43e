import { findBuiltInFault } from "../../domain/model/property-definitions.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findMisspelling } from "../../domain/text/suggestions.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { toName } from "../common/source-texts.ts";
import { findMapping, NAMESPACE, type PartMembers } from "./profile-members.ts";

/** Returns the members that become properties, under legal names. Warns about typos and misplaced members. */
export function keepMembers(
  source: JsonObject,
  members: PartMembers,
  diagnostics: Diagnostics,
  innerMembers: PartMembers = {},
): readonly KeptValue[] {
  return Object.entries(source).flatMap(([member, value]): readonly KeptValue[] => {
    const mapping = findMapping(members, member);
    const at = diagnostics.at(`/${escapePointerToken(member)}`);
    if (mapping === "own") return [{ name: NAMESPACE + member, value, diagnostics: at }];
    if (mapping === "none") {
      if (!isAbsent(value)) at.warn("", "not_carried_over", "the data itself is not imported");
      return [];
    }
    if (mapping !== undefined && mapping !== "well-known") return [];
    if (mapping === undefined) warnUnknown(member, members, innerMembers, at);
    const fault = findBuiltInFault(member, value);
    if (fault === undefined) return [{ name: member, value, diagnostics: at }];
    const name = NAMESPACE + member;
    at.warn("", "kept_as_property", `does not fit the property ${member} (${fault}), so it is kept as ${name}`);
    return [{ name, value, diagnostics: at }];
  });
}

function warnUnknown(member: string, members: PartMembers, innerMembers: PartMembers, diagnostics: Diagnostics) {
  if (findMapping(innerMembers, member) !== undefined) {
    diagnostics.warn("", "kept_as_property", `${member} belongs into the schema; it is kept as a property`);
    return;
  }
  const suggestion = findMisspelling(member, [...Object.keys(members), ...Object.keys(innerMembers)]);
  const detail = `${member} is not a member of the standard. Did you mean ${suggestion}? It is kept as a property`;
  if (suggestion !== undefined) diagnostics.warn("", "likely_typo", detail);
}

/** Returns the keywords that become tags: trimmed, not blank, distinct. */
export function readKeywordTexts(keywords: unknown): readonly string[] {
  const texts = Array.isArray(keywords) ? keywords.filter((keyword) => typeof keyword === "string") : [];
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
}

/** Keeps `keywords` if tags cannot restore them: equal to those of the package, or written differently. */
export function keepKeywords({ keywords }: JsonObject, packageKeywords: readonly string[] = []): JsonObject {
  if (isAbsent(keywords)) return {};
  const texts = readKeywordTexts(keywords);
  const isGivenBack =
    Array.isArray(keywords) &&
    keywords.length === texts.length &&
    texts.every((text, i) => keywords[i] === text && toName(text) === text);
  const isOwn = texts.length > 0 && texts.toSorted().join("\n") !== packageKeywords.toSorted().join("\n");
  return isGivenBack && isOwn ? {} : { keywords };
}
