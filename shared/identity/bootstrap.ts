import type { Call } from "../actions/contract/call.ts";
import type { AccessToken, Bootstrap } from "../actions/contract/ports.ts";
import { createBuiltInActor, hashRoleKey } from "../domain/accounts/actors.ts";
import { hashSecret, isSameDigest } from "../domain/accounts/api-token.ts";
import { BUILT_IN } from "../domain/fields/account-fields.ts";
import { LIMITS } from "../domain/limits.ts";
import type { AuthRole, User } from "../domain/model/objects.ts";
import { MANAGED_ROLES } from "../domain/permissions.ts";
import { Problem } from "../domain/problems.ts";
import type { FirstAdministrator } from "./accounts.ts";
import { hashNewPassword, type LoginTerms } from "./login.ts";
import { mintToken } from "./tokens/mint-token.ts";

/** Dependencies of a bootstrap. */
export interface BootstrapTerms extends LoginTerms {
  /** Read only before the first administrator is created; undefined if not configured. */
  readonly bootstrapSecret: () => Promise<string | undefined>;
}

/** Creates the first administrator. Throws `bootstrap_used`, `not_allowed`, `not_signed_in`, `bad_parameters`. */
export async function bootstrapFirst(input: Bootstrap, call: Call, terms: BootstrapTerms): Promise<AccessToken> {
  // Few instances ever lose all their administrators.
  if (await terms.accounts.isBootstrapUsed()) {
    return bootstrapFurther(input, call, terms);
  }
  const secret = await terms.bootstrapSecret();
  if (secret === undefined || secret.length < LIMITS.bootstrapSecretCharacters) {
    throw new Problem(
      "not_allowed",
      `No bootstrap secret is configured: set METACTION_BOOTSTRAP_SECRET to at least ${LIMITS.bootstrapSecretCharacters} characters`,
    );
  }
  // Digests, so that neither length nor content shows in the time that the comparison takes.
  if (!isSameDigest(hashSecret(input.secret), hashSecret(secret))) throw createWrongSecretProblem();
  const hash = await hashNewPassword(input.password, input.username, "/password", terms);
  const first = createFirstAdministrator(input, hash, call);
  // Before the write: an administrator without a token would have used up the secret.
  const { username, fullname } = input;
  const token = await mintToken({ username, fullname, tokenEpoch: first.actor.tokenEpoch ?? 0 }, terms);
  if ((await terms.accounts.createFirstAdministrator(first, call)) === "used") throw createUsedProblem();
  return token;
}

function createFirstAdministrator(input: Bootstrap, passwordHash: string, call: Call): FirstAdministrator {
  const roles = MANAGED_ROLES.map(
    (role): AuthRole => ({
      kind: "role",
      ...role,
      permissions: [...role.permissions].sort(),
      id: call.nextId(),
      managed: true,
      revision: 0,
      createdAt: call.time,
      updatedAt: call.time,
    }),
  );
  const admin = roles.filter((role) => role.permissions.includes("admin")).map((role) => role.id);
  return { ...createAdministrator(input, admin, call), passwordHash, roles };
}

function createAdministrator({ username, fullname }: Bootstrap, roles: readonly string[], call: Call) {
  const user: User = {
    kind: "user",
    id: call.nextId(),
    key: username,
    revision: 0,
    fullname,
    createdAt: call.time,
  };
  return { user, actor: { ...createBuiltInActor(username, fullname, call), roles } };
}

/** Creates another administrator after a reopening. Only success closes the bootstrap again. */
async function bootstrapFurther(input: Bootstrap, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const { accounts } = terms;
  const digest = await accounts.getOpenDigest();
  if (digest === undefined) throw createUsedProblem();
  if (!isSameDigest(hashSecret(input.secret), digest)) throw createWrongSecretProblem();
  const { username, fullname } = input;
  const passwordHash = await hashNewPassword(input.password, username, "/password", terms);
  const { roles } = await accounts.findCaller(BUILT_IN, username);
  const admin = roles.filter(({ keyDigest }) => keyDigest === hashRoleKey("admin")).map(({ id }) => id);
  const { user, actor } = createAdministrator(input, admin, call);
  const token = await mintToken({ username, fullname, tokenEpoch: actor.tokenEpoch ?? 0 }, terms);
  if ((await accounts.createFurtherAdministrator({ user, actor, passwordHash }, digest, call)) === "used")
    throw createUsedProblem();
  return token;
}

const createUsedProblem = (): Problem =>
  new Problem("bootstrap_used", "The first administrator was made already; sign in with auth/login");

const createWrongSecretProblem = (): Problem => new Problem("not_signed_in", "The bootstrap secret is not right");
