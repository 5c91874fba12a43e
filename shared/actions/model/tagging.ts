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
import type { ObjectByKind, Tagged } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { tagRef } from "../../domain/values/ref-types.ts";
import { writtenOutput } from "../building/answers.ts";
import { toSubject } from "../building/field-actions.ts";
import { findTagLink, listLiveTagLinks, type TagLink } from "../building/tags.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { requiredParam } from "../contract/params.ts";

/** The kinds of objects that can have tags. */
type TaggedKind = "model" | "entity" | "relationship" | "attribute";
type TaggedObject = ObjectByKind[TaggedKind];

const sharedMembers = { group: "model", intent: "update", rule: "model_write", output: writtenOutput } as const;

/** Defines an action that adds a tag to an object. */
function addTag<A extends string, N extends TaggedKind, P extends KindName | undefined, R extends string>(
  name: A,
  kind: Kind<N, P, R>,
  texts: ActionTexts,
) {
  return defineAction({
    ...sharedMembers,
    name,
    ...texts,
    target: kind,
    input: { tagRef: requiredParam(tagRef, "The tag: a global one, or one of the model.") },
    errors: [],
    run: async ({ target, view, input, tags }) => {
      const link = await findTagLink(input.tagRef, view, tags);
      const subject = toSubject(target);
      if (hasTagLink(target, link)) return { subject, changes: [] };
      const living = await listLiveTagLinks(target, view, tags);
      if (living.tags.length + living.globalTags.length >= LIMITS.tagsPerObject)
        throw createTooManyTagsProblem(kind, target);
      const list = [...living[link.member], link.id].sort();
      const { requires } = link;
      return { subject, changes: updateTagLinks(target, { ...living, [link.member]: list }), requires };
    },
  });
}

/** Defines an action that removes a tag from an object. */
function deleteTag<A extends string, N extends TaggedKind, P extends KindName | undefined, R extends string>(
  name: A,
  kind: Kind<N, P, R>,
  texts: ActionTexts,
) {
  return defineAction({
    ...sharedMembers,
    name,
    ...texts,
    target: kind,
    input: { tagRef: requiredParam(tagRef, "The tag: a global one, or one of the model.") },
    errors: [],
    run: async ({ target, view, input, tags }) => {
      const link = await findTagLink(input.tagRef, view, tags);
      const subject = toSubject(target);
      if (!hasTagLink(target, link)) return { subject, changes: [] };
      const living = await listLiveTagLinks(target, view, tags);
      const list = living[link.member].filter((id) => id !== link.id);
      return { subject, changes: updateTagLinks(target, { ...living, [link.member]: list }) };
    },
  });
}

function hasTagLink(target: Tagged, { member, id }: TagLink): boolean {
  return target[member]?.includes(id) ?? false;
}

function updateTagLinks(target: TaggedObject, { tags, globalTags }: Required<Tagged>) {
  const orNone = (ids: readonly string[]) => (ids.length > 0 ? ids : undefined);
  return updateChanges<TaggedObject>(target, { tags: orNone(tags), globalTags: orNone(globalTags) });
}

function createTooManyTagsProblem({ noun }: Kind, { key }: TaggedObject): Problem {
  const most = LIMITS.tagsPerObject;
  return new Problem("too_large", `The ${noun} ${key} already has ${most} tags, the maximum. Remove one first`);
}

const ofModel = { modelRef: "key:crm", tagRef: "key:draft" };
const ofEntity = { ...ofModel, entityRef: "key:customer" };
const ofAttribute = { ...ofEntity, attributeRef: "key:code" };
const ofRelationship = { ...ofModel, relationshipRef: "key:places" };
const ofRelationshipAttribute = { ...ofRelationship, attributeRef: "key:channel" };
const another = { tagRef: "key:reviewed" };

/** The actions `*_add_tag` and `*_delete_tag`. */
export const taggingActions = [
  addTag("model_add_tag", model, {
    title: "Tag model",
    description: "Adds a tag to a model. A tag that it already has changes nothing.",
    example: { ...ofModel, ...another },
  }),
  deleteTag("model_delete_tag", model, {
    title: "Untag model",
    description: "Removes a tag from a model.",
    example: ofModel,
  }),
  addTag("entity_add_tag", entity, {
    title: "Tag entity",
    description: "Adds a tag to an entity. A tag that it already has changes nothing.",
    example: { ...ofEntity, ...another },
  }),
  deleteTag("entity_delete_tag", entity, {
    title: "Untag entity",
    description: "Removes a tag from an entity.",
    example: ofEntity,
  }),
  addTag("entity_attribute_add_tag", attribute, {
    title: "Tag entity attribute",
    description: "Adds a tag to an attribute of an entity. A tag that it already has changes nothing.",
    example: { ...ofAttribute, ...another },
  }),
  deleteTag("entity_attribute_delete_tag", attribute, {
    title: "Untag entity attribute",
    description: "Removes a tag from an attribute of an entity.",
    example: ofAttribute,
  }),
  addTag("relationship_add_tag", relationship, {
    title: "Tag relationship",
    description: "Adds a tag to a relationship. A tag that it already has changes nothing.",
    example: { ...ofRelationship, ...another },
  }),
  deleteTag("relationship_delete_tag", relationship, {
    title: "Untag relationship",
    description: "Removes a tag from a relationship.",
    example: ofRelationship,
  }),
  addTag("relationship_attribute_add_tag", relationshipAttribute, {
    title: "Tag relationship attribute",
    description: "Adds a tag to an attribute of a relationship. A tag that it already has changes nothing.",
    example: { ...ofRelationshipAttribute, ...another },
  }),
  deleteTag("relationship_attribute_delete_tag", relationshipAttribute, {
    title: "Untag relationship attribute",
    description: "Removes a tag from an attribute of a relationship.",
    example: ofRelationshipAttribute,
  }),
] as const satisfies readonly Action[];
