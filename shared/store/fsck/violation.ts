import type { ItemKey } from "../table/keys.ts";
import type { Expectation, Item, Write } from "../table/table.ts";

/** All codes of violations with the rule that each breaks. */
export const VIOLATIONS = {
  "log-gap": "The revisions of a log begin at 1 and none is missing.",
  "log-operation-repeated": "No operation holds two revisions of a log.",
  "log-misfit": "Every change of a log fits the state before it.",
  "log-facts": "Key, generation and state in a log entry match the model after it.",
  "log-after-tombstone":
    "Only an entry that undeletes the model, with a new generation, follows the one that deleted it.",
  "changes-broken": "Changes of a log in a blob exist and are readable.",
  "snapshot-broken": "Every snapshot that a log names exists and is readable.",
  "snapshot-differs": "A snapshot matches the log at its revision.",
  "snapshot-wrong": "A snapshot of the sweeper exists and matches the log at its revision.",
  "import-broken": "The last imported document of every source exists and is readable.",
  "object-missing": "Every object of the log is stored.",
  "object-differs": "Every stored object matches the log in every field.",
  "object-unexpected": "No object is stored that is missing in the log.",
  "object-orphaned": "Objects of a removed owner are swept within a day.",
  "id-missing": "Every id leads to its object.",
  "id-differs": "Every id leads to the sort key of its object.",
  "id-unexpected": "No id leads to a missing object.",
  "ref-dangling": "Every reference names an object of the right kind.",
  "primary-key-repeated": "A primary or business key names each attribute once.",
  "summary-missing": "Every model is in the list of models.",
  "summary-differs": "The list of models shows the current fields of each model.",
  "summary-unexpected": "The list of models shows no deleted model, and none under a former key.",
  "deleted-missing": "Every deleted model is in the list of deleted models, with the facts of its deletion.",
  "deleted-unexpected": "The list of deleted models shows no other model.",
  "run-missing": "Every commit of a run is listed under its run.",
  "release-missing": "Every release in a log exists, including the first one of every model.",
  "release-wrong": "A release names an existing revision with its version and its snapshot.",
  "staging-alive": "A published generation is not staged as unpublished.",
  "staging-stale": "Unpublished stagings are closed within a day.",
  "sweep-stale": "Sweep notes are processed within a day.",
  "sweep-alive": "No live data is noted for the sweep.",
  "generation-orphaned": "Every stored generation belongs to a model, is being written, or is noted for the sweep.",
  "blob-orphaned": "Every blob is named by a log entry, a release, a snapshot, an open staging or a job.",
  "job-stale": "A job that has not ended is worked on within a day.",
  "job-order-missing": "A job that has not ended has its order.",
  "record-expired": "Expired items are removed within a week.",
  "partition-unknown": "The table contains no unknown items.",
  "format-unknown": "Every item has a format that this version of the service can read.",
  "account-misplaced": "Every user, actor and API token is stored under its key.",
  "account-differs": "Users, actors, roles and API tokens match the log of accounts.",
  "user-without-actor": "Every user has its actor.",
  "actor-without-user": "Every actor of the built-in provider has its user.",
  "token-without-actor": "Every API token belongs to an actor.",
  "role-unknown": "Actors have roles that exist or were deleted.",
  "role-repeated": "Roles differ in id and key.",
  "account-id": "Every id of a user, actor, role or API token leads to its item, and no other id exists.",
  "password-unpaired": "Every user has a password, and no password is without its user.",
  "password-epoch": "A password has the token epoch of its user's actor.",
  "roles-judged": "The item with all roles matches the stored roles.",
  "audit-missing": "Every commit of the log of accounts has an audit entry until the entry expires.",
  "bootstrap-mark": "The bootstrap is marked as used once there is a first administrator.",
} as const;

export type ViolationCode = keyof typeof VIOLATIONS;

/** Repair of a violation: a conditional transaction, or a run of the sweeper. */
export interface Repair {
  readonly how: string;
  readonly by: readonly Write[] | "sweep";
}

/** One broken rule at one key of the table. */
export interface Violation {
  readonly code: ViolationCode;
  readonly key: ItemKey;
  readonly sentence: string;
  /** Absent if only a person can decide. */
  readonly repair?: Repair;
}

/** Creates the violation of a rule by the item at a key. */
export function createViolation(
  code: ViolationCode,
  { pk, sk }: ItemKey,
  sentence: string,
  repair?: Repair,
): Violation {
  return { code, key: { pk, sk }, sentence, ...(repair && { repair }) };
}

/** Returns the code and the key of a violation, which stay the same when it is found again. */
export function nameViolation({ code, key }: Violation): string {
  return `${code} ${key.pk} ${key.sk}`;
}

/** Longest text in a condition. Longer texts are not needed to distinguish two states. */
const CONDITION_CHARACTERS = 200;

function expectAsRead(item: Item): Expectation {
  const equal: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "number") equal[name] = value;
    if (typeof value === "string" && value.length <= CONDITION_CHARACTERS) equal[name] = value;
  }
  return { equal };
}

/** Creates the write that replaces the item that was read by the correct one. */
export function createCorrection(item: Item | undefined, expectedItem: Item): Write {
  return { put: expectedItem, expect: item ? expectAsRead(item) : { absent: true } };
}

/** Creates the write that deletes an item if it is unchanged. */
export function createRemoval(item: Item): Write {
  return { delete: { pk: item.pk, sk: item.sk }, expect: expectAsRead(item) };
}
