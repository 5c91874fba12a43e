import type { TagDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";
import { keyChange, legalKeys, STRICT } from "../legal-key.ts";
import { below, originAt, type SourcePlace } from "../source-place.ts";
import { asName } from "../source-texts.ts";

/** A keyword at one place of a source. */
export interface Keyword {
  readonly text: string;
  readonly findings: Findings;
}

/** The keywords of one object of a source: trimmed, without blank ones; a member that is no text is a warning. */
export function readKeywords(source: JsonObject, findings: Findings): readonly Keyword[] {
  const { keywords } = source;
  if (isAbsent(keywords) || keywords === "") return [];
  if (!Array.isArray(keywords)) {
    findings.warn(
      "/keywords",
      "kept_as_property",
      `expected a list of texts, got ${jsonTypeOf(keywords)}; it is kept as a property`,
    );
    return [];
  }
  return keywords.flatMap((keyword: unknown, i): readonly Keyword[] => {
    const here = findings.at(`/keywords/${i}`);
    if (typeof keyword === "string") return keyword.trim() === "" ? [] : [{ text: keyword.trim(), findings: here }];
    if (!isAbsent(keyword))
      here.warn("", "kept_as_property", `expected a text, got ${jsonTypeOf(keyword)}; it is kept as a property`);
    return [];
  });
}

/** The local tags of a model that came of keywords. */
export interface KeywordTags {
  readonly tags: readonly TagDocument[];
  /** The tag links of an object with these keywords. */
  tagLinks(keywords: readonly Keyword[]): { readonly tags?: readonly string[] };
}

/** One tag for each keyword of a source, however often it stands there; a key that had to be made is a warning. */
export function keywordTags(all: readonly Keyword[], place: SourcePlace): KeywordTags {
  const first = new Map<string, Findings>();
  for (const { text, findings } of all) if (!first.has(text)) first.set(text, findings);
  const made = legalKeys([...first.keys()], STRICT);
  const keys = new Map<string, string>();
  const tags = [...first].map(([text, findings], i): TagDocument => {
    const key = made[i] ?? text;
    keys.set(text, key);
    const change = keyChange(text, key, STRICT);
    const origin = originAt(below(place, "keywords", text));
    if (change === undefined) return { key, ...origin };
    findings.warn("", "key_made", change);
    return { key, name: asName(text), ...origin };
  });
  return {
    tags,
    tagLinks: (keywords) => {
      const refs = new Set<string>();
      for (const { text, findings } of keywords) {
        const ref = `key:${keys.get(text) ?? text}`;
        if (refs.size < LIMITS.tagsPerObject) refs.add(ref);
        else if (!refs.has(ref))
          findings.warn(
            "",
            "not_carried_over",
            `an object has at most ${LIMITS.tagsPerObject} tags; this one marks less`,
          );
      }
      return refs.size > 0 ? { tags: [...refs].sort() } : {};
    },
  };
}
