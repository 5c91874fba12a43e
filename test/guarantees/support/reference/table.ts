import type { RefAction } from "./action.ts";
import { MODEL_APPLY } from "./apply.ts";
import { ATTRIBUTE_ACTIONS } from "./attributes.ts";
import { AUTH_ACTIONS } from "./auth.ts";
import { batchAction } from "./batch.ts";
import { BUSINESS_KEY_ACTIONS } from "./business-keys.ts";
import { canAction } from "./can.ts";
import { MODEL_COMPARE, MODEL_COMPARE_AS } from "./compare.ts";
import { ENTITY_ACTIONS, TYPE_ACTIONS } from "./contents.ts";
import { DEFINITION_ACTIONS } from "./definition-actions.ts";
import { EXCHANGE_ACTIONS } from "./exchange.ts";
import { acceptExpand } from "./expand-keys.ts";
import { HISTORY_ACTIONS } from "./history.ts";
import { JOB_ACTIONS } from "./jobs.ts";
import { MAINTENANCE_ACTIONS } from "./maintenance.ts";
import { MODEL_ACTIONS } from "./models.ts";
import { ELSEWHERE } from "./other-suites.ts";
import { RELATIONSHIP_ACTIONS } from "./relationships.ts";
import { MODEL_RELEASE } from "./releases.ts";
import { MODEL_RESTORE } from "./restore.ts";
import { SEARCH } from "./search.ts";
import { serviceActions } from "./service.ts";
import { MARK_ACTIONS } from "./tag-links.ts";
import { TAG_SEARCH } from "./tag-search.ts";
import { GLOBAL_TAG_ACTIONS, LOCAL_TAG_ACTIONS, TAG_GROUP_ACTIONS } from "./tags.ts";

/** Actions that write nothing and yet are no reads: signing in, what the service says of itself, checks and ends of jobs. */
const NO_READS = /^config\/|\/(login|admin_bootstrap|can|job_cancel|maintenance_\w+)$/;

/**
 * The reference's rule for every action, by `<group>/<action>`. A new action of the service needs one small function
 * here, or the histories fail by its name; a new type of parameter needs its check in reference/values.ts and its values
 * in history/values.ts.
 */
const ACTIONS: Readonly<Record<string, RefAction>> = {
  ...MODEL_ACTIONS,
  "model/model_release": MODEL_RELEASE,
  ...EXCHANGE_ACTIONS,
  ...HISTORY_ACTIONS,
  "model/model_restore": MODEL_RESTORE,
  "model/model_apply": MODEL_APPLY,
  "model/model_compare": MODEL_COMPARE,
  "model/model_compare_as": MODEL_COMPARE_AS,
  "model/search": SEARCH,
  ...MAINTENANCE_ACTIONS,
  ...ELSEWHERE,
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
  "tag/tag_search": TAG_SEARCH,
  "batch/batch_run": batchAction(() => REFERENCE),
  ...JOB_ACTIONS,
  ...AUTH_ACTIONS,
  "auth/can": canAction(() => REFERENCE),
  ...serviceActions(() => REFERENCE),
};

/** The reference's rule for every action, with what all reads have in common. */
export const REFERENCE: Readonly<Record<string, RefAction>> = Object.fromEntries(
  Object.entries(ACTIONS).map(([path, action]) => [
    path,
    action.writes || NO_READS.test(path) ? action : acceptExpand(action),
  ]),
);
