import type { JudgedRole } from "../../identity/accounts.ts";
import type { Item } from "./table.ts";

/*
 * Every call reads all roles, so the one item that holds them is small: a row of bytes for each, 28 in all, so that
 * `LIMITS.roles` of them are one read unit, whatever their keys and permissions. The names of the permissions that the bits
 * of a row stand for lie beside them: no order of theirs has to stay as it is.
 */

/** Bytes of a row: the role's id, a bit for each permission, the digest of its key. */
export const JUDGED_ROW = { id: 16, bits: 4, digest: 8 } as const;

const { id: ID, bits: BITS, digest: DIGEST } = JUDGED_ROW;
const ROW = ID + BITS + DIGEST;

/** The roles that the item holds, none where there is no item yet. A permission may be one that this version does not know. */
export function judgedRoles(item: Item | undefined): readonly JudgedRole[] {
  if (!item) return [];
  // Written by `judgedItem`.
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
