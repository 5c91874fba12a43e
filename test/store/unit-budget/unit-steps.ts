import { KEYS, step, type UnitStep } from "./unit-step.ts";
import { AUTH_STEPS } from "./unit-steps-auth.ts";
import { BATCH_STEPS } from "./unit-steps-batch.ts";
import { BUSINESS_KEY_STEPS } from "./unit-steps-business-key.ts";
import { HISTORY_STEPS } from "./unit-steps-history.ts";
import { LARGE_STEPS } from "./unit-steps-large.ts";
import { PROPERTY_STEPS } from "./unit-steps-property.ts";
import { RELATIONSHIP_STEPS } from "./unit-steps-relationship.ts";
import { SEARCH_STEPS } from "./unit-steps-search.ts";
import { TAG_STEPS } from "./unit-steps-tag.ts";

const M = { modelRef: "key:m" };
const ID = { modelRef: "id:$m" };
const E = { ...M, entityRef: "key:e" };
const EID = { ...ID, entityRef: "id:$e" };
const A = { ...E, attributeRef: "key:a" };
const REQUIRED = { type: "key:t", optional: false };
const ONCE = { headers: { idempotencyKey: "k-1" } };
const COPIED = { ...A, modelRef: "key:n" };

const FOLLOWED = { name: "fw", fields: [{ name: "f" }] };
const FOLLOWING = { into: "key:fw", source: "s" };
const FIELDS = Array.from({ length: 60 }, (_, i) => ({ name: `f${i}` }));

