import type { AuthRole } from "../../domain/objects.ts";
import { roleKeyDigest } from "../../domain/role-key.ts";
import type { JudgedRole } from "../../identity/accounts.ts";
import { JUDGED_ROW } from "./judged-roles.ts";
import { ROLES } from "./keys.ts";
import { FORMAT, type Item } from "./table.ts";

const { id: ID, bits: BITS, digest: DIGEST } = JUDGED_ROW;
const ROW = ID + BITS + DIGEST;

/** The part of a role by which callers are judged. */
export function judgedBy({ id, key, permissions }: Pick<AuthRole, "id" | "key" | "permissions">): JudgedRole {
  return { id, keyDigest: roleKeyDigest(key), permissions: [...permissions].sort() };
}

/** The item that holds all roles after a revision of the ledger of accounts. */
export function judgedItem(roles: readonly JudgedRole[], revision: number): Item {
  const names = [...new Set(roles.flatMap(({ permissions }) => permissions))].sort();
  if (names.length > 8 * BITS) throw new Error(`roles with ${names.length} permissions do not fit their item`);
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
