import { KEYS, step, type UnitStep } from "./unit-step.ts";

const M = { modelRef: "key:r" };
const R = { ...M, relationshipRef: "key:r" };
const A = { ...R, attributeRef: "key:a" };
const role = (key: string) => ({ ...R, relationshipRoleRef: `key:${key}` });
const MADE = {
  relationshipKey: "r",
  ...{ roleAKey: "a", roleAEntityRef: "key:e", roleACardinality: "one" },
  ...{ roleBKey: "b", roleBEntityRef: "key:f", roleBCardinality: "many" },
};
const C = { roleKey: "c", roleEntityRef: "key:e", roleCardinality: "one" };

const J = { modelRef: "key:joined" };
const K = { ...J, relationshipRef: "key:r" };
const E = { ...J, entityRef: "key:e" };
const F = { ...J, entityRef: "key:f" };
const PAIRS = [["key:x", "key:y"]];
const OF_ITSELF = { modelRef: "id:$rm", relationshipKey: "s", roleAEntityRef: "id:$re", roleBEntityRef: "id:$re" };
const ATTRIBUTE = { type: "key:t", optional: false };

/** The budget of key pairs, of two entities with an attribute each, in a model of their own. */
const KEY_PAIR_STEPS: readonly UnitStep[] = [
  step("model_create", "for key pairs", { key: "joined", name: "J" }, [8, 2, 3]),
  step("type_create", "for key pairs", { modelRef: "key:joined", typeKey: "t" }, [6, 2, 3]),
  step("entity_create", "for key pairs", { modelRef: "key:joined", entityKey: "e" }, [6, 2, 3]),
  step("entity_create", "for key pairs, another", { modelRef: "key:joined", entityKey: "f" }, [6, 2, 3]),
  step("entity_attribute_create", "for key pairs", { ...E, ...ATTRIBUTE, attributeKey: "x" }, [4, 4, 5]),
  step("entity_attribute_create", "for key pairs, another", { ...F, ...ATTRIBUTE, attributeKey: "y" }, [4, 4, 5]),
  step("relationship_create", "with key pairs", { ...J, ...MADE, keyPairs: PAIRS }, [6, 6, 5]),
  step("relationship_get", "with key pairs", K, [0, 7, 5]),
  step("relationship_list", "with key pairs", { modelRef: "key:joined" }, [0, 7, 5]),
  step("relationship_update_key_pairs", "unchanged", { ...K, value: PAIRS }, [0, 7, 5]),
  step("entity_attribute_create", "for moves", { ...E, ...ATTRIBUTE, attributeKey: "z" }, [4, 4, 5]),
  step("entity_attribute_move", "", { ...E, attributeRef: "key:z", beforeRef: "key:x" }, [4, 7, 7]),
  step("entity_attribute_list", "by key", { ...E, sort: "key" }, [0, 6, 5]),
  step("entity_attribute_list", "in declared order", E, [0, 6, 5]),
  step("relationship_update_key_pairs", "cleared", K, [4, 3, 4]),
  step("relationship_update_key_pairs", "", { ...K, value: PAIRS }, [4, 5, 5]),
  step("entity_attribute_delete", "in key pairs", { ...E, attributeRef: "key:x" }, [4, 7, 7]),
  step("model_delete", "for key pairs", { modelRef: "key:joined" }, [10, 7, 5]),
];

