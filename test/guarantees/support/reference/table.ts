import { may, needNamed, type RefAction } from "./action.ts";
import { ATTRIBUTE_ACTIONS } from "./attributes.ts";
import { batchAction } from "./batch.ts";
import { BUSINESS_KEY_ACTIONS } from "./business-keys.ts";
import { ENTITY_ACTIONS, TYPE_ACTIONS } from "./contents.ts";
import { DEFINITION_ACTIONS } from "./definition-actions.ts";
import { EXCHANGE_ACTIONS } from "./exchange.ts";
import { HISTORY_ACTIONS } from "./history.ts";
import { PAGING, page } from "./lists.ts";
import { MODEL_ACTIONS, MODEL_RELEASE } from "./models.ts";
import { RELATIONSHIP_ACTIONS } from "./relationships.ts";
import { MODEL_RESTORE, MODEL_UNDELETE } from "./restore.ts";
import { RUN_ACTIONS } from "./runs.ts";
import { MARK_ACTIONS } from "./tag-links.ts";
import { GLOBAL_TAG_ACTIONS, LOCAL_TAG_ACTIONS, TAG_GROUP_ACTIONS } from "./tags.ts";
import { getBy, readBy } from "./texts.ts";
import { MODEL_UNDO } from "./undo.ts";

/** Nothing is ever found in a table that only the service has written to. */
const NOTHING_WRONG = { found: 0, findings: [] };

const MAINTENANCE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/maintenance_rebuild_caches": readBy(
    "admin",
    { modelRef: may("ModelRef"), repair: may("Boolean"), ...PAGING },
    (asked) => {
      const { state, input } = asked;
      const { modelRef } = input;
      if (modelRef === undefined) {
        const answer = page(asked, state.models.values(), (rows) => ({ checked: rows.length, ...NOTHING_WRONG }));
        return { ...answer, body: { ...Object(answer.body), complete: answer.next === undefined } };
      }
      // A deleted model has a log that can be checked.
      const isKept = state.past.has(String(modelRef).toLowerCase().replace(/^id:/, ""));
      if (!isKept) needNamed(state.models.values(), modelRef);
      return { does: "read", body: { checked: 1, complete: true, ...NOTHING_WRONG } };
    },
  ),
  "tag/maintenance_rebuild_caches": getBy("admin", { repair: may("Boolean") }, () => NOTHING_WRONG),
};

/** Rules of the reference by `<group>/<action>`. A new action needs one here, or a row of `PROVEN_ELSEWHERE`. */
export const REFERENCE: Readonly<Record<string, RefAction>> = {
  ...MODEL_ACTIONS,
  "model/model_release": MODEL_RELEASE,
  ...EXCHANGE_ACTIONS,
  ...HISTORY_ACTIONS,
  "model/model_restore": MODEL_RESTORE,
  "model/model_undelete": MODEL_UNDELETE,
  "model/model_undo": MODEL_UNDO,
  ...RUN_ACTIONS,
  ...MAINTENANCE_ACTIONS,
  ...TYPE_ACTIONS,
  ...ENTITY_ACTIONS,
  ...ATTRIBUTE_ACTIONS,
  ...RELATIONSHIP_ACTIONS,
  ...BUSINESS_KEY_ACTIONS,
  ...MARK_ACTIONS,
  ...TAG_GROUP_ACTIONS,
  ...GLOBAL_TAG_ACTIONS,
  ...LOCAL_TAG_ACTIONS,
  ...DEFINITION_ACTIONS,
  "batch/batch_run": batchAction(() => REFERENCE),
};

/** The other actions of the service, each with the suite that proves what it answers. */
export const PROVEN_ELSEWHERE: readonly (readonly [actions: RegExp, suite: string])[] = [
  [/^auth\/admin_bootstrap$/, "test/actions/auth.test.ts"],
  [/^auth\/(?!admin_bootstrap$)/, "test/guarantees/grants.test.ts"],
  [/^batch\/job_/, "test/store/jobs/jobs.test.ts"],
  [/^config\/ai_agents_instructions$/, "test/http/agent-guide.test.ts"],
  [/^config\/(inspect_|sign_in_options$)/, "test/actions/config.test.ts"],
  [/^model\/model_(apply|compare)$/, "test/actions/apply-random.test.ts"],
  [/^model\/model_compare_as$/, "test/actions/compare-as.test.ts"],
  [/^model\/model_export_as$/, "test/actions/export-as.test.ts"],
  [/^model\/deleted_list$/, "test/actions/undelete.test.ts"],
  [/^model\/search$/, "test/search/search-oracle.test.ts"],
  [/^tag\/tag_search$/, "test/actions/tag-search.test.ts"],
];
