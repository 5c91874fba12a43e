import type { Commit, StoredPassword } from "../../actions/contract/store.ts";
import type { Change } from "../../domain/change.ts";
import { BUILT_IN } from "../../domain/principal.ts";
import { isServiceAccount } from "../../domain/service-account.ts";
import type { JudgedRole } from "../../identity/accounts.ts";
import { judgedBy, judgedItem } from "../table/judged-item.ts";
import { judgedRoles } from "../table/judged-roles.ts";
import { passwordKey, ROLES } from "../table/keys.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { type AuditedCall, auditWrite } from "./audit-items.ts";
import type { GuardedWrite } from "./writes.ts";

/** The writes of a commit to the accounts ledger beside its objects: passwords, the item with all roles, and its audit entry. */
export async function accountWrites(
  table: Table,
  { changes, passwords = [] }: Commit,
  revision: number,
  call: AuditedCall,
): Promise<readonly GuardedWrite[]> {
  const gone = changes.flatMap(({ does, ...change }) =>
    does === "delete" && "before" in change && change.before.kind === "user" ? [change.before.key] : [],
  );
  return [
    ...(await passwordWrites(table, changes, passwords)),
    ...gone.map((username) => ({ write: { delete: passwordKey(username), expect: ANYTHING } })),
    ...(await rolesWrites(table, changes, revision)),
    auditWrite(call, changes),
  ];
}

const ANYTHING = { anything: true } as const;

/**
 * The password of a user, with the epoch of the actor's tokens that it opens: whoever reads a hash has the epoch of the same
 * moment, however much of a change is visible elsewhere.
 */
export function passwordItem(username: string, hash: string, epoch: number): Item {
  return { ...passwordKey(username), v: FORMAT, hash, epoch };
}

/** The writes of new passwords, and of unchanged ones whose user's tokens end. */
async function passwordWrites(
  table: Table,
  changes: Commit["changes"],
  passwords: readonly StoredPassword[],
): Promise<readonly GuardedWrite[]> {
  const writes: GuardedWrite[] = [];
  const hashes = new Map(passwords.map(({ username, hash }) => [username, hash]));
  for (const { username, epoch } of changes.flatMap(newEpoch)) {
    const hash = hashes.get(username);
    hashes.delete(username);
    if (hash !== undefined) {
      writes.push({ write: { put: passwordItem(username, hash, epoch), expect: ANYTHING } });
      continue;
    }
    const before = String((await table.get(passwordKey(username)))?.hash);
    // A new password given to this user meanwhile has an epoch of its own.
    writes.push({ write: { put: passwordItem(username, before, epoch), expect: { equal: { hash: before } } } });
  }
  for (const username of hashes.keys()) throw new Error(`the password of ${username} changes and the epoch does not`);
  return writes;
}

/** The user and the token epoch that a change begins; none where the epoch stays. */
function newEpoch(change: Change): readonly { readonly username: string; readonly epoch: number }[] {
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
async function rolesWrites(
  table: Table,
  changes: Commit["changes"],
  revision: number,
): Promise<readonly GuardedWrite[]> {
  const removed = new Set<string>();
  const changed = new Map<string, JudgedRole>();
  for (const change of changes) {
    if (change.does === "delete") removed.add(change.before.id);
    else if (change.after.kind === "role") changed.set(change.after.id, judgedBy(change.after));
  }
  const touched = changes.some((change) => (change.does === "delete" ? change.before : change.after).kind === "role");
  if (!touched) return [];
  const item = await table.get(ROLES);
  const before = judgedRoles(item);
  const roles = [
    ...before.filter(({ id }) => !removed.has(id)).map((role) => changed.get(role.id) ?? role),
    ...[...changed.values()].filter(({ id }) => before.every((role) => role.id !== id)),
  ];
  // An expectation compares numbers: an item without a revision is none of this version's.
  const expect = item ? { equal: { revision: Number(item.revision) } } : { absent: true as const };
  return [{ write: { put: judgedItem(roles, revision), expect } }];
}
