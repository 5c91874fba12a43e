import { createStep, step, type UnitStep } from "./unit-step.ts";

const contains = (value: string) => ({ filters: { items: [{ type: "text", condition: "contains", value }] } });
const tags = (condition: string, ...value: string[]) => ({ filters: { items: [{ type: "tags", condition, value }] } });
const M = { modelRef: "key:sought" };

/** Costs of searches and checks of one model. A warm search costs a unit per model; it is deleted at the end. */
export const SEARCH_STEPS: readonly UnitStep[] = [
  step("search", "no model", contains("x"), [0, 1, 2]),
  step("model_create", "", { key: "sought", name: "S" }, [8, 2, 3], { keep: "sought" }),
  step("entity_create", "", { ...M, entityKey: "e" }, [6, 2, 3]),
  step("search", "nothing can pass", { filters: { operator: "or" } }, [0, 0, 1]),
  step("search", "cold", contains("x"), [0, 5, 5]),
  step("search", "warm", contains("x"), [0, 2, 3]),
  step("search", "warm, with tags", tags("noneOf"), [0, 6, 6]),
  step("search", "warm, with tags again", tags("noneOf"), [0, 3, 4]),
  step("search", "by a local tag that is not there", tags("anyOf", "key:model/$sought/none"), [0, 4, 4], {
    refused: "not_found",
  }),
  step("entity_update_name", "", { ...M, entityRef: "key:e", value: "E" }, [4, 3, 4]),
  step("search", "the model changed", contains("x"), [0, 6, 6]),
  step("maintenance_rebuild_caches", "one model", M, [0, 18, 12]),
  step("maintenance_rebuild_caches", "all", { repair: true }, [0, 17, 11]),
  createStep("tag/")("maintenance_rebuild_caches", "", {}, [0, 6, 7]),
  step("model_delete", "", M, [10, 7, 5]),
];
