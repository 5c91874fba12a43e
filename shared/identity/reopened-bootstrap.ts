import type { Call } from "../actions/contract/call.ts";
import type { AccessToken, Bootstrap } from "../actions/contract/ports.ts";
import { builtInActor } from "../domain/accounts.ts";
import { BUILT_IN } from "../domain/principal.ts";
import { roleKeyDigest } from "../domain/role-key.ts";
import { equal, reopeningDigest, used, wrongSecret } from "./bootstrap-secret.ts";
import type { LoginTerms } from "./login.ts";
import { mintToken } from "./mint-token.ts";
import { newPassword } from "./own-password.ts";

/**
 * Makes one more administrator where an operator reopened the bootstrap, and signs them in; everything else stays as it
 * is. `bootstrap_used` where it is closed, `not_signed_in`, `bad_parameters`, `key_taken`: only success closes it again.
 */
export async function bootstrapFurther(given: Bootstrap, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const { accounts } = terms;
  const digest = await accounts.reopenedBy();
  if (digest === undefined) throw used();
  if (!equal(reopeningDigest(given.secret), digest)) throw wrongSecret();
  const { username, fullname } = given;
  const passwordHash = await newPassword(given.password, username, "/password", terms);
  const { roles } = await accounts.caller(BUILT_IN, username);
  const admin = roles.filter(({ keyDigest }) => keyDigest === roleKeyDigest("admin")).map(({ id }) => id);
  const actor = { ...builtInActor(username, fullname, call), roles: admin };
  const user = {
    kind: "user" as const,
    id: call.nextId(),
    key: username,
    revision: 0,
    fullname,
    createdAt: call.time,
  };
  const token = await mintToken({ username, fullname, tokenEpoch: actor.tokenEpoch ?? 0 }, terms);
  if ((await accounts.createFurtherAdministrator({ user, actor, passwordHash }, digest, call)) === "used") throw used();
  return token;
}