/** The budget of the actions on relationships, their roles and attributes, in a model of its own. */
export const RELATIONSHIP_STEPS: readonly UnitStep[] = [
  step("model_create", "for relationships", { key: "r", name: "R" }, [8, 2, 3], { keep: "rm" }),
  step("type_create", "for relationships", { ...M, typeKey: "t" }, [6, 2, 3]),
  step("entity_create", "for relationships", { ...M, entityKey: "e" }, [6, 2, 3], { keep: "re" }),
  step("entity_create", "for relationships", { ...M, entityKey: "f" }, [6, 2, 3]),
  step("relationship_create", "", { ...M, ...MADE }, [6, 4, 4], { keep: "rr" }),
  step("relationship_create", "key taken", { ...M, ...MADE }, [0, 4, 4], { refused: "key_taken" }),
  step("relationship_create", "of itself, by id", { ...MADE, ...OF_ITSELF }, [6, 3, 3]),
  step("relationship_get", "", R, [0, 3, 3]),
  step("relationship_get", "by id", { modelRef: "id:$rm", relationshipRef: "id:$rr" }, [0, 2, 2]),
  step("relationship_list", "", M, [0, 5, 4]),
  step("relationship_list", "with keys", { ...M, ...KEYS }, [0, 7, 5]),
  step("relationship_update_name", "", { ...R, value: "R" }, [4, 3, 4]),
  step("relationship_update_name", "unchanged", { ...R, value: "R" }, [0, 3, 3]),
  step("relationship_update_description", "", { ...R, value: "R" }, [4, 3, 4]),
  step("relationship_role_update_key", "", { ...role("b"), value: "d" }, [4, 3, 4]),
  step("relationship_role_update_key", "key taken", { ...role("d"), value: "a" }, [0, 3, 3], { refused: "key_taken" }),
  step("relationship_role_update_name", "", { ...role("d"), value: "D" }, [4, 3, 4]),
  step("relationship_role_update_entity", "", { ...role("d"), value: "key:e" }, [4, 4, 5]),
  step("relationship_role_update_cardinality", "", { ...role("d"), value: "one" }, [4, 3, 4]),
  step("relationship_role_update_cardinality", "unchanged", { ...role("d"), value: "one" }, [0, 3, 3]),
  step("relationship_role_create", "", { ...R, ...C }, [4, 4, 5]),
  step("relationship_role_create", "key taken", { ...R, ...C }, [0, 6, 5], { refused: "key_taken" }),
  step("relationship_role_delete", "", role("c"), [4, 3, 4]),
  step("relationship_role_delete", "of two", role("a"), [0, 3, 3], { refused: "too_few_roles" }),
  step("relationship_update_key", "", { ...R, value: "q" }, [8, 3, 4]),
  step("relationship_update_key", "back", { ...M, relationshipRef: "key:q", value: "r" }, [8, 3, 4]),
  ...KEY_PAIR_STEPS,
  step("relationship_attribute_create", "", { ...R, attributeKey: "a", type: "key:t", optional: false }, [4, 4, 5]),
  step("relationship_attribute_get", "", A, [0, 6, 5]),
  step("relationship_attribute_list", "", R, [0, 6, 5]),
  step("relationship_attribute_update_name", "", { ...A, value: "A" }, [4, 4, 5]),
  step("relationship_attribute_update_description", "", { ...A, value: "A" }, [4, 4, 5]),
  step("type_create", "for relationships, another", { ...M, typeKey: "u" }, [6, 2, 3]),
  step("relationship_attribute_update_type", "", { ...A, value: "key:u" }, [4, 5, 6]),
  step("relationship_attribute_update_optional", "", { ...A, value: true }, [4, 4, 5]),
  step("relationship_attribute_update_constraints", "", { ...A, value: { maxLength: 8 } }, [4, 4, 5]),
  step("relationship_attribute_update_key", "", { ...A, value: "b" }, [6, 4, 5]),
  step("relationship_attribute_create", "another", { ...R, ...ATTRIBUTE, attributeKey: "c" }, [4, 4, 5]),
  step("relationship_attribute_move", "", { ...R, attributeRef: "key:c", beforeRef: "key:b" }, [4, 10, 7]),
  step("relationship_attribute_move", "unchanged", { ...R, attributeRef: "key:c", beforeRef: "key:b" }, [0, 12, 7]),
  step("relationship_attribute_delete", "", { ...R, attributeRef: "key:c" }, [4, 4, 5]),
  step("entity_delete", "in a role", { ...M, entityRef: "key:e" }, [0, 13, 6], { refused: "still_used" }),
  step("relationship_delete", "with attributes", R, [8, 9, 6]),
  step("relationship_delete", "", { ...M, relationshipRef: "key:s" }, [6, 9, 6]),
  step("model_delete", "for relationships", M, [10, 7, 5]),
];
