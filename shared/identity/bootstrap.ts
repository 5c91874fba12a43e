import { createHash, timingSafeEqual } from "node:crypto";
import type { Call } from "../actions/call.ts";
import type { AccessToken, Bootstrap } from "../actions/ports.ts";
import { LIMITS } from "../domain/limits.ts";
import { MANAGED_ROLES } from "../domain/permissions.ts";
import { BUILT_IN } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore, FirstAdministrator } from "./accounts.ts";
import { mintToken, type TokenTerms } from "./mint-token.ts";
import { passwordFaults } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";

/** What a bootstrap works with. */
export interface BootstrapTerms extends TokenTerms {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  /** Asked only while there is no administrator; undefined where none is configured. */
  readonly bootstrapSecret: () => Promise<string | undefined>;
}

/**
 * Makes the first administrator and the managed roles, and signs them in. In this order: `bootstrap_used`,
 * `not_allowed` (no secret configured), `not_signed_in` (another secret), `bad_parameters` (password). Whatever fails
 * leaves the secret unused; of several at once one succeeds.
 */
export async function bootstrapFirst(given: Bootstrap, call: Call, terms: BootstrapTerms): Promise<AccessToken> {
  if (await terms.accounts.bootstrapUsed()) throw used();
  const secret = await terms.bootstrapSecret();
  if (secret === undefined || secret.length < LIMITS.bootstrapSecretCharacters) {
    throw new Problem(
      "not_allowed",
      `No bootstrap secret is configured: set METACTION_BOOTSTRAP_SECRET to at least ${LIMITS.bootstrapSecretCharacters} characters`,
    );
  }
  if (!equal(given.secret, secret)) throw new Problem("not_signed_in", "The bootstrap secret is not right");
  const errors = passwordFaults(given.password, given.username);
  if (errors.length > 0) throw new Problem("bad_parameters", "The password is too weak", { errors });
  const first = firstAdministrator(given, await terms.passwords.hash(given.password), call);
  // Before anything is written: an administrator that cannot be signed in would have used up the secret.
  const token = await mintToken(first.user, terms);
  if ((await terms.accounts.createFirstAdministrator(first, call)) === "used") throw used();
  return token;
}

function firstAdministrator(given: Bootstrap, passwordHash: string, call: Call): FirstAdministrator {
  const { username, fullname } = given;
  const createdAt = call.time;
  const roles = MANAGED_ROLES.map((role) => ({ ...role, id: call.nextId(), managed: true, createdAt }));
  const admin = roles.filter((role) => role.permissions.includes("admin")).map((role) => role.id);
  return {
    user: { id: call.nextId(), username, fullname, passwordHash, tokenEpoch: 0, createdAt },
    actor: {
      id: call.nextId(),
      issuer: BUILT_IN,
      subject: username,
      fullname,
      roles: admin,
      tokenEpoch: 0,
      createdAt,
    },
    roles,
  };
}

const used = (): Problem =>
  new Problem("bootstrap_used", "The first administrator was made already; sign in with auth/login");

/** Compares digests, so that neither length nor content shows in the time it takes. */
function equal(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