/** Costs of every action, in an order that works. A model named by key costs one more read and step than by id. */
export const UNIT_STEPS: readonly UnitStep[] = [
  ...SEARCH_STEPS,
  step("model_create", "", { key: "m", name: "M" }, [8, 2, 3], { keep: "m" }),
  step("model_create", "key taken", { key: "m", name: "M" }, [0, 0, 2], { refused: "key_taken" }),
  step("type_create", "", { ...M, typeKey: "t" }, [6, 2, 3], { keep: "t" }),
  step("type_create", "model by id", { ...ID, typeKey: "t2" }, [6, 1, 2]),
  step("entity_create", "", { ...M, entityKey: "e" }, [6, 2, 3], { keep: "e" }),
  step("entity_create", "with an idempotency key", { ...M, entityKey: "e2" }, [8, 3, 4], ONCE),
  step("entity_create", "the same again", { ...M, entityKey: "e2" }, [0, 3, 3], ONCE),
  step("entity_create", "dry run", { ...M, entityKey: "e3" }, [0, 6, 3], { headers: { dryRun: true } }),
  step("entity_attribute_create", "", { ...E, ...REQUIRED, attributeKey: "a" }, [4, 4, 5], { keep: "a" }),
  step("entity_attribute_create", "all by id", { ...EID, attributeKey: "b", type: "id:$t", optional: true }, [4, 4, 5]),
  step("model_get", "", M, [0, 3, 3]),
  step("model_get", "by id", ID, [0, 2, 2]),
  step("type_get", "", { ...M, typeRef: "key:t" }, [0, 3, 3]),
  step("type_get", "by id", { ...ID, typeRef: "id:$t" }, [0, 3, 3]),
  step("type_get", "absent", { ...M, typeRef: "key:no" }, [0, 5, 4], { refused: "not_found" }),
  step("type_list", "", M, [0, 5, 4]),
  step("entity_get", "", E, [0, 3, 3]),
  step("entity_get", "by id", EID, [0, 2, 2]),
  step("entity_list", "", M, [0, 5, 4]),
  step("entity_attribute_get", "", A, [0, 6, 5]),
  step("entity_attribute_get", "by id", { ...EID, attributeRef: "id:$a" }, [0, 5, 4]),
  step("entity_attribute_list", "", E, [0, 6, 5]),
  step("entity_attribute_get", "with keys", { ...A, ...KEYS }, [0, 9, 7]),
  step("entity_attribute_list", "with keys", { ...E, ...KEYS }, [0, 9, 7]),
  step("model_list", "", {}, [0, 1, 2]),
  step("model_export", "", M, [0, 5, 4]),
  step("model_export_as", "", { ...M, format: "frictionless" }, [0, 5, 4]),
  step("inspect_models_json", "", {}, [0, 5, 5]),
  step("type_update_name", "", { ...M, typeRef: "key:t", value: "T" }, [4, 3, 4]),
  step("type_update_name", "unchanged", { ...M, typeRef: "key:t", value: "T" }, [0, 3, 3]),
  step("type_update_description", "", { ...M, typeRef: "key:t", value: "T" }, [4, 3, 4]),
  step("type_update_key", "", { ...M, typeRef: "key:t", value: "u" }, [8, 3, 4]),
  step("entity_update_name", "", { ...E, value: "E" }, [4, 3, 4]),
  step("entity_update_name", "all by id", { ...EID, value: "F" }, [4, 2, 3]),
  step("entity_update_description", "", { ...E, value: "E" }, [4, 3, 4]),
  step("entity_update_documentation_link", "", { ...E, value: "https://example.org" }, [4, 3, 4]),
  step("entity_primary_key_update", "", { ...E, attributeRef: ["key:a"] }, [4, 4, 5]),
  step("entity_update_key", "", { ...E, value: "f" }, [8, 3, 4]),
  step("entity_update_key", "back", { ...M, entityRef: "key:f", value: "e" }, [8, 3, 4]),
  step("entity_attribute_update_name", "", { ...A, value: "A" }, [4, 4, 5]),
  step("entity_attribute_update_description", "", { ...A, value: "A" }, [4, 4, 5]),
  step("entity_attribute_update_type", "", { ...A, value: "key:t2" }, [4, 5, 6]),
  step("entity_attribute_update_optional", "", { ...A, value: true }, [4, 4, 5]),
  step("entity_attribute_update_key", "", { ...E, attributeRef: "key:b", value: "c" }, [6, 4, 5]),
  step("entity_attribute_delete", "", { ...E, attributeRef: "key:c" }, [4, 8, 7]),
  step("type_delete", "still used", { ...M, typeRef: "key:t2" }, [0, 9, 6], { refused: "still_used" }),
  step("type_delete", "", { ...M, typeRef: "key:u" }, [6, 9, 7]),
  step("model_copy", "", { ...M, modelNewKey: "n" }, [18, 7, 8]),
  step("entity_attribute_update_constraints", "", { ...COPIED, value: { enum: ["a", "b"] } }, [4, 4, 5]),
  step("entity_attribute_update_constraints", "unchanged", { ...COPIED, value: { enum: ["a", "b"] } }, [0, 6, 5]),
  step("entity_attribute_update_constraints", "cleared", COPIED, [4, 4, 5]),
  step("entity_attribute_delete", "in the primary key", A, [6, 9, 7]),
  step("entity_delete", "", { ...M, entityRef: "key:e2" }, [6, 10, 6]),
  step("entity_attribute_create", "", { ...E, attributeKey: "d", type: "key:t2", optional: true }, [4, 4, 5]),
  step("entity_delete", "with attributes", E, [8, 10, 6]),
  step("model_update_name", "", { ...M, name: "N" }, [6, 5, 5]),
  step("model_update_description", "", { ...M, value: "N" }, [4, 3, 4]),
  step("model_update_documentation_link", "", { ...M, value: "https://example.org" }, [4, 3, 4]),
  step("model_update_authority", "", { ...M, value: "canonical" }, [6, 5, 5]),
  step("model_update_key", "", { ...M, value: "o" }, [8, 7, 5]),
  step("model_delete", "", { modelRef: "key:o" }, [10, 7, 5]),
  step("import", "an entity of 60 attributes", { content: { name: "w", fields: FIELDS } }, [104, 4, 7]),
  step("entity_delete", "with 60 attributes", { modelRef: "key:w", entityRef: "key:w" }, [8, 11, 6]),
  step("import", "one entity, one attribute", { content: { name: "i", fields: [{ name: "f" }] } }, [44, 4, 7]),
  step("import", "of a source to follow", { content: FOLLOWED, source: "s" }, [46, 4, 8]),
  step("import", "into, changed", { content: { ...FOLLOWED, description: "F" }, ...FOLLOWING }, [8, 10, 11]),
  step("import", "into, unchanged", { content: { ...FOLLOWED, description: "F" }, ...FOLLOWING }, [0, 12, 11]),
  ...[...AUTH_STEPS, ...BATCH_STEPS, ...BUSINESS_KEY_STEPS, ...TAG_STEPS],
  ...[...RELATIONSHIP_STEPS, ...HISTORY_STEPS, ...LARGE_STEPS, ...PROPERTY_STEPS],
];
