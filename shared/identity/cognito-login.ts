import { createHmac } from "node:crypto";
import type { Call } from "../actions/contract/call.ts";
import type { AccessToken } from "../actions/contract/ports.ts";
import type { AuditActor } from "../domain/audit.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore } from "./accounts.ts";
import type { CognitoPool } from "./cognito-pool.ts";
import { type CognitoAnswer, initiateAuth, unreachable } from "./cognito-request.ts";
import { wrongLogin } from "./login.ts";
import { countAttempt } from "./login-attempts.ts";

/** The parts that signing in at a user pool works with. */
export interface CognitoTerms {
  readonly accounts: AccountStore;
  readonly ambient: { readonly now: () => number };
  readonly cognito: CognitoPool;
}

/**
 * An access token of the user pool. Attempts count as they do for built-in users, and the answers are the same; one that
 * the pool did not judge does not count. `login_challenge` where the pool asks for more than a password, `unavailable`.
 */
export async function cognitoLogin(
  username: string,
  password: string,
  call: Call,
  terms: CognitoTerms,
): Promise<AccessToken> {
  const { accounts, ambient, cognito } = terms;
  const attempt = await countAttempt(username, call, { accounts, ambient });
  const token = await tokenFor(username, password, cognito).catch(async (error: unknown) => {
    const isJudged = error instanceof Problem && error.code === "not_signed_in";
    // The pool does not say whether there is such a user, so the name may be a password by mistake.
    await (isJudged ? accounts.noteRefusal(undefined, call) : attempt.unjudged());
    throw error;
  });
  await Promise.all([attempt.signedIn(), accounts.noteLogin(bearerOf(token), call)]);
  return token;
}

/** The bearer of the pool's token. The token came from the pool itself, and is verified when it is used. */
function bearerOf({ access_token }: AccessToken): AuditActor {
  try {
    const claims: unknown = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof claims === "object" && claims !== null && "sub" in claims) {
      return { subject: String(claims.sub).slice(0, LIMITS.subjectCharacters) };
    }
  } catch {
    // A pool may answer a token that only itself can read.
  }
  return { subject: "unknown" };
}

async function tokenFor(username: string, password: string, pool: CognitoPool): Promise<AccessToken> {
  const secret = await pool.clientSecret?.();
  if (pool.clientSecret && !secret) throw new Error("The secret of the app client of the user pool holds no text");
  const answer = await initiateAuth(
    pool.endpoint ?? new URL(pool.issuer).origin,
    {
      AuthFlow: "USER_PASSWORD_AUTH",
      ClientId: pool.clientId,
      AuthParameters: {
        USERNAME: username,
        PASSWORD: password,
        ...(secret !== undefined && { SECRET_HASH: secretHash(username, pool.clientId, secret) }),
      },
    },
    pool.limits,
  );
  return answer.status === 200 ? readToken(answer.body) : refuse(answer);
}

/** The digest by which a client with a secret proves that it has it. */
function secretHash(username: string, clientId: string, secret: string): string {
  return createHmac("sha256", secret)
    .update(username + clientId)
    .digest("base64");
}

function readToken({ AuthenticationResult: result, ChallengeName: challenge }: CognitoAnswer["body"]): AccessToken {
  if (challenge !== undefined && challenge !== null) throw challenged(challenge);
  if (typeof result !== "object" || result === null) throw unreachable();
  const { AccessToken: access_token, ExpiresIn: expires_in }: Readonly<Record<string, unknown>> = { ...result };
  if (typeof access_token !== "string" || access_token === "" || !isSeconds(expires_in)) throw unreachable();
  return { access_token, token_type: "Bearer", expires_in };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The step a person has to take at the pool, by the challenge; other challenges are named as they are. */
const STEPS: Readonly<Record<string, string>> = {
  NEW_PASSWORD_REQUIRED: "set a new password",
  MFA_SETUP: "set up a second factor",
  SELECT_MFA_TYPE: "choose and give a second factor",
  SMS_MFA: "give the code sent as a text message",
  EMAIL_OTP: "give the code sent by e-mail",
  SOFTWARE_TOKEN_MFA: "give the code of the authenticator app",
};

function challenged(challenge: unknown): Problem {
  // A challenge without the form of a name is not repeated: text from outside is never handed on.
  const name = typeof challenge === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(challenge) ? challenge : "unknown";
  return new Problem(
    "login_challenge",
    `The user pool asks for the challenge ${name}: sign in on the user pool's own sign-in page, ${STEPS[name] ?? "complete it"} there, and use the access token you get`,
  );
}

/** The exceptions that are one refusal: whatever is wrong with a user looks the same, so that nothing is learnt from it. */
const WRONG = new Set([
  "NotAuthorizedException",
  "UserNotFoundException",
  "UserNotConfirmedException",
  "PasswordResetRequiredException",
  // A pre-authentication function of the pool said no.
  "UserLambdaValidationException",
  "InvalidParameterException",
]);
const BUSY = new Set(["TooManyRequestsException", "LimitExceededException", "ThrottlingException"]);
const MISCONFIGURED = new Set(["ResourceNotFoundException", "InvalidUserPoolConfigurationException"]);

function refuse({ status, type, body }: CognitoAnswer): never {
  if (status === 429 || BUSY.has(type)) {
    throw new Problem("throttled", "Too many sign-ins reach the user pool; wait, then try again", { retryAfter: 1 });
  }
  if (status < 400 || status > 499) throw unreachable();
  // The one name for two faults: a client without that flow, and parameters no user can have.
  const isFlow = type === "InvalidParameterException" && /flow not enabled/i.test(String(body.message));
  if (isFlow || MISCONFIGURED.has(type)) {
    throw new Error(`The user pool cannot be used for signing in: ${isFlow ? "USER_PASSWORD_AUTH is off" : type}`);
  }
  throw WRONG.has(type) ? wrongLogin() : unreachable();
}
