import type { Call } from "../actions/contract/call.ts";
import type { AccessToken, Bootstrap } from "../actions/contract/ports.ts";
import { builtInActor } from "../domain/accounts.ts";
import { LIMITS } from "../domain/limits.ts";
import { MANAGED_ROLES } from "../domain/managed-roles.ts";
import type { AuthRole } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { FirstAdministrator } from "./accounts.ts";
import { equal, used, wrongSecret } from "./bootstrap-secret.ts";
import type { LoginTerms } from "./login.ts";
import { mintToken } from "./mint-token.ts";
import { newPassword } from "./own-password.ts";

/** The parts that a bootstrap works with. */
export interface BootstrapTerms extends LoginTerms {
  /** Asked only while there is no administrator; undefined where none is configured. */
  readonly bootstrapSecret: () => Promise<string | undefined>;
}

/**
 * Makes the first administrator and the managed roles, and signs them in. In this order: `bootstrap_used`,
 * `not_allowed` (no secret configured), `not_signed_in` (another secret), `bad_parameters` (password). Whatever fails
 * leaves the secret unused; of several at once one succeeds. A bootstrap that was reopened makes one more administrator.
 */
export async function bootstrapFirst(given: Bootstrap, call: Call, terms: BootstrapTerms): Promise<AccessToken> {
  // Few instances ever lose all their administrators.
  if (await terms.accounts.bootstrapUsed()) {
    return (await import("./reopened-bootstrap.ts")).bootstrapFurther(given, call, terms);
  }
  const secret = await terms.bootstrapSecret();
  if (secret === undefined || secret.length < LIMITS.bootstrapSecretCharacters) {
    throw new Problem(
      "not_allowed",
      `No bootstrap secret is configured: set METACTION_BOOTSTRAP_SECRET to at least ${LIMITS.bootstrapSecretCharacters} characters`,
    );
  }
  if (!equal(given.secret, secret)) throw wrongSecret();
  const hash = await newPassword(given.password, given.username, "/password", terms);
  const first = firstAdministrator(given, hash, call);
  // Before anything is written: an administrator that cannot be signed in would have used up the secret.
  const { username, fullname } = given;
  const token = await mintToken({ username, fullname, tokenEpoch: first.actor.tokenEpoch ?? 0 }, terms);
  if ((await terms.accounts.createFirstAdministrator(first, call)) === "used") throw used();
  return token;
}

function firstAdministrator(given: Bootstrap, passwordHash: string, call: Call): FirstAdministrator {
  const { username, fullname } = given;
  const createdAt = call.time;
  const made = { revision: 0, createdAt };
  const roles = MANAGED_ROLES.map(
    (role): AuthRole => ({
      kind: "role",
      ...role,
      permissions: [...role.permissions].sort(),
      id: call.nextId(),
      managed: true,
      updatedAt: createdAt,
      ...made,
    }),
  );
  const admin = roles.filter((role) => role.permissions.includes("admin")).map((role) => role.id);
  return {
    user: { kind: "user", id: call.nextId(), key: username, fullname, ...made },
    passwordHash,
    actor: { ...builtInActor(username, fullname, call), roles: admin },
    roles,
  };
}
