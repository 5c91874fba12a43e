import { createMissingProblem } from "../../domain/apply/parts.ts";
import type { GlobalTagDocument, ModelDocument, TagGroupDocument } from "../../domain/document/document.ts";
import type { GlobalTagIds, NextId } from "../../domain/document/read-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange } from "../../domain/model/changes.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import type { GlobalTag, TagGroup } from "../../domain/model/objects.ts";
import type { Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { serializeProperties } from "../../domain/values/properties.ts";
import { createWarningCollector, type Warning, type WarningCode } from "../../domain/warnings.ts";
import type { Call } from "../contract/call.ts";
import type { Commit } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";

/** The ids of the global tags of a document, and the changes that create missing ones. */
export interface ImportedTags {
  readonly ids: GlobalTagIds;
  readonly changes: readonly Change[];
  readonly warnings: readonly Warning[];
}

/**
 * Finds the global tags of a document and creates missing ones; warns if the caller may not. Throws `too_large`, and
 * `invalid_content` for a missing tag that the document only refers to.
 */
export async function importTags(
  document: ModelDocument,
  ledger: () => Promise<ReadView>,
  { principal, nextId }: Call,
): Promise<ImportedTags> {
  const ids = new Map<string, string>();
  const changes: Change[] = [];
  const warnings = createWarningCollector();
  const missing: { readonly key: string; readonly pointer: string }[] = [];
  if (document.tagGroups.length === 0) return { ids, changes, warnings: [] };
  const existing = await indexTags(await ledger());
  const links = collectTagRefs(document);
  const mayCreate = (permission: Permission) => principal?.permissions.has(permission) ?? false;
  for (const [i, group] of document.tagGroups.entries()) {
    const warn = (path: string, code: WarningCode, detail: string) => {
      warnings.add(code, detail, `/tagGroups/${i}${path}`);
    };
    const isLinked = group.tags.map((tag) => links.has(`key:${group.key}/${tag.key}`));
    let owner = existing.groups.get(group.key);
    if (owner && isLinked.includes(true) && isDifferent(owner, group)) warn("", "tag_kept", describeKept("tag group"));
    for (const [j, tag] of group.tags.entries()) {
      const path = `/tags/${j}`;
      const name = `${group.key}/${tag.key}`;
      const match = owner && existing.tags.get(`${owner.id}/${tag.key}`);
      if (!isLinked[j]) {
        warn(path, "not_carried_over", "the tag is not attached to anything in the document; it is not imported");
      } else if (match) {
        ids.set(`key:${name}`, match.id);
        if (isDifferent(match, tag)) warn(path, "tag_kept", describeKept("tag"));
      } else if (tag.expectedBy !== undefined) {
        missing.push({ key: name, pointer: tag.expectedBy });
      } else if (!mayCreate("tag_global_manage") || (!owner && !mayCreate("tag_group_manage"))) {
        const permissions = owner ? "tag_global_manage" : "tag_group_manage and tag_global_manage";
        const detail = `tag ${name} does not exist, and creating it requires ${permissions}; its links are not imported`;
        warn(path, "not_carried_over", detail);
      } else {
        if (!owner) {
          owner = { kind: "tag_group", ...toNewObject(group, nextId) };
          changes.push(createChange(owner));
        }
        const fresh: GlobalTag = { kind: "global_tag", ...toNewObject(tag, nextId), owner: owner.id };
        changes.push(createChange(fresh));
        ids.set(`key:${name}`, fresh.id);
      }
    }
  }
  if (missing.length > 0) throw createMissingProblem(missing, "the service");
  checkTagCount(changes.length);
  return { ids, changes, warnings: warnings.listRows() };
}

/** Returns the members of a commit that also makes these changes in the ledger of tags. */
export async function createTagPart(
  changes: readonly Change[],
  tags: () => Promise<ReadView>,
): Promise<Partial<Commit>> {
  if (changes.length === 0) return {};
  const view = await tags();
  // The revision that the model gets includes the tags that are created with it.
  return { alongside: [{ view, changes }], tagsSeen: view.revision + 1, publish: true };
}

interface ExistingTags {
  readonly groups: ReadonlyMap<string, TagGroup>;
  readonly tags: ReadonlyMap<string, GlobalTag>;
}

async function indexTags(ledger: ReadView): Promise<ExistingTags> {
  const groups = new Map<string, TagGroup>();
  const tags = new Map<string, GlobalTag>();
  for (const object of await ledger.readObjects()) {
    if (object.kind === "tag_group") groups.set(object.key, object);
    if (object.kind === "global_tag") tags.set(`${object.owner}/${object.key}`, object);
  }
  return { groups, tags };
}

function collectTagRefs({ tags = [], entities, relationships }: ModelDocument): ReadonlySet<string> {
  const holders = [...entities, ...relationships];
  const objects = [...holders, ...holders.flatMap((holder) => holder.attributes)];
  return new Set([...tags, ...objects.flatMap((one) => one.tags ?? [])]);
}

function toNewObject({ key, name, description, properties }: GlobalTagDocument | TagGroupDocument, nextId: NextId) {
  return omitUndefined({
    ...{ id: nextId(), key, revision: 0, name, description },
    properties: serializeProperties(properties),
  });
}

function isDifferent(one: TagGroup | GlobalTag, other: GlobalTagDocument | TagGroupDocument) {
  if (other.expectedBy !== undefined) return false;
  const texts = one.name !== other.name || one.description !== other.description;
  return texts || one.properties !== serializeProperties(other.properties);
}

function describeKept(noun: string) {
  return `the existing ${noun} keeps its name, description and properties, which differ from the document`;
}

function checkTagCount(count: number) {
  if (count <= LIMITS.importedGlobalTags) return;
  throw new Problem(
    "too_large",
    `The source needs ${count} new tag groups and global tags; ` +
      `one import may create at most ${LIMITS.importedGlobalTags}. ` +
      `Create some of them first with tag_group_create and tag_global_create`,
  );
}
