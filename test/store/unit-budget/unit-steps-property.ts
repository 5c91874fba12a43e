import { createStep, type Payload, type UnitStep, type Units } from "./unit-step.ts";

const step = createStep("");

const M = { modelRef: "key:owned" };
const E = { ...M, entityRef: "key:e" };
const R = { ...M, relationshipRef: "key:r" };
const OWNER = { definitionRef: "key:owner" };
const attribute = { attributeKey: "a", type: "key:t", optional: true };
const roles = {
  ...{ roleAKey: "a", roleAEntityRef: "key:e", roleACardinality: "one" },
  ...{ roleBKey: "b", roleBEntityRef: "key:e", roleBCardinality: "many" },
};

/** The budget of setting a property, of setting it to what it is, and of deleting it. */
const onProperty = (begin: string, refs: Payload, set: Units, unchanged: Units, gone: Units) => [
  step(`${begin}_update_property`, "", { ...refs, property: "p", value: "Sales" }, set),
  step(`${begin}_update_property`, "unchanged", { ...refs, property: "p", value: "Sales" }, unchanged),
  step(`${begin}_delete_property`, "", { ...refs, property: "p" }, gone),
];

export const PROPERTY_STEPS: readonly UnitStep[] = [
  step("model/model_create", "for properties", { key: "owned", name: "Owned" }, [8, 2, 3]),
  step("model/type_create", "for properties", { ...M, typeKey: "t" }, [6, 2, 3]),
  step("model/entity_create", "for properties", { ...M, entityKey: "e" }, [6, 2, 3]),
  step("model/entity_attribute_create", "for properties", { ...E, ...attribute }, [4, 4, 5]),
  step("model/relationship_create", "for properties", { ...M, relationshipKey: "r", ...roles }, [6, 4, 4]),
  step("model/relationship_attribute_create", "for properties", { ...R, ...attribute }, [4, 4, 5]),
  step("model/business_key_create", "for properties", { ...E, key: "b", participants: [] }, [6, 4, 5]),
  step("tag/tag_local_create", "for properties", { ...M, key: "l" }, [6, 2, 3]),
  step("tag/tag_group_create", "for properties", { key: "owned" }, [6, 1, 2]),
  step("tag/tag_global_create", "for properties", { groupRef: "key:owned", key: "t" }, [6, 2, 3]),
  ...onProperty("model/model", M, [4, 5, 6], [0, 3, 3], [4, 3, 4]),
  ...onProperty("model/type", { ...M, typeRef: "key:t" }, [4, 5, 6], [0, 3, 3], [4, 3, 4]),
  ...onProperty("model/entity", E, [4, 5, 6], [0, 3, 3], [4, 3, 4]),
  ...onProperty("model/entity_attribute", { ...E, attributeRef: "key:a" }, [4, 6, 7], [0, 6, 5], [4, 4, 5]),
  ...onProperty("model/relationship", R, [4, 5, 6], [0, 3, 3], [4, 3, 4]),
  ...onProperty("model/relationship_attribute", { ...R, attributeRef: "key:a" }, [4, 6, 7], [0, 6, 5], [4, 4, 5]),
  ...onProperty("model/business_key", { ...M, businessKeyRef: "key:b" }, [4, 6, 7], [0, 6, 5], [4, 4, 5]),
  ...onProperty("tag/tag_local", { ...M, tagRef: "key:l" }, [4, 5, 6], [0, 3, 3], [4, 3, 4]),
  ...onProperty("tag/tag_group", { tagGroupRef: "key:owned" }, [4, 3, 4], [0, 2, 2], [4, 2, 3]),
  ...onProperty("tag/tag_global", { tagRef: "key:owned/t" }, [4, 4, 5], [0, 5, 4], [4, 3, 4]),
  step("property/definition_list", "none stored", {}, [0, 4, 3]),
  step("property/definition_create", "", { key: "x:p", schema: { type: "string" } }, [6, 5, 4]),
  step("property/definition_get", "", { definitionRef: "key:x:p" }, [0, 2, 2]),
  step("property/definition_get", "comes with the service", OWNER, [0, 4, 3]),
  step("property/definition_list", "", {}, [0, 4, 3]),
  step("model/model_update_property", "defined", { ...M, property: "x:p", value: "a" }, [4, 5, 6]),
  step("property/definition_update_name", "", { definitionRef: "key:x:p", value: "P" }, [4, 2, 3]),
  step("property/definition_update_description", "", { definitionRef: "key:x:p", value: "P" }, [4, 2, 3]),
  step("property/definition_update_kinds", "", { definitionRef: "key:x:p", value: ["model"] }, [4, 2, 3]),
  step("property/definition_update_schema", "", { definitionRef: "key:x:p", value: {} }, [4, 2, 3]),
  step("property/definition_update_impact", "", { definitionRef: "key:x:p", value: "breaking" }, [4, 2, 3]),
  step("property/definition_update_impact", "comes with the service", { ...OWNER, value: "breaking" }, [6, 2, 3]),
  step("property/definition_update_key", "", { definitionRef: "key:x:p", value: "x:q" }, [8, 2, 3]),
  step("property/definition_delete", "", { definitionRef: "key:x:q" }, [6, 2, 3]),
];
