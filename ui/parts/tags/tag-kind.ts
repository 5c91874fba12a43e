import type { RefText } from "../../api/refs.ts";

/** Which tag is shown: a local one of a model, a global one, or a group of global ones. */
export type TagPlace =
  | { readonly kind: "local"; readonly modelRef: RefText; readonly id: string }
  | { readonly kind: "global"; readonly id: string }
  | { readonly kind: "group"; readonly id: string };

const ACTIONS = {
  local: {
    get: "tag/tag_local_get",
    updateKey: "tag/tag_local_update_key",
    updateName: "tag/tag_local_update_name",
    updateDescription: "tag/tag_local_update_description",
    updateProperty: "tag/tag_local_update_property",
    deleteProperty: "tag/tag_local_delete_property",
    delete: "tag/tag_local_delete",
  },
  global: {
    get: "tag/tag_global_get",
    updateKey: "tag/tag_global_update_key",
    updateName: "tag/tag_global_update_name",
    updateDescription: "tag/tag_global_update_description",
    updateProperty: "tag/tag_global_update_property",
    deleteProperty: "tag/tag_global_delete_property",
    delete: "tag/tag_global_delete",
  },
  group: {
    get: "tag/tag_group_get",
    updateKey: "tag/tag_group_update_key",
    updateName: "tag/tag_group_update_name",
    updateDescription: "tag/tag_group_update_description",
    updateProperty: "tag/tag_group_update_property",
    deleteProperty: "tag/tag_group_delete_property",
    delete: "tag/tag_group_delete",
  },
} as const;

/** The actions on a tag or a group, by what they do. */
export const tagActions = ({ kind }: TagPlace): (typeof ACTIONS)[TagPlace["kind"]] => ACTIONS[kind];

/** The refs that every action on it takes. */
export function tagRefs(place: TagPlace) {
  const ref = `id:${place.id}` as const;
  if (place.kind === "local") return { modelRef: place.modelRef, tagRef: ref };
  return place.kind === "global" ? { tagRef: ref } : { tagGroupRef: ref };
}
