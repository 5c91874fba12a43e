import type { RecordedCall } from "../../actions/contract/call.ts";
import type { Commit, StoredPassword } from "../../actions/contract/store.ts";
import type { AuditActor, AuditChange, AuditEntry, SignIn } from "../../domain/accounts/audit.ts";
import { isServiceAccount } from "../../domain/accounts/principal.ts";
import type { KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { AnyObject, ObjectByKind } from "../../domain/model/objects.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import type { RoleRights } from "../../identity/accounts.ts";
import { auditKey, type ItemKey, passwordKey, ROLES } from "../table/keys.ts";
import { type PackedJson, pack, unpack } from "../table/pieces.ts";
import { parseRolesItem, toRolePermissions, toRolesItem } from "../table/roles-item.ts";
import { FORMAT, type Item, type Table, type Write } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

/** Creates the additional writes of a commit to accounts. */
export async function createAccountWrites(
  table: Table,
  { changes, passwords = [] }: Commit,
  revision: number,
  call: AuditedCall,
): Promise<readonly Write[]> {
  const deletedUsers = changes.flatMap(({ does, ...change }) =>
    does === "delete" && "before" in change && change.before.kind === "user" ? [change.before.key] : [],
  );
  return [
    ...(await createPasswordWrites(table, changes, passwords)),
    ...deletedUsers.map((username) => ({ delete: passwordKey(username), expect: ANYTHING })),
    ...(await createRolesWrites(table, changes, revision)),
    createAuditWrite(call, changes),
  ];
}

const ANYTHING = { anything: true } as const;

/** Returns the password item of a user, with the token epoch. */
export function toPasswordItem(username: string, hash: string, epoch: number): Item {
  return { ...passwordKey(username), v: FORMAT, hash, epoch };
}

async function createPasswordWrites(
  table: Table,
  changes: Commit["changes"],
  passwords: readonly StoredPassword[],
): Promise<readonly Write[]> {
  const writes: Write[] = [];
  const hashes = new Map(passwords.map(({ username, hash }) => [username, hash]));
  for (const { username, epoch } of changes.flatMap(findNewEpochs)) {
    const hash = hashes.get(username);
    hashes.delete(username);
    if (hash !== undefined) {
      writes.push({ put: toPasswordItem(username, hash, epoch), expect: ANYTHING });
      continue;
    }
    const before = String((await table.get(passwordKey(username)))?.hash);
    // Another call may have set a new password with its own epoch meanwhile.
    writes.push({ put: toPasswordItem(username, before, epoch), expect: { equal: { hash: before } } });
  }
  for (const username of hashes.keys())
    throw new Error(`the password of ${username} changes without a new token epoch`);
  return writes;
}

function findNewEpochs(change: Change): readonly { readonly username: string; readonly epoch: number }[] {
  if (change.does === "delete" || change.after.kind !== "actor" || change.after.issuer !== BUILT_IN) return [];
  if (isServiceAccount(change.after)) return [];
  const { subject: username, tokenEpoch: epoch = 0 } = change.after;
  const before = change.does === "update" && change.before.kind === "actor" ? change.before.tokenEpoch : undefined;
  return before === epoch ? [] : [{ username, epoch }];
}

/** Creates the write of the item with all roles if a role changes. The item must be unchanged since it was read. */
async function createRolesWrites(
  table: Table,
  changes: Commit["changes"],
  revision: number,
): Promise<readonly Write[]> {
  const removals = new Set<string>();
  const edits = new Map<string, RoleRights>();
  for (const change of changes) {
    if (change.does === "delete") removals.add(change.before.id);
    else if (change.after.kind === "role") edits.set(change.after.id, toRolePermissions(change.after));
  }
  const hasRoles = changes.some((change) => (change.does === "delete" ? change.before : change.after).kind === "role");
  if (!hasRoles) return [];
  const item = await table.get(ROLES);
  const before = parseRolesItem(item);
  const roles = [
    ...before.filter(({ id }) => !removals.has(id)).map((role) => edits.get(role.id) ?? role),
    ...[...edits.values()].filter(({ id }) => before.every((role) => role.id !== id)),
  ];
  // Expectations compare numbers. An item without a revision was not written by this version.
  const expect = item ? { equal: { revision: Number(item.revision) } } : { absent: true as const };
  return [{ put: toRolesItem(roles, revision), expect }];
}

/** Fields of each kind in audit entries. Other fields, such as a hash, are never in the audit log. */
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
    "endedSessions",
    "validAfter",
    "disabledAt",
  ],
  role: ["key", "name", "description", "permissions", "autoAssign"],
  api_token: ["owner", "name", "permissions", "models", "expiresAt"],
};
const TEXT_CHARACTERS = 100;

