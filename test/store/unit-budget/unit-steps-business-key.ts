import { KEYS, step, type UnitStep } from "./unit-step.ts";

const M = { modelRef: "key:keys" };
const ID = { modelRef: "id:$keys" };
const E = { ...M, entityRef: "key:e" };
const F = { ...M, entityRef: "key:f" };
const B = { ...M, businessKeyRef: "key:b" };
const C = { ...M, businessKeyRef: "key:c" };

const attribute = { type: "key:t", optional: false };

/** The budget of the actions on business keys, and of those that delete them along, in a model of their own. */
export const BUSINESS_KEY_STEPS: readonly UnitStep[] = [
  step("model_create", "for business keys", { key: "keys", name: "K" }, [8, 2, 3], { keep: "keys" }),
  step("type_create", "for business keys", { ...M, typeKey: "t" }, [6, 2, 3]),
  step("entity_create", "for business keys", { ...M, entityKey: "e" }, [6, 2, 3]),
  step("entity_create", "for other business keys", { ...M, entityKey: "f" }, [6, 2, 3]),
  step("entity_attribute_create", "for business keys", { ...E, ...attribute, attributeKey: "x" }, [4, 4, 5]),
  step("entity_attribute_create", "for business keys, another", { ...E, ...attribute, attributeKey: "y" }, [4, 4, 5], {
    keep: "y",
  }),
  step("business_key_create", "", { ...E, key: "b", participants: ["key:x"] }, [6, 5, 6], { keep: "b" }),
  step("business_key_create", "all by id", { ...ID, entityRef: "key:e", key: "c", participants: ["id:$y"] }, [6, 4, 5]),
  step("business_key_create", "without participants", { ...F, key: "d", participants: [] }, [6, 4, 5]),
  step("business_key_create", "another of that entity", { ...F, key: "d2", participants: [] }, [6, 4, 5]),
  step("business_key_create", "key taken", { ...F, key: "b", participants: [] }, [0, 5, 6], { refused: "key_taken" }),
  step("business_key_get", "", B, [0, 6, 5]),
  step("business_key_get", "by id", { ...ID, businessKeyRef: "id:$b" }, [0, 5, 4]),
  step("business_key_get", "absent", { ...M, businessKeyRef: "key:no" }, [0, 5, 4], { refused: "not_found" }),
  step("business_key_list", "", M, [0, 7, 5]),
  step("business_key_list", "with keys", { ...M, ...KEYS }, [0, 12, 7]),
  step("business_key_update_name", "", { ...B, value: "B" }, [4, 4, 5]),
  step("business_key_update_name", "unchanged", { ...B, value: "B" }, [0, 6, 5]),
  step("business_key_update_description", "", { ...B, value: "B" }, [4, 4, 5]),
  step("business_key_update_participants", "", { ...B, value: ["key:y", "key:x"] }, [4, 6, 6]),
  step("business_key_update_participants", "by id", { ...ID, businessKeyRef: "id:$b", value: ["id:$y"] }, [4, 4, 5]),
  step("business_key_update_key", "", { ...B, value: "g" }, [8, 5, 6]),
  step("business_key_update_key", "back", { ...M, businessKeyRef: "key:g", value: "b" }, [8, 5, 6]),
  step("entity_attribute_delete", "in two business keys", { ...E, attributeRef: "key:y" }, [8, 10, 8]),
  step("business_key_delete", "", B, [6, 4, 5]),
  step("entity_delete", "with business keys alone", F, [8, 11, 7]),
  step("business_key_create", "over what a removed entity left", { ...E, key: "d", participants: [] }, [8, 4, 5]),
  step("business_key_update_key", "to what a removed entity left", { ...C, value: "d2" }, [10, 5, 6]),
];
