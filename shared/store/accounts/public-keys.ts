import type { PublicKeyStore } from "../../identity/kms-keys.ts";
import type { PublicJwk } from "../../identity/signing-keys.ts";
import { publicKeyKey } from "../table/keys.ts";
import { FORMAT, isWritten, type Table } from "../table/table.ts";

/** The public halves of signing keys as the table keeps them: one item for each key, which never changes. */
export function createPublicKeyStore(connect: () => Table): PublicKeyStore {
  return {
    get: async (keyId) => (await connect().get(publicKeyKey(keyId)))?.jwk as PublicJwk | undefined,
    put: async (keyId, jwk) => {
      const put = { ...publicKeyKey(keyId), v: FORMAT, jwk };
      await isWritten(() => connect().write({ put, expect: { absent: true } }));
    },
  };
}
