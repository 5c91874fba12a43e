import type { Call } from "../../actions/contract/call.ts";
import type { Commit, StoredPassword } from "../../actions/contract/store.ts";
import type { AuditActor, AuditChange, AuditEntry } from "../../domain/accounts/audit.ts";
import { BUILT_IN, isServiceAccount } from "../../domain/accounts/principal.ts";
import type { KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { ifDefined } from "../../domain/model/content.ts";
import type { AnyObject, ObjectByKind } from "../../domain/model/objects.ts";
import { sameValue } from "../../domain/text/json-values.ts";
import type { JudgedRole } from "../../identity/accounts.ts";
import { auditKey, type ItemKey, passwordKey, ROLES } from "../table/keys.ts";
import { type Packed, pack, unpack } from "../table/pieces.ts";
import { parseRolesItem, toRolePermissions, toRolesItem } from "../table/roles-item.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import type { PlannedWrite } from "./writes.ts";

/** The writes of a commit to the accounts ledger beside its objects: passwords, the item with all roles, and its audit entry. */
export async function createAccountWrites(
  table: Table,
  { changes, passwords = [] }: Commit,
  revision: number,
  call: AuditedCall,
): Promise<readonly PlannedWrite[]> {
  const gone = changes.flatMap(({ does, ...change }) =>
    does === "delete" && "before" in change && change.before.kind === "user" ? [change.before.key] : [],
  );
  return [
    ...(await createPasswordWrites(table, changes, passwords)),
    ...gone.map((username) => ({ write: { delete: passwordKey(username), expect: ANYTHING } })),
    ...(await createRolesWrites(table, changes, revision)),
    createAuditWrite(call, changes),
  ];
}

const ANYTHING = { anything: true } as const;

/**
 * The password of a user, with the epoch of the actor's tokens that it opens: whoever reads a hash has the epoch of the same
 * moment, however much of a change is visible elsewhere.
 */
export function toPasswordItem(username: string, hash: string, epoch: number): Item {
  return { ...passwordKey(username), v: FORMAT, hash, epoch };
}

/** The writes of new passwords, and of unchanged ones whose user's tokens end. */
async function createPasswordWrites(
  table: Table,
  changes: Commit["changes"],
  passwords: readonly StoredPassword[],
): Promise<readonly PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  const hashes = new Map(passwords.map(({ username, hash }) => [username, hash]));
  for (const { username, epoch } of changes.flatMap(findNewEpochs)) {
    const hash = hashes.get(username);
    hashes.delete(username);
    if (hash !== undefined) {
      writes.push({ write: { put: toPasswordItem(username, hash, epoch), expect: ANYTHING } });
      continue;
    }
    const before = String((await table.get(passwordKey(username)))?.hash);
    // A new password given to this user meanwhile has an epoch of its own.
    writes.push({ write: { put: toPasswordItem(username, before, epoch), expect: { equal: { hash: before } } } });
  }
  for (const username of hashes.keys()) throw new Error(`the password of ${username} changes and the epoch does not`);
  return writes;
}

/** The user and the token epoch that a change begins; none where the epoch stays. */
function findNewEpochs(change: Change): readonly { readonly username: string; readonly epoch: number }[] {
  if (change.does === "delete" || change.after.kind !== "actor" || change.after.issuer !== BUILT_IN) return [];
  if (isServiceAccount(change.after)) return [];
  const { subject: username, tokenEpoch: epoch = 0 } = change.after;
  const before = change.does === "update" && change.before.kind === "actor" ? change.before.tokenEpoch : undefined;
  return before === epoch ? [] : [{ username, epoch }];
}

/**
 * The write of the item with all roles, where a role changes: the changes applied to the item as it was read, which has
 * to be unchanged.
 */
async function createRolesWrites(
  table: Table,
  changes: Commit["changes"],
  revision: number,
): Promise<readonly PlannedWrite[]> {
  const removed = new Set<string>();
  const changed = new Map<string, JudgedRole>();
  for (const change of changes) {
    if (change.does === "delete") removed.add(change.before.id);
    else if (change.after.kind === "role") changed.set(change.after.id, toRolePermissions(change.after));
  }
  const touched = changes.some((change) => (change.does === "delete" ? change.before : change.after).kind === "role");
  if (!touched) return [];
  const item = await table.get(ROLES);
  const before = parseRolesItem(item);
  const roles = [
    ...before.filter(({ id }) => !removed.has(id)).map((role) => changed.get(role.id) ?? role),
    ...[...changed.values()].filter(({ id }) => before.every((role) => role.id !== id)),
  ];
  // An expectation compares numbers: an item without a revision is none of this version's.
  const expect = item ? { equal: { revision: Number(item.revision) } } : { absent: true as const };
  return [{ write: { put: toRolesItem(roles, revision), expect } }];
}

