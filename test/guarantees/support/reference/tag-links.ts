import { type Asked, need, type RefAction } from "./action.ts";
import type { RefMarked, RefTag, RefTags } from "./objects.ts";
import { Refusal } from "./problem.ts";
import { spellings, tagName } from "./tag-refs.ts";
import type { RefChange } from "./write-result.ts";
import { written } from "./writes.ts";

/** A global tag under the key that refs write. */
export function globalTags({ groups }: RefTags): readonly (RefTag & { readonly shown: string })[] {
  return groups.flatMap((group) => group.tags.map((tag) => ({ ...tag, shown: `${group.key}/${tag.key}` })));
}

/** The member of a row that shows what marks an object; whatever is gone is not shown. */
export function shownTags(marked: RefMarked, { model, tags }: Pick<Asked, "model" | "tags">) {
  const local = model.localTags.filter(({ id }) => marked.tags.includes(id)).map((tag) => ({ ...tag, shown: tag.key }));
  const all = marked.globalTags.length > 0 ? globalTags(tags()) : [];
  const global = all.filter(({ id }) => marked.globalTags.includes(id));
  const rows = [...local, ...global].map(({ id, shown, name }) => ({ id, key: shown, name }));
  return { tags: rows.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

/** The tag a ref names: one of the model, otherwise one of a group. */
function markOf(ref: string, { model, tags }: Asked): { readonly member: keyof RefMarked; readonly id: string } {
  const { id, key, group, model: ofModel } = tagName(ref) ?? {};
  const isHere = group === undefined && (ofModel === undefined || ofModel === model.id);
  const local = isHere && model.localTags.find((tag) => (id === undefined ? tag.key === key : tag.id === id));
  if (local) return { member: "tags", id: local.id };
  const wanted = (tag: RefTag & { readonly shown: string }) =>
    id === undefined ? tag.shown === `${group}/${key}` : tag.id === id;
  const global = id !== undefined || group !== undefined ? globalTags(tags()).find(wanted) : undefined;
  if (global) return { member: "globalTags", id: global.id };
  throw new Refusal("not_found", { mentions: spellings(ref) });
}

/** The tags that mark an object, without those that are gone: a change of its tags drops them. */
function living(marked: RefMarked, { model, tags }: Asked): RefMarked {
  const all = marked.globalTags.length > 0 ? globalTags(tags()) : [];
  return {
    tags: marked.tags.filter((id) => model.localTags.some((tag) => tag.id === id)),
    globalTags: marked.globalTags.filter((id) => all.some((tag) => tag.id === id)),
  };
}

type Tagged = RefMarked & { readonly id: string; readonly key: string };

function remarked(asked: Asked, kind: RefChange["kind"], object: Tagged, adds: boolean) {
  const { member, id: tag } = markOf(String(asked.input.tagRef), asked);
  const { id, key } = object;
  if (object[member].includes(tag) === adds) return written(asked.model, object, [], () => undefined);
  const after = living(object, asked);
  const list = adds ? [...after[member], tag] : after[member].filter((one) => one !== tag);
  return written(asked.model, object, [{ change: "update", kind, id, key }], () =>
    Object.assign(object, { ...after, [member]: list.sort() }),
  );
}

const inModel = { modelRef: need("ModelRef") };
const inEntity = { ...inModel, entityRef: need("EntityRef") };
const inRelationship = { ...inModel, relationshipRef: need("RelationshipRef") };

/** The objects that tags can mark: the parameters that name each, the kind its changes are of, and the object. */
const MARKABLE: Readonly<Record<string, readonly [RefAction["params"], RefChange["kind"], (asked: Asked) => Tagged]>> =
  {
    model: [inModel, "model", ({ model }) => model],
    entity: [inEntity, "entity", ({ entity }) => entity],
    entity_attribute: [
      { ...inEntity, attributeRef: need("EntityAttributeRef") },
      "attribute",
      ({ attribute }) => attribute,
    ],
    relationship: [inRelationship, "relationship", ({ relationship }) => relationship],
    relationship_attribute: [
      { ...inRelationship, attributeRef: need("RelationshipAttributeRef") },
      "attribute",
      ({ attribute }) => attribute,
    ],
  };

/** The actions `*_add_tag` and `*_delete_tag`. */
export const MARK_ACTIONS: Readonly<Record<string, RefAction>> = Object.fromEntries(
  Object.entries(MARKABLE).flatMap(([name, [params, kind, objectOf]]) =>
    [true, false].map((adds): [string, RefAction] => [
      `model/${name}_${adds ? "add" : "delete"}_tag`,
      {
        rule: "model_write",
        writes: true,
        params: { ...params, tagRef: need("TagRef") },
        run: (asked) => remarked(asked, kind, objectOf(asked), adds),
      },
    ]),
  ),
);
