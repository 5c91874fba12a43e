import type { Action } from "../../../shared/actions/define-action.ts";
import { may, need, type RefAction, type RefParam } from "./reference-action.ts";
import { isOfAccounts } from "./reference-auth.ts";
import { PAGING } from "./reference-lists.ts";

/** Their rules and parameters, which discovery tells; the suites named beside them hold what they do. */
const known = (rule: string, params: Readonly<Record<string, RefParam>>, writes = false): RefAction => ({
  rule,
  writes,
  params,
  run: () => {
    throw new Error("no history has this action");
  },
});

const modelRef = need("ModelRef");
export const MOMENT = { version: may("ModelVersion"), revision: may("ModelRevision") };
const side = (name: string) => ({
  [`${name}ModelRef`]: may("ModelRef"),
  [`${name}ModelVersion`]: may("ModelVersion"),
  [`${name}Revision`]: may("ModelRevision"),
  [`${name}Content`]: may("JsonContent"),
});

/** What looks at the past or at all models. */
export const ELSEWHERE: Readonly<Record<string, RefAction>> = {
  // test/store/past-properties.test.ts, test/actions/history.test.ts and restore.test.ts
  "model/model_export_version": known("model_read", { modelRef, version: need("ModelVersion") }),
  "model/history_versions": known("model_read", { modelRef, ...PAGING }),
  "model/history_version_changes": known("model_read", {
    modelRef,
    version: may("ModelVersion"),
    objectId: may("ObjectId"),
    ...PAGING,
  }),
  "model/model_restore": known("model_write", { modelRef, ...MOMENT }, true),
  // test/actions/compare.test.ts
  "model/model_compare": known("model_read", { ...side("left"), ...side("right"), scope: may("CompareScope") }),
  // test/store/search-oracle.test.ts
  "model/search": known("model_read", { filters: need("SearchFilters"), fields: may("SearchFields"), ...PAGING }),
  // test/actions/auth-audit.test.ts and test/store/audit-list.test.ts
  "auth/audit_list": known("admin", {
    actorId: may("ObjectId"),
    act: may("AuditAct"),
    outcome: may("AuditOutcome"),
    from: may("Moment"),
    until: may("Moment"),
    ...PAGING,
  }),
  // test/actions/scopes.test.ts
  "auth/can": known("signed_in", { actions: need("List<ActionPath>"), models: may("List<ModelRef>") }),
  // test/store/maintenance.test.ts
  "model/maintenance_rebuild_caches": known("admin", { modelRef: may("ModelRef"), mend: may("Boolean"), ...PAGING }),
  "tag/maintenance_rebuild_caches": known("admin", { mend: may("Boolean") }),
};

/** True for an action that random histories have: what is left to suites of its own has none. */
export function isInHistories(action: Action): boolean {
  return !isOfAccounts(action) && !Object.hasOwn(ELSEWHERE, `${action.group}/${action.name}`);
}
