import { hashActorKey } from "../../shared/domain/accounts/actors.ts";
import type { Actor, AnyObject, AuthRole, User } from "../../shared/domain/model/objects.ts";
import { BUILT_IN, MANAGED_ROLES } from "../../shared/domain/permissions.ts";
import { createPasswords } from "../../shared/identity/passwords.ts";
import { toPasswordItem } from "../../shared/store/commit/account-writes.ts";
import { toIdItem, toObjectItem } from "../../shared/store/table/items.ts";
import { ACCOUNTS_LEDGER } from "../../shared/store/table/keys.ts";
import { toRolePermissions, toRolesItem } from "../../shared/store/table/roles-item.ts";
import type { Item, Table } from "../../shared/store/table/table.ts";

/** The password of everyone whom tests settle. */
export const PASSWORD = "violet harbor 1 lantern";

let hashed: Promise<string> | undefined;

/** The hash of that password, made once per test file. */
export function passwordHash(): Promise<string> {
  hashed ??= createPasswords().hash(PASSWORD);
  return hashed;
}

/** Writes accounts as they are before the first entry of their log. */
export async function writeObjects(table: Table, objects: readonly AnyObject[]): Promise<void> {
  const items = objects.flatMap((object) => {
    const id = toIdItem(ACCOUNTS_LEDGER, object, 0);
    return [toObjectItem(ACCOUNTS_LEDGER, object, 0), ...(id ? [id] : [])];
  });
  await putAll(table, items);
}

/** Someone to be settled: a user of the built-in provider where not told otherwise. */
export interface Person {
  readonly username: string;
  readonly id: string;
  readonly fullname?: string;
  readonly roles: readonly string[];
  readonly tokenEpoch?: number;
  readonly createdAt: string;
  readonly disabledAt?: string;
  /** The password; `PASSWORD` where not told otherwise. */
  readonly password?: string;
}

/** Writes a user who can sign in, with the actor of that id. */
export async function writePerson(table: Table, person: Person): Promise<void> {
  const { username, id, fullname = `The ${username}`, roles, tokenEpoch = 1, createdAt, disabledAt } = person;
  const common = { fullname, revision: 0, createdAt, ...(disabledAt !== undefined && { disabledAt }) };
  const user: User = { kind: "user", id: id.slice(0, -1) + (id.endsWith("f") ? "e" : "f"), key: username, ...common };
  const key = hashActorKey(BUILT_IN, username);
  const actor: Actor = { kind: "actor", id, key, issuer: BUILT_IN, subject: username, roles, tokenEpoch, ...common };
  await writeObjects(table, [user, actor]);
  const { password } = person;
  const hash = password === undefined ? await passwordHash() : await createPasswords().hash(password);
  await putAll(table, [toPasswordItem(username, hash, tokenEpoch)]);
}

export async function writeRoles(table: Table, newId: () => string, createdAt: string, ...others: readonly AuthRole[]) {
  const managed = MANAGED_ROLES.map(
    (role): AuthRole => ({
      kind: "role",
      id: newId(),
      revision: 0,
      managed: true,
      createdAt,
      updatedAt: createdAt,
      ...role,
      permissions: [...role.permissions].sort(),
    }),
  );
  const roles = [...managed, ...others];
  await writeObjects(table, roles);
  await putAll(table, [toRolesItem(roles.map(toRolePermissions), 0)]);
  return roles;
}

async function putAll(table: Table, items: readonly Item[]) {
  for (const put of items) await table.write({ put, expect: { absent: true } });
}

/** The owner of jobs that a test accepts itself. */
export const OWNER = {
  ...{ actorId: "01890a5d-ac96-774b-bcce-b302099a8057", issuer: BUILT_IN },
  ...{ subject: "owner", fullname: "The owner", claimedRoles: ["manager"] },
} as const;

/** Writes the owner of jobs, whom a worker looks for. */
export async function writeOwner(table: Table): Promise<void> {
  const { actorId: id, subject: username } = OWNER;
  await writePerson(table, { username, id, roles: [], createdAt: "2026-01-01T00:00:00.000Z" });
}