/** The fields of each kind that audit entries show. A field that is not named here, such as a hash, is never in the audit log. */
const AUDITED: { readonly [N in KindName]?: readonly (keyof ObjectByKind[N])[] } = {
  user: ["fullname", "passwordChangedAt", "disabledAt"],
  actor: [
    "issuer",
    "fullname",
    "email",
    "roles",
    "scopedRoles",
    "claimedRoles",
    "tokenEpoch",
    "validAfter",
    "disabledAt",
  ],
  role: ["key", "name", "description", "permissions", "autoAssign"],
  api_token: ["owner", "name", "permissions", "models", "expiresAt"],
};
/** Characters after which a text is cut. */
const TEXT_CHARACTERS = 100;

/** The facts of a call that an entry repeats. */
type AuditedCall = Pick<Call, "operationId" | "requestId" | "action" | "channel" | "principal" | "time">;

type Fields = Omit<AuditEntry, "id" | "time">;
type Stored = Omit<Fields, "changes"> & { readonly changes?: Packed };

/** An entry as it is stored, until its time is over. */
export function toAuditItem(key: ItemKey, fields: Fields): Item {
  const kept = Math.floor(Date.parse(parseTime(key.sk)) / 1000) + LIMITS.auditDays * 86_400;
  // Packed, the members of the changes keep their order.
  const changes = fields.changes && { changes: pack(fields.changes) };
  return { ...key, v: FORMAT, ...fields, ...changes, [TABLE.timeToLive]: kept };
}

/** The entry an item holds; its id and its time stand in the sort key. The table keeps no order of members. */
export function toAuditEntry(item: Item): AuditEntry {
  // Written by `auditItem`.
  const { sk, act, outcome, actor, ...rest } = item as Item & Stored;
  return {
    id: sk,
    time: parseTime(sk),
    act,
    outcome,
    ...ifDefined("actor", actor && { ...ifDefined("id", actor.id), subject: actor.subject }),
    ...ifDefined("requestId", rest.requestId),
    ...ifDefined("channel", rest.channel),
    ...ifDefined("apiToken", rest.apiToken),
    ...ifDefined("count", rest.count),
    ...ifDefined("until", rest.until),
    ...(rest.changes !== undefined && { changes: unpack(rest.changes) as readonly AuditChange[] }),
  };
}

const parseTime = (sk: string): string => sk.slice(0, sk.indexOf("#"));

/** The entry of an act that was done, written once and never changed. */
export function createAuditWrite(
  call: AuditedCall,
  changes: readonly Change[],
  actor: AuditActor | undefined = toAuditActor(call),
): PlannedWrite {
  const told = changes.map(toAuditChange).filter(({ change, before, after }) => change !== "update" || before || after);
  const put = toAuditItem(auditKey(call.time, call.operationId), {
    act: call.action,
    outcome: "ok",
    ...ifDefined("actor", actor),
    requestId: call.requestId,
    channel: call.channel,
    ...ifDefined("apiToken", call.principal?.apiToken),
    ...(told.length > 0 && { changes: told }),
  });
  return { write: { put, expect: { absent: true } } };
}

function toAuditActor({ principal }: AuditedCall): AuditActor | undefined {
  return principal && { id: principal.actorId, subject: principal.subject };
}

function toAuditChange(change: Change): AuditChange {
  if (change.does === "update") {
    const [before, after] = [
      pickAuditedFields(change.before, change.after),
      pickAuditedFields(change.after, change.before),
    ];
    return { ...toNamedChange("update", change.after), ...ifDefined("before", before), ...ifDefined("after", after) };
  }
  if (change.does === "create")
    return { ...toNamedChange("create", change.after), ...ifDefined("after", pickAuditedFields(change.after)) };
  return { ...toNamedChange("delete", change.before), ...ifDefined("before", pickAuditedFields(change.before)) };
}

function toNamedChange(change: AuditChange["change"], object: AnyObject): Omit<AuditChange, "before" | "after"> {
  const { kind, id } = object;
  const name = kind === "actor" ? object.subject : kind === "api_token" ? object.name : object.key;
  return { change, kind, id, name };
}

/** The fields that differ from those of the other side; undefined where none does. */
function pickAuditedFields(object: AnyObject, other?: AnyObject): Readonly<Record<string, unknown>> | undefined {
  const [fields, others]: Readonly<Record<string, unknown>>[] = [{ ...object }, { ...other }];
  const names: readonly string[] = AUDITED[object.kind] ?? [];
  const shown = names.filter((name) => !sameValue(fields?.[name], others?.[name]));
  if (shown.length === 0) return undefined;
  // Null stands for a member that is not there.
  return Object.fromEntries(shown.map((name) => [name, truncateValue(fields?.[name] ?? (other ? null : undefined))]));
}

/** A value as an audit entry shows it: long texts are cut, and members of objects are sorted. */
function truncateValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(truncateValue);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const characters = typeof value === "string" ? [...value] : [];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : value;
}
