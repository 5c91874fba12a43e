import type { TagDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";
import { describeKeyChange, TAG_KEYS, toLegalKeys } from "./legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "./source-path.ts";
import { toName } from "./source-texts.ts";

/** A keyword with its position in the source. */
export interface Keyword {
  readonly text: string;
  readonly diagnostics: Diagnostics;
}

/** Reads the keywords of one object. Warns about values that are not texts. */
export function readKeywords(source: JsonObject, diagnostics: Diagnostics): readonly Keyword[] {
  const { keywords } = source;
  if (isAbsent(keywords) || keywords === "") return [];
  if (!Array.isArray(keywords)) {
    const detail = `expected a list of texts, got ${describeJsonType(keywords)}; it is kept as a property`;
    diagnostics.warn("/keywords", "kept_as_property", detail);
    return [];
  }
  return keywords.flatMap((keyword: unknown, i): readonly Keyword[] => {
    const at = diagnostics.at(`/keywords/${i}`);
    if (typeof keyword === "string") return keyword.trim() === "" ? [] : [{ text: keyword.trim(), diagnostics: at }];
    if (!isAbsent(keyword))
      at.warn("", "kept_as_property", `expected a text, got ${describeJsonType(keyword)}; it is kept as a property`);
    return [];
  });
}

/** The local tags made of keywords. */
export interface KeywordTags {
  readonly tags: readonly TagDocument[];
  linkTags(keywords: readonly Keyword[]): { readonly tags?: readonly string[] };
}

/** Creates one tag for each distinct keyword. */
export function createKeywordTags(all: readonly Keyword[], path: SourcePath): KeywordTags {
  const first = new Map<string, Diagnostics>();
  for (const { text, diagnostics } of all) if (!first.has(text)) first.set(text, diagnostics);
  const tagKeys = toLegalKeys([...first.keys()], TAG_KEYS);
  const keys = new Map<string, string>();
  const tags = [...first].map(([text, diagnostics], i): TagDocument => {
    const key = tagKeys[i] ?? text;
    keys.set(text, key);
    const change = describeKeyChange(text, key, TAG_KEYS);
    const origin = toOrigin(appendPath(path, "keywords", text));
    if (change === undefined) return { key, ...origin };
    diagnostics.warn("", "key_made", change);
    return { key, name: toName(text), ...origin };
  });
  return {
    tags,
    linkTags: (keywords) => {
      const refs = new Set<string>();
      for (const { text, diagnostics } of keywords) {
        const ref = `key:${keys.get(text) ?? text}`;
        const detail = `an object has at most ${LIMITS.tagsPerObject} tags; this tag was omitted for some objects`;
        if (refs.size < LIMITS.tagsPerObject) refs.add(ref);
        else if (!refs.has(ref)) diagnostics.warn("", "not_carried_over", detail);
      }
      return refs.size > 0 ? { tags: [...refs].sort() } : {};
    },
  };
}