type AuditedCall = Pick<
  RecordedCall,
  "operationId" | "requestId" | "source" | "action" | "channel" | "run" | "principal" | "time"
>;

type Fields = Omit<AuditEntry, "id" | "time">;
type StoredFields = Omit<Fields, "changes"> & { readonly changes?: PackedJson };

/** Returns the item of an audit entry, which expires. */
export function toAuditItem(key: ItemKey, fields: Fields): Item {
  const expiresAt = Math.floor(Date.parse(parseTime(key.sk)) / 1000) + LIMITS.auditDays * 86_400;
  // Packed changes keep the order of their members.
  const changes = fields.changes && { changes: pack(fields.changes) };
  return { ...key, v: FORMAT, ...fields, ...changes, [TABLE.timeToLive]: expiresAt };
}

/** Returns the audit entry of an item. The table does not keep the order of members. */
export function toAuditEntry(item: Item): AuditEntry {
  // Written by `toAuditItem`.
  const { sk, act, outcome, actor, ...rest } = item as Item & StoredFields;
  return {
    id: sk,
    time: parseTime(sk),
    act,
    outcome,
    ...includeMember("actor", actor && { ...includeMember("id", actor.id), subject: actor.subject }),
    ...includeMember("requestId", rest.requestId),
    ...includeMember("clientRequestId", rest.clientRequestId),
    ...includeMember("gatewayRequestId", rest.gatewayRequestId),
    ...includeMember("address", rest.address),
    ...includeMember("channel", rest.channel),
    ...includeMember("run", rest.run),
    ...includeMember("apiToken", rest.apiToken),
    ...includeMember("session", rest.session),
    ...includeMember("tokenEpoch", rest.tokenEpoch),
    ...includeMember("count", rest.count),
    ...includeMember("until", rest.until),
    ...(rest.changes !== undefined && { changes: unpack(rest.changes) as readonly AuditChange[] }),
  };
}

const parseTime = (sk: string) => sk.slice(0, sk.indexOf("#"));

/** Creates the write of an audit entry, which never changes. */
export function createAuditWrite(
  call: AuditedCall,
  changes: readonly Change[],
  actor: AuditActor | undefined = toAuditActor(call),
  signIn: SignIn | undefined = undefined,
): Write {
  const auditChanges = changes
    .map(toAuditChange)
    .filter(({ change, before, after }) => change !== "update" || before || after);
  const put = toAuditItem(auditKey(call.time, call.operationId), {
    act: call.action,
    outcome: "ok",
    ...includeMember("actor", actor),
    requestId: call.requestId,
    ...call.source,
    channel: call.channel,
    ...includeMember("run", call.run),
    ...includeMember("apiToken", call.principal?.apiToken),
    ...includeMember("session", call.principal?.session?.id),
    ...signIn,
    ...(auditChanges.length > 0 && { changes: auditChanges }),
  });
  return { put, expect: { absent: true } };
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
    return {
      ...toNamedChange("update", change.after),
      ...includeMember("before", before),
      ...includeMember("after", after),
    };
  }
  if (change.does === "create")
    return { ...toNamedChange("create", change.after), ...includeMember("after", pickAuditedFields(change.after)) };
  return { ...toNamedChange("delete", change.before), ...includeMember("before", pickAuditedFields(change.before)) };
}

function toNamedChange(change: AuditChange["change"], object: AnyObject): Omit<AuditChange, "before" | "after"> {
  const { kind, id } = object;
  const name = kind === "actor" ? object.subject : kind === "api_token" ? object.name : object.key;
  return { change, kind, id, name };
}

function pickAuditedFields(object: AnyObject, other?: AnyObject): Readonly<Record<string, unknown>> | undefined {
  const [fields, others]: Readonly<Record<string, unknown>>[] = [{ ...object }, { ...other }];
  const names: readonly string[] = AUDITED[object.kind] ?? [];
  const members = names.filter((name) => !isSameValue(fields?.[name], others?.[name]));
  if (members.length === 0) return undefined;
  // Null means an absent member.
  return Object.fromEntries(members.map((name) => [name, truncateValue(fields?.[name] ?? (other ? null : undefined))]));
}

function truncateValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(truncateValue);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const characters = typeof value === "string" ? [...value] : [];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : value;
}
