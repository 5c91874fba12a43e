import { isAbsent, type JsonObject } from "../json-object.ts";
import { asName } from "../source-texts.ts";

/** The texts of keywords that become tags: trimmed, without blank ones, each once. */
export function keywordTexts(keywords: unknown): readonly string[] {
  const texts = Array.isArray(keywords) ? keywords.filter((keyword) => typeof keyword === "string") : [];
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
}

/**
 * The member `keywords` where its tags would not give it back: they would not be told from those of the package around it, or not
 * be written in the same way. Their order does not count.
 */
export function keptKeywords({ keywords }: JsonObject, around: readonly string[] = []): JsonObject {
  if (isAbsent(keywords)) return {};
  const texts = keywordTexts(keywords);
  const isGivenBack = Array.isArray(keywords) && keywords.length === texts.length && keywords.every(isWritten);
  const isTold = texts.length > 0 && texts.toSorted().join("\n") !== around.toSorted().join("\n");
  return isGivenBack && isTold ? {} : { keywords };
}

/** True for a keyword that the name or the key of its tag is written as. */
function isWritten(keyword: unknown): boolean {
  return typeof keyword === "string" && keyword.trim() === keyword && asName(keyword) === keyword;
}
