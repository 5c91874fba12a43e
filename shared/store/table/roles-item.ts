import { hashRoleKey } from "../../domain/accounts/actors.ts";
import type { AuthRole } from "../../domain/model/objects.ts";
import type { RoleRights } from "../../identity/accounts.ts";
import { ROLES } from "./keys.ts";
import { FORMAT, type Item } from "./table.ts";

/*
 * Every call reads all roles, so the item with them is small: 28 bytes per role, and `LIMITS.roles` of them cost one
 * read unit. The item also holds the names of the permissions that the bits refer to. Their order may change.
 */

/** Bytes of the id, of a bit for each permission, and of the digest of the key. */
export const [ID, BITS, DIGEST] = [16, 4, 8];
export const ROW = ID + BITS + DIGEST;

/** Parses the roles of the item; none if there is no item yet. */
export function parseRolesItem(item: Item | undefined): readonly RoleRights[] {
  if (!item) return [];
  // Written by `toRolesItem`.
  const { names, rows } = item as unknown as { readonly names: readonly string[]; readonly rows: Uint8Array };
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  return Array.from({ length: bytes.length / ROW }, (_, i) => {
    const row = bytes.subarray(i * ROW, (i + 1) * ROW);
    const bits = row.readUInt32BE(ID);
    return {
      id: row.toString("hex", 0, ID).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
      keyDigest: row.toString("base64url", ID + BITS),
      permissions: names.filter((_, bit) => (bits & (1 << bit)) !== 0),
    };
  });
}

/** Creates a parser that parses an item with the same contents once, because every call reads the item. */
export function createRolesParser(): (item: Item | undefined) => readonly RoleRights[] {
  let last: { readonly names: string; readonly rows: Buffer; readonly roles: readonly RoleRights[] } | undefined;
  return (item) => {
    if (!item) return [];
    const [names, rows] = [JSON.stringify(item.names), Buffer.from(item.rows as Uint8Array)];
    if (last?.names !== names || !last.rows.equals(rows)) last = { names, rows, roles: parseRolesItem(item) };
    return last.roles;
  };
}

/** Returns the part of a role that decides the rights of callers. */
export function toRolePermissions({ id, key, permissions }: Pick<AuthRole, "id" | "key" | "permissions">): RoleRights {
  return { id, keyDigest: hashRoleKey(key), permissions: [...permissions].sort() };
}

/** Returns the item with all roles after a revision of the ledger of accounts. */
export function toRolesItem(roles: readonly RoleRights[], revision: number): Item {
  const names = [...new Set(roles.flatMap(({ permissions }) => permissions))].sort();
  if (names.length > 8 * BITS)
    throw new Error(`roles with ${names.length} different permissions do not fit into their item`);
  const rows = Buffer.alloc(roles.length * ROW);
  for (const [i, { id, keyDigest, permissions }] of roles.entries()) {
    const at = i * ROW;
    rows.write(id.replaceAll("-", ""), at, "hex");
    const bits = permissions.reduce((sum, permission) => sum + 2 ** names.indexOf(permission), 0);
    rows.writeUInt32BE(bits, at + ID);
    rows.write(keyDigest, at + ID + BITS, "base64url");
  }
  return { ...ROLES, v: FORMAT, names, rows: new Uint8Array(rows), revision };
}
