import { createStep, type UnitStep } from "./unit-step.ts";

const step = createStep("");

const M = { modelRef: "key:tagged" };
const E = { ...M, entityRef: "key:e" };
const A = { ...E, attributeRef: "key:a" };
const R = { ...M, relationshipRef: "key:r" };
const RA = { ...R, attributeRef: "key:a" };
const G = { tagGroupRef: "key:g" };
const local = { tagRef: "key:l" };
const attribute = { attributeKey: "a", type: "key:t", optional: true };
const role = (side: string) => ({
  [`role${side}Key`]: side,
  [`role${side}EntityRef`]: "key:e",
  [`role${side}Cardinality`]: "one",
});
const global = { tagRef: "key:g/t" };
const NOT_FOUND = { refused: "not_found" };

const filter = (value: object) => ({ items: [{ type: "scopeRef", condition: "is", value }] });

export const TAG_STEPS: readonly UnitStep[] = [
  step("tag/tag_group_list", "none yet", {}, [0, 4, 3]),
  step("tag/tag_group_create", "", { key: "g" }, [6, 1, 2], { keep: "g" }),
  step("tag/tag_group_create", "key taken", { key: "g" }, [0, 1, 2], { refused: "key_taken" }),
  step("tag/tag_group_create", "without tags", { key: "empty" }, [6, 1, 2]),
  step("tag/tag_group_get", "", G, [0, 2, 2]),
  step("tag/tag_group_get", "by id", { tagGroupRef: "id:$g" }, [0, 2, 2]),
  step("tag/tag_group_list", "", {}, [0, 4, 3]),
  step("tag/tag_group_update_name", "", { ...G, value: "G" }, [4, 2, 3]),
  step("tag/tag_group_update_name", "unchanged", { ...G, value: "G" }, [0, 2, 2]),
  step("tag/tag_group_update_description", "", { ...G, value: "G" }, [4, 2, 3]),
  step("tag/tag_group_update_key", "", { ...G, value: "h" }, [8, 2, 3]),
  step("tag/tag_group_update_key", "back", { tagGroupRef: "key:h", value: "g" }, [8, 2, 3]),
  step("tag/tag_global_create", "", { groupRef: "key:g", key: "t" }, [6, 2, 3], { keep: "gt" }),
  step("tag/tag_global_create", "unused", { groupRef: "key:g", key: "unused" }, [6, 2, 3]),
  step("tag/tag_global_get", "", global, [0, 6, 5]),
  step("tag/tag_global_get", "by id", { tagRef: "id:$gt" }, [0, 5, 4]),
  step("tag/tag_global_update_name", "", { ...global, value: "T" }, [4, 3, 4]),
  step("tag/tag_global_update_description", "", { ...global, value: "T" }, [4, 3, 4]),
  step("tag/tag_global_update_key", "", { ...global, value: "u" }, [8, 3, 4]),
  step("tag/tag_global_update_key", "back", { tagRef: "key:g/u", value: "t" }, [8, 3, 4]),
  step("model/model_create", "", { key: "tagged", name: "Tagged" }, [8, 2, 3], { keep: "tagged" }),
  step("model/type_create", "", { ...M, typeKey: "t" }, [6, 2, 3]),
  step("model/entity_create", "", { ...M, entityKey: "e" }, [6, 2, 3]),
  step("model/entity_attribute_create", "", { ...E, ...attribute }, [4, 4, 5]),
  step("model/relationship_create", "", { ...M, relationshipKey: "r", ...role("A"), ...role("B") }, [6, 4, 4]),
  step("model/relationship_attribute_create", "", { ...R, ...attribute }, [4, 4, 5]),
  step("tag/tag_local_create", "", { ...M, key: "l" }, [6, 2, 3], { keep: "l" }),
  step("tag/tag_local_create", "unused", { ...M, key: "unused" }, [6, 2, 3]),
  step("tag/tag_local_get", "", { ...M, ...local }, [0, 3, 3]),
  step("tag/tag_local_get", "by id", { ...M, tagRef: "id:$l" }, [0, 3, 3]),
  step("tag/tag_local_update_name", "", { ...M, ...local, value: "L" }, [4, 3, 4]),
  step("tag/tag_local_update_description", "", { ...M, ...local, value: "L" }, [4, 3, 4]),
  step("tag/tag_local_update_key", "", { ...M, ...local, value: "k" }, [8, 3, 4]),
  step("tag/tag_local_update_key", "back", { ...M, tagRef: "key:k", value: "l" }, [8, 3, 4]),
  step("model/model_add_tag", "local", { ...M, ...local }, [4, 4, 5]),
  step("model/model_add_tag", "again", { ...M, ...local }, [0, 6, 5]),
  step("model/model_delete_tag", "local", { ...M, ...local }, [4, 5, 6]),
  step("model/entity_add_tag", "local, by id", { ...E, tagRef: "id:$l" }, [4, 4, 5]),
  step("model/entity_get", "with a local tag", E, [0, 6, 5]),
  step("model/entity_add_tag", "local, beside another", { ...E, tagRef: "key:unused" }, [4, 5, 6]),
  step("model/entity_attribute_add_tag", "global, the model's first", { ...A, ...global }, [8, 7, 8]),
  step("model/relationship_add_tag", "global, by id", { ...R, tagRef: "id:$gt" }, [8, 8, 9]),
  step("model/relationship_attribute_add_tag", "local", { ...RA, ...local }, [4, 6, 7]),
  step("model/relationship_attribute_add_tag", "absent", { ...RA, tagRef: "key:no" }, [0, 7, 6], NOT_FOUND),
  step("model/entity_attribute_get", "with a global tag", A, [0, 12, 10]),
  step("tag/tag_search", "of a model", { filters: filter({ type: "model", id: "$tagged" }) }, [0, 4, 4]),
  step("tag/tag_search", "global", { filters: filter({ type: "global" }) }, [0, 4, 4]),
  step("model/entity_delete_tag", "local", { ...E, ...local }, [4, 9, 8]),
  step("model/entity_attribute_delete_tag", "global", { ...A, ...global }, [4, 10, 11]),
  step("model/relationship_delete_tag", "global", { ...R, ...global }, [4, 9, 10]),
  step("model/relationship_attribute_delete_tag", "absent", { ...RA, ...global }, [0, 11, 9]),
  step("model/entity_attribute_add_tag", "local", { ...A, ...local }, [4, 6, 7]),
  step("model/entity_attribute_add_tag", "local, beside another", { ...A, tagRef: "key:unused" }, [4, 8, 9]),
  step("model/entity_attribute_delete", "with two tags", A, [4, 10, 8]),
  step("tag/tag_local_delete", "used", { ...M, ...local }, [6, 4, 5]),
  step("model/entity_delete_tag", "the last", { ...E, tagRef: "key:unused" }, [4, 7, 8]),
  step("tag/tag_local_delete", "unused", { ...M, tagRef: "key:unused" }, [6, 4, 5]),
  step("model/relationship_attribute_delete_tag", "of a tag that is gone", { ...RA, ...local }, [0, 7, 6], NOT_FOUND),
  step("tag/tag_global_delete", "", { tagRef: "key:g/unused" }, [6, 3, 4]),
  step("tag/tag_group_delete", "", { tagGroupRef: "key:empty" }, [6, 5, 5]),
  step("tag/tag_group_delete", "with tags", G, [8, 6, 6]),
  step("model/model_delete", "", M, [10, 8, 6]),
];
