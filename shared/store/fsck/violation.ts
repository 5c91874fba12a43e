import type { ItemKey } from "../table/keys.ts";
import type { Expectation, Item, Write } from "../table/table.ts";

/** All codes of violations with the rule that each breaks. */
export const VIOLATIONS = {
  "log-gap": "The revisions of a log begin at 1 and none is missing.",
  "log-operation-repeated": "No operation holds two revisions of a log.",
  "log-misfit": "Every change of a log fits the state that the log gives before it.",
  "log-facts": "Key, generation and state in a log entry are those of the model after it.",
  "log-after-tombstone": "Nothing follows the entry that deleted a model.",
  "changes-broken": "Changes that a log keeps in a blob are there and can be read.",
  "snapshot-broken": "Every snapshot that a log names is there and can be read.",
  "snapshot-differs": "A snapshot holds what the log gives at its revision.",
  "snapshot-wrong": "A snapshot that the sweeper made is there, and holds what the log gives at its revision.",
  "import-broken": "Every document that was imported last from a source is there and can be read.",
  "object-missing": "Every object the log gives is stored.",
  "object-differs": "Every object is stored as the log gives it, in every field.",
  "object-unexpected": "No object is stored that the log does not give.",
  "object-orphaned": "What a removed object owned is swept within a day.",
  "id-missing": "Every id leads to its object.",
  "id-differs": "Every id leads to where its object is.",
  "id-unexpected": "No id leads to an object that is not there.",
  "ref-dangling": "Every reference names an object of the right kind.",
  "primary-key-repeated": "A primary or business key names each attribute once.",
  "summary-missing": "Every model is in the list of models.",
  "summary-differs": "The list of models shows each model's own fields.",
  "summary-unexpected": "The list of models shows no model that is gone, and none under a former key.",
  "release-missing": "Every release that a log tells of is there, the first of every model included.",
  "release-wrong": "A release names a revision that exists and that has its version and its snapshot.",
  "staging-alive": "What a log has published is not staged as if it were not.",
  "staging-stale": "What was never published is given up within a day.",
  "sweep-stale": "What is to be swept is swept within a day.",
  "sweep-alive": "Nothing that is alive is noted for the sweep.",
  "generation-orphaned": "Every stored generation is a model's own, is being written, or is noted for the sweep.",
  "blob-orphaned": "Every blob is named by a log entry, a release, a snapshot, an open staging or a job.",
  "job-stale": "A job that has not ended is worked on within a day.",
  "job-order-missing": "A job that has not ended has its order.",
  "record-expired": "What has expired is removed within a week.",
  "partition-unknown": "The table holds nothing that the service does not know.",
  "format-unknown": "Every item has a format that this version of the service can read.",
  "account-misplaced": "Every user, actor and API token is where its name says.",
  "account-differs": "Users, actors, roles and API tokens are stored as the log of accounts gives them.",
  "user-without-actor": "Every user has its actor.",
  "actor-without-user": "Every actor of the built-in provider has its user.",
  "token-without-actor": "Every API token stands for an actor.",
  "role-unknown": "Actors have roles that exist or were deleted.",
  "role-repeated": "Roles differ in id and key.",
  "account-id": "Every id of a user, actor, role or API token leads to where it is, and no other id does.",
  "password-unpaired": "Every user has a password, and no password is without its user.",
  "password-epoch": "A password opens tokens of the epoch that its user's actor is at.",
  "roles-judged": "The roles that callers are judged by are the roles there are.",
  "audit-missing": "Every commit of the log of accounts has its audit entry, until that has expired.",
  "bootstrap-mark": "The bootstrap is marked as used once there is a first administrator.",
} as const;

export type ViolationCode = keyof typeof VIOLATIONS;

/** Repair of a violation: one transaction that requires everything to be as it was found, or a run of the sweeper. */
export interface Repair {
  /** Sentence that says what the repair does. */
  readonly how: string;
  readonly by: readonly Write[] | "sweep";
}

/** One broken rule at one key of the table. */
export interface Violation {
  readonly code: ViolationCode;
  readonly place: ItemKey;
  readonly sentence: string;
  /** Absent if only a person can decide. */
  readonly repair?: Repair;
}

/** Longest text in a condition. Longer texts are not needed to distinguish two states. */
const CONDITION_CHARACTERS = 200;

/** Expectation that the numbers and short texts of an item are unchanged. */
export function expectAsRead(item: Item): Expectation {
  const equal: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "number") equal[name] = value;
    if (typeof value === "string" && value.length <= CONDITION_CHARACTERS) equal[name] = value;
  }
  return { equal };
}

/** Creates the write that replaces the item that was read by the correct one. */
export function createCorrection(read: Item | undefined, wanted: Item): Write {
  return { put: wanted, expect: read ? expectAsRead(read) : { absent: true } };
}

/** Creates the write that deletes an item if it is unchanged. */
export function createRemoval(read: Item): Write {
  return { delete: { pk: read.pk, sk: read.sk }, expect: expectAsRead(read) };
}
