import { KEYS, step, type UnitStep } from "./unit-step.ts";

const M = { modelRef: "key:past" };
const compared = { leftModelRef: "key:past", rightModelRef: "key:past" };

const APPLIED = { $schema: "urn:metaction:model:2", key: "past", types: [{ key: "t", name: "Text" }] };

/** Costs of actions on versions and the past. A small release costs 12: transaction 8, blob 1, staging record 3. */
export const HISTORY_STEPS: readonly UnitStep[] = [
  step("model_create", "", { key: "past", name: "Past" }, [8, 2, 3], { keep: "past" }),
  step("type_create", "", { ...M, typeKey: "t" }, [6, 2, 3], { keep: "pt" }),
  step("model_release", "", { ...M, value: "1.0.0" }, [12, 9, 10]),
  step("model_release", "not greater", { ...M, value: "1.0.0" }, [0, 3, 3], { refused: "version_not_greater" }),
  step("type_create", "unreleased", { ...M, typeKey: "u" }, [6, 2, 3]),
  step("model_export", "of a revision", { ...M, revision: 2 }, [0, 7, 6]),
  step("model_export", "of a version", { ...M, version: "1.0.0" }, [0, 5, 5]),
  step("model_export_version", "", { ...M, version: "1.0.0" }, [0, 5, 5]),
  step("model_export_version", "absent", { ...M, version: "9.0.0" }, [0, 5, 4], { refused: "not_found" }),
  step("history_versions", "", M, [0, 5, 4]),
  step("history_version_changes", "not released", M, [0, 4, 4]),
  step("history_version_changes", "of a version", { ...M, version: "1.0.0" }, [0, 4, 4]),
  step("history_versions", "with the own name", { ...M, ...KEYS }, [0, 5, 4]),
  step("history_version_changes", "with keys", { ...M, ...KEYS }, [0, 4, 4]),
  step("history_version_changes", "absent", { ...M, version: "9.0.0" }, [0, 5, 4], { refused: "not_found" }),
  step("history_version_changes", "of an object", { ...M, version: "1.0.0", objectId: "$pt" }, [0, 4, 4]),
  step("model_compare", "with itself", compared, [0, 10, 9]),
  step("model_compare", "with a version", { ...compared, leftModelVersion: "1.0.0" }, [0, 10, 10]),
  step("model_compare_as", "", { ...compared, leftModelVersion: "1.0.0", format: "postgresql" }, [0, 10, 10]),
  step("model_compare", "with content", { leftModelRef: "key:past", rightContent: { fields: [] } }, [0, 9, 8]),
  step("model_restore", "", { ...M, version: "1.0.0" }, [12, 12, 13]),
  step("model_restore", "unchanged", { ...M, revision: 5 }, [0, 9, 8]),
  step("model_apply", "", { ...M, content: APPLIED }, [4, 7, 8]),
  step("model_apply", "unchanged", { ...M, content: APPLIED }, [0, 7, 7]),
  step("model_apply", "a new model", { modelKey: "applied", create: true, content: APPLIED }, [13, 5, 7]),
  step("model_undo", "", { ...M, revisions: [6] }, [4, 10, 10]),
  step("run_begin", "", { title: "Task" }, [1, 0, 2], { keep: "run" }),
  step("run_list", "", {}, [0, 1, 2]),
  step("run_get", "", { runRef: "id:$run" }, [0, 2, 3]),
  step("model_delete", "", M, [10, 7, 5]),
  step("history_versions", "of a deleted model", { modelRef: "id:$past" }, [0, 6, 4]),
  step("deleted_list", "", {}, [0, 1, 2]),
  step("model_undelete", "", { modelRef: "id:$past" }, [13, 19, 16]),
  step("model_undelete", "not deleted", { modelRef: "id:$past" }, [0, 1, 1], { refused: "not_deleted" }),
];
