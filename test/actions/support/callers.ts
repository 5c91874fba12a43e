import type { Permission } from "../../../shared/domain/permissions.ts";
import { mintToken } from "../../../shared/identity/tokens/mint-token.ts";
import { ROLES } from "../../../shared/store/table/keys.ts";
import { parseRolesItem, toRolePermissions, toRolesItem } from "../../../shared/store/table/roles-item.ts";
import { writePerson } from "../../support/accounts.ts";
import { ISSUER } from "../../support/issuer.ts";
import { realRuntime } from "../../support/runtime.ts";
import type { World } from "../../support/world.ts";
import { newKey } from "./checked-world.ts";

/** The token of a new actor who holds just these permissions, through a role of its own. */
export async function callerWith({ table, keys }: World, permissions: readonly Permission[]): Promise<string> {
  const runtime = realRuntime;
  const name = newKey("caller");
  const createdAt = new Date(runtime.now()).toISOString();
  const role = { id: runtime.newId(), key: name, permissions };
  const before = await table.get(ROLES);
  const put = toRolesItem([...parseRolesItem(before), toRolePermissions(role)], Number(before?.revision));
  await table.write({ put, expect: { anything: true } });
  await writePerson(table, { username: name, id: runtime.newId(), fullname: name, roles: [role.id], createdAt });
  const bearer = { username: name, fullname: name, tokenEpoch: 1 };
  return (await mintToken(bearer, { keys, issuer: ISSUER, audience: "metaction", runtime })).access_token;
}
