import {
  attribute,
  entity,
  type Kind,
  type KindName,
  model,
  relationship,
  relationshipAttribute,
} from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { updateChanges } from "../../domain/model/changes.ts";
import type { ObjectByKind, TagIds } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { tagRef } from "../../domain/values/ref-types.ts";
import { writtenOutput } from "../building/answers.ts";
import { toSubject } from "../building/field-actions.ts";
import { findTagLink, listLiveTagLinks, type TagLink } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { requireParam } from "../contract/params.ts";

type TaggedKind = "model" | "entity" | "relationship" | "attribute";
type TaggedObject = ObjectByKind[TaggedKind];

function defineTagActions<X extends string, N extends TaggedKind, P extends KindName | undefined, R extends string>(
  prefix: X,
  kind: Kind<N, P, R>,
  one: string,
  refs: Readonly<Record<string, string>>,
) {
  const base = {
    group: "model",
    intent: "update",
    rule: "model_write",
    target: kind,
    input: { tagRef: requireParam(tagRef, "The tag: a global one, or one of the model.") },
    output: writtenOutput,
    errors: [],
  } as const;
  return [
    defineAction({
      ...base,
      name: `${prefix}_add_tag` as const,
      title: `Tag ${kind.noun}`,
      description: `Adds a tag to ${one}. A tag that it already has changes nothing.`,
      example: { modelRef: "key:crm", tagRef: "key:reviewed", ...refs },
      run: async ({ target, view, input, tags }) => {
        const { requires, ...link } = await findTagLink(input.tagRef, view, tags);
        const subject = toSubject(target);
        if (hasTagLink(target, link)) return { subject, changes: [] };
        const links = await listLiveTagLinks(target, view, tags);
        if (links.tags.length + links.globalTags.length >= LIMITS.tagsPerObject)
          throw createTooManyTagsProblem(kind, target);
        const list = [...links[link.member], link.id].sort();
        return { subject, changes: updateTagLinks(target, { ...links, [link.member]: list }), requires };
      },
    }),
    defineAction({
      ...base,
      name: `${prefix}_delete_tag` as const,
      title: `Untag ${kind.noun}`,
      description: `Removes a tag from ${one}.`,
      example: { modelRef: "key:crm", tagRef: "key:draft", ...refs },
      run: async ({ target, view, input, tags }) => {
        const link = await findTagLink(input.tagRef, view, tags);
        const subject = toSubject(target);
        if (!hasTagLink(target, link)) return { subject, changes: [] };
        const links = await listLiveTagLinks(target, view, tags);
        const list = links[link.member].filter((id) => id !== link.id);
        return { subject, changes: updateTagLinks(target, { ...links, [link.member]: list }) };
      },
    }),
  ] as const;
}

function hasTagLink(target: TagIds, { member, id }: Pick<TagLink, "member" | "id">) {
  return target[member]?.includes(id) ?? false;
}

function updateTagLinks(target: TaggedObject, { tags, globalTags }: Required<TagIds>) {
  const dropEmpty = (ids: readonly string[]) => (ids.length > 0 ? ids : undefined);
  return updateChanges<TaggedObject>(target, { tags: dropEmpty(tags), globalTags: dropEmpty(globalTags) });
}

function createTooManyTagsProblem({ noun }: Kind, { key }: TaggedObject): Problem {
  const most = LIMITS.tagsPerObject;
  return new Problem("too_large", `The ${noun} ${key} already has ${most} tags, the maximum. Remove one first`);
}

const ofEntity = { entityRef: "key:customer" };
const ofRelationship = { relationshipRef: "key:places" };

export const taggingActions = [
  ...defineTagActions("model", model, "a model", {}),
  ...defineTagActions("entity", entity, "an entity", ofEntity),
  ...defineTagActions("entity_attribute", attribute, "an attribute of an entity", {
    ...ofEntity,
    attributeRef: "key:code",
  }),
  ...defineTagActions("relationship", relationship, "a relationship", ofRelationship),
  ...defineTagActions("relationship_attribute", relationshipAttribute, "an attribute of a relationship", {
    ...ofRelationship,
    attributeRef: "key:channel",
  }),
] as const satisfies readonly Action[];
