import type { RefAction } from "./reference-action.ts";
import { ATTRIBUTE_ACTIONS } from "./reference-attributes.ts";
import { AUTH_ACTIONS } from "./reference-auth.ts";
import { batchAction } from "./reference-batch.ts";
import { BUSINESS_KEY_ACTIONS } from "./reference-business-keys.ts";
import { canAction } from "./reference-can.ts";
import { MODEL_COMPARE } from "./reference-compare.ts";
import { ENTITY_ACTIONS, TYPE_ACTIONS } from "./reference-contents.ts";
import { ELSEWHERE } from "./reference-elsewhere.ts";
import { EXCHANGE_ACTIONS } from "./reference-exchange.ts";
import { HISTORY_ACTIONS } from "./reference-history.ts";
import { JOB_ACTIONS } from "./reference-jobs.ts";
import { MAINTENANCE_ACTIONS } from "./reference-maintenance.ts";
import { MARK_ACTIONS } from "./reference-marks.ts";
import { MODEL_ACTIONS } from "./reference-models.ts";
import { RELATIONSHIP_ACTIONS } from "./reference-relationships.ts";
import { MODEL_RELEASE } from "./reference-releases.ts";
import { MODEL_RESTORE } from "./reference-restore.ts";
import { SEARCH } from "./reference-search.ts";
import { serviceActions } from "./reference-service.ts";
import { TAG_SEARCH } from "./reference-tag-search.ts";
import { GLOBAL_TAG_ACTIONS, LOCAL_TAG_ACTIONS, TAG_GROUP_ACTIONS } from "./reference-tags.ts";

/**
 * What every action has to answer, by `<group>/<action>`. A new action of the service needs one small function here, or
 * the histories fail by its name; a new type of parameter needs its check in reference-values.ts and its values in
 * history-values.ts.
 */
export const REFERENCE: Readonly<Record<string, RefAction>> = {
  ...MODEL_ACTIONS,
  "model/model_release": MODEL_RELEASE,
  ...EXCHANGE_ACTIONS,
  ...HISTORY_ACTIONS,
  "model/model_restore": MODEL_RESTORE,
  "model/model_compare": MODEL_COMPARE,
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
  "tag/tag_search": TAG_SEARCH,
  "batch/batch_run": batchAction(() => REFERENCE),
  ...JOB_ACTIONS,
  ...AUTH_ACTIONS,
  "auth/can": canAction(() => REFERENCE),
  ...serviceActions(() => REFERENCE),
};
