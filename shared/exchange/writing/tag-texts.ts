import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { legalKey, STRICT } from "../legal-key.ts";
import { keyIn } from "./model-tables.ts";

/** The texts of the local tags of an object, as a reader makes the same tags of them again. */
export function tagTexts({ localTags }: ModelDocument, refs: readonly string[] = []): readonly string[] {
  return refs
    .filter((ref) => !ref.includes("/"))
    .map((ref) => {
      const { key, name } = localTags.find((tag) => tag.key === keyIn(ref)) ?? { key: keyIn(ref), name: undefined };
      return name !== undefined && legalKey(name, STRICT) === key ? name : key;
    });
}

/** Warns of local tags that mark nothing, and of names that the texts of tags do not say. */
export function warnTags(
  document: ModelDocument,
  format: string,
  holders: readonly { readonly tags?: readonly string[] }[],
  findings: Findings,
): void {
  const used = new Set(holders.flatMap(({ tags = [] }) => tags));
  for (const [i, { key, name }] of document.localTags.entries()) {
    const at = findings.at(`/localTags/${i}`);
    if (!used.has(`key:${key}`)) at.warn("", "not_written", `${format} has no tags that mark nothing`);
    else if (name !== undefined && name !== key && legalKey(name, STRICT) !== key) {
      at.warn("/name", "not_written", `${format} has no names of tags`);
    }
  }
}
