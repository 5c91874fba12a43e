import type { Call } from "../actions/contract/call.ts";
import type { AccessToken, Bootstrap } from "../actions/contract/ports.ts";
import { createBuiltInActor, createManagedRoles } from "../domain/accounts/actors.ts";
import { hashSecret, isSameDigest } from "../domain/accounts/api-token.ts";
import { toSessionId } from "../domain/accounts/sessions.ts";
import { LIMITS } from "../domain/limits.ts";
import type { User } from "../domain/model/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { NewAdministrator } from "./accounts.ts";
import type { LoginTerms } from "./login.ts";
import { hashNewPassword } from "./new-password.ts";
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
  return createAdministrator(input, call, terms, (first) => terms.accounts.createFirstAdministrator(first, call));
}

async function createAdministrator(
  { username, fullname, password }: Bootstrap,
  call: Call,
  terms: LoginTerms,
  store: (administrator: NewAdministrator) => Promise<"done" | "used">,
): Promise<AccessToken> {
  const passwordHash = await hashNewPassword(password, username, "/password", terms);
  const managedRoles = createManagedRoles(call);
  const user: User = {
    kind: "user",
    id: call.nextId(),
    key: username,
    revision: 0,
    fullname,
    createdAt: call.time,
  };
  const actor = createBuiltInActor(username, fullname, call);
  // Before the write: an administrator without a token would have used up the secret.
  const { tokenEpoch = 0 } = actor;
  const tokenId = terms.runtime.newId();
  const token = await mintToken({ username, fullname, tokenEpoch }, terms, tokenId);
  const signIn = { session: toSessionId(tokenId), tokenEpoch };
  if ((await store({ user, actor, signIn, passwordHash, managedRoles })) === "used") throw createUsedProblem();
  return token;
}

/** Creates another administrator after a reopening. Only success closes the bootstrap again. */
async function bootstrapFurther(input: Bootstrap, call: Call, terms: LoginTerms): Promise<AccessToken> {
  const { accounts } = terms;
  const digest = await accounts.getOpenDigest();
  if (digest === undefined) throw createUsedProblem();
  if (!isSameDigest(hashSecret(input.secret), digest)) throw createWrongSecretProblem();
  return createAdministrator(input, call, terms, (further) =>
    accounts.createFurtherAdministrator(further, digest, call),
  );
}

const createUsedProblem = (): Problem =>
  new Problem("bootstrap_used", "The first administrator was made already; sign in with auth/login");

const createWrongSecretProblem = (): Problem => new Problem("not_signed_in", "The bootstrap secret is not right");
