import type { ModelDocument } from "../../domain/document.ts";
import { asName } from "../source-texts.ts";
import { keywordTexts } from "./keyword-members.ts";
import { same } from "./lens.ts";

/** The texts of the local tags that mark an object, in order. */
export function tagTexts({ localTags }: ModelDocument, refs: readonly string[] = []): readonly string[] {
  const marked = new Set(refs);
  return localTags.filter(({ key }) => marked.has(`key:${key}`)).map(({ key, name }) => name ?? key);
}

/** True where keywords of a source, in one list or several, became just these tags. */
export function areKeywords(texts: readonly string[], ...kept: readonly unknown[]): boolean {
  const given = new Set(kept.flatMap(keywordTexts).map(asName));
  return same([...given].toSorted(), [...new Set(texts)].toSorted());
}

/** The keywords that the tags of an object are written as: those of its source where they are still the same. */
export function writtenKeywords(document: ModelDocument, refs: readonly string[] | undefined, kept: unknown): unknown {
  const texts = tagTexts(document, refs);
  if (kept !== undefined && areKeywords(texts, kept)) return kept;
  return texts.length > 0 ? texts : undefined;
}
