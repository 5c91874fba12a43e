import { findBuiltInFault } from "../../domain/model/property-definitions.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findMisspelling } from "../../domain/text/suggestions.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { toName } from "../common/source-texts.ts";
import { findMemberPlace, NAMESPACE, type PartMembers } from "./profile-members.ts";

/**
 * The members of a part of a descriptor that become properties: those of the standard under its namespace or as a well-known
 * property, all others under their own names. A member that looks like a known one is a warning, and so is one that belongs into
 * the part with the members of `inner`.
 */
export function keepMembers(
  source: JsonObject,
  members: PartMembers,
  diagnostics: Diagnostics,
  inner: PartMembers = {},
): readonly KeptValue[] {
  return Object.entries(source).flatMap(([member, value]): readonly KeptValue[] => {
    const place = findMemberPlace(members, member);
    const here = diagnostics.at(`/${escapePointerToken(member)}`);
    if (place === "own") return [{ name: NAMESPACE + member, value, diagnostics: here }];
    if (place === "none") {
      if (!isAbsent(value)) here.warn("", "not_carried_over", "the data itself is not carried over");
      return [];
    }
    if (place !== undefined && place !== "well-known") return [];
    if (place === undefined) warnUnknown(member, members, inner, here);
    const fault = findBuiltInFault(member, value);
    if (fault === undefined) return [{ name: member, value, diagnostics: here }];
    const name = NAMESPACE + member;
    here.warn("", "kept_as_property", `does not fit the property ${member} (${fault}), so it is kept as ${name}`);
    return [{ name, value, diagnostics: here }];
  });
}

function warnUnknown(member: string, members: PartMembers, inner: PartMembers, diagnostics: Diagnostics): void {
  if (findMemberPlace(inner, member) !== undefined) {
    diagnostics.warn(
      "",
      "kept_as_property",
      `${member} belongs into the schema and not beside it; it is kept as a property`,
    );
    return;
  }
  const meant = findMisspelling(member, [...Object.keys(members), ...Object.keys(inner)]);
  if (meant === undefined) return;
  diagnostics.warn("", "likely_typo", `${member} is no member of the standard; ${meant} is. It is kept as a property`);
}

/** The texts of keywords that become tags: trimmed, without blank ones, each once. */
export function readKeywordTexts(keywords: unknown): readonly string[] {
  const texts = Array.isArray(keywords) ? keywords.filter((keyword) => typeof keyword === "string") : [];
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
}

/**
 * The member `keywords` where its tags would not give it back: they would not be told from those of the package around it, or not
 * be written in the same way. Their order does not count.
 */
export function keepKeywords({ keywords }: JsonObject, around: readonly string[] = []): JsonObject {
  if (isAbsent(keywords)) return {};
  const texts = readKeywordTexts(keywords);
  const isGivenBack = Array.isArray(keywords) && keywords.length === texts.length && keywords.every(isWrittenUnchanged);
  const isTold = texts.length > 0 && texts.toSorted().join("\n") !== around.toSorted().join("\n");
  return isGivenBack && isTold ? {} : { keywords };
}

/** True for a keyword that the name or the key of its tag is written as. */
function isWrittenUnchanged(keyword: unknown): boolean {
  return typeof keyword === "string" && keyword.trim() === keyword && toName(keyword) === keyword;
}
