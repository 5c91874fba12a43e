import type { TagDocument, TagGroupDocument } from "../domain/document.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { warnUnread } from "./members.ts";
import { described, keyed, listOf, type ModelJsonForm, type ReadMarks } from "./model-json-form.ts";
import { type Keyed, referable } from "./model-json-refs.ts";

/** The tags a document defines, and how its objects are marked with them. */
export interface TagsRead {
  readonly localTags: readonly TagDocument[];
  /** In the order of the source, in which warnings about them are placed. */
  readonly tagGroups: readonly TagGroupDocument[];
  readonly marks: ReadMarks;
}

/** Reads `localTags` and `tagGroups` of a form that defines its tags; of another one nothing, and no mark either. */
export function readTags(source: JsonObject, form: ModelJsonForm, findings: Findings): TagsRead {
  if (!form.definesTags) return { localTags: [], tagGroups: [], marks: () => ({}) };
  const local = keyed(source, "localTags", form, findings);
  const groups = keyed(source, "tagGroups", form, findings).map((group) => ({
    group,
    tags: keyed(group.source, "tags", form, group.findings),
  }));
  const refs = referable([...local, ...groups.flatMap(({ group, tags }) => tags.map((tag) => inGroup(group, tag)))]);
  const tagOf = (tag: Keyed): TagDocument => {
    warnUnread(tag.source, form.members.tag, tag.findings);
    return described(tag, form);
  };
  return {
    localTags: local.map(tagOf),
    tagGroups: groups.map(({ group, tags }) => {
      warnUnread(group.source, form.members.tagGroup, group.findings);
      return { ...described(group, form), tags: tags.map(tagOf) };
    }),
    marks: (holder, here) => {
      const named = listOf(holder, "tags", here).map((ref, i) =>
        refs.resolve(ref, `/tags/${i}`, "tag that the document defines", here),
      );
      return named.length > 0 ? { tags: named } : {};
    },
  };
}

/** A tag of a group under the key that refs name it with. */
function inGroup(group: Keyed, { source, findings }: Keyed): Keyed {
  const key = `${group.key}/${String(source.key)}`;
  return { source: { id: source.id, key }, key, findings };
}
