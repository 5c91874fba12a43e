import type { Asked } from "./action.ts";
import type { RefDocument } from "./document.ts";
import type { RefTag, RefTagGroup } from "./objects.ts";
import { ordered, type RefProperties } from "./properties.ts";
import type { RefChange } from "./write-result.ts";

/** The tags of groups that an import found or made for those of a document. */
export interface ImportedTags {
  /** The ids of the tags, by the refs the document names them with. */
  readonly ids: ReadonlyMap<string, string>;
  readonly changes: readonly RefChange[];
  /** JSON pointers of the tags and groups that were not carried over. */
  readonly warnings: readonly string[];
  readonly apply: () => void;
}

interface Described {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: RefProperties | undefined;
}

const differ = (a: Described, b: Described): boolean =>
  a.name !== b.name ||
  a.description !== b.description ||
  JSON.stringify(ordered(a.properties)) !== JSON.stringify(ordered(b.properties));

const kept = (properties: RefProperties | undefined) => properties && (ordered(properties) as RefProperties);

/** Finds them by their keys, and makes what is missing where the caller may. */
export function importTags(document: RefDocument, { tags, newId, person }: Asked): ImportedTags {
  const ids = new Map<string, string>();
  const changes: RefChange[] = [];
  const warnings: string[] = [];
  const nothing = { ids, changes, warnings, apply: () => undefined };
  if (document.tagGroups.length === 0) return nothing;
  const here = tags();
  const newGroups: RefTagGroup[] = [];
  const newTags: { readonly group: RefTagGroup; readonly tag: RefTag }[] = [];
  const marks = marksIn(document);
  const may = (permission: string): boolean => person?.permissions.has(permission) ?? false;
  for (const [i, source] of document.tagGroups.entries()) {
    const refTo = (key: string): string => `key:${source.key}/${key}`;
    const there = here.groups.find(({ key }) => key === source.key);
    let group = there;
    if (there && differ(there, source) && source.tags.some(({ key }) => marks.has(refTo(key)))) {
      warnings.push(`/tagGroups/${i}`);
    }
    for (const [j, { key, name, description, properties }] of source.tags.entries()) {
      const place = `/tagGroups/${i}/tags/${j}`;
      const known = there?.tags.find((tag) => tag.key === key);
      if (!marks.has(refTo(key))) warnings.push(place);
      else if (known) {
        ids.set(refTo(key), known.id);
        if (differ(known, { name, description, properties })) warnings.push(place);
      } else if (!may("tag_global_manage") || !(group || may("tag_group_manage"))) warnings.push(place);
      else {
        if (!group) {
          const { tags: _, ...own } = source;
          group = { ...own, id: newId(), properties: kept(own.properties), tags: [] };
          newGroups.push(group);
          changes.push({ change: "create", kind: "tag_group", id: group.id, key: group.key });
        }
        const tag = { id: newId(), key, name, description, properties: kept(properties) };
        newTags.push({ group, tag });
        changes.push({ change: "create", kind: "global_tag", id: tag.id, key });
        ids.set(refTo(key), tag.id);
      }
    }
  }
  const apply = (): void => {
    here.groups.push(...newGroups);
    for (const { group, tag } of newTags) group.tags.push(tag);
    if (changes.length > 0) here.revision += 1;
  };
  return { ids, changes, warnings, apply };
}

function marksIn({ tags = [], entities, relationships }: RefDocument): ReadonlySet<string> {
  const holders = [...entities, ...relationships];
  const marked = [...holders, ...holders.flatMap((holder) => holder.attributes)];
  return new Set([...tags, ...marked.flatMap((one) => one.tags ?? [])]);
}
