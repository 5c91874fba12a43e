import { createHmac } from "node:crypto";
import type { Call } from "../actions/contract/call.ts";
import type { AccessToken } from "../actions/contract/ports.ts";
import type { AuditActor } from "../domain/accounts/audit.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { AccountStore } from "./accounts.ts";
import type { CognitoLogin } from "./issuers/configuration.ts";
import { countAttempt, createWrongLoginProblem } from "./login.ts";
import { readPart } from "./tokens/verify-token.ts";

/** Dependencies of signing in at a user pool. */
export interface CognitoTerms {
  readonly accounts: AccountStore;
  readonly runtime: { readonly now: () => number };
  readonly cognito: CognitoPool;
}

/** Signs in at the user pool. Attempts that the pool did not decide do not count. */
export async function cognitoLogin(
  username: string,
  password: string,
  call: Call,
  terms: CognitoTerms,
): Promise<AccessToken> {
  const { accounts, runtime, cognito } = terms;
  const attempt = await countAttempt(username, call, { accounts, runtime });
  const token = await requestToken(username, password, cognito).catch(async (error: unknown) => {
    const isRefused = error instanceof Problem && error.code === "not_signed_in";
    // The user may not exist, and the name may be a password by mistake.
    await (isRefused ? accounts.noteRefusal(undefined, call) : attempt.cancel());
    throw error;
  });
  await Promise.all([attempt.confirmLogin(), accounts.noteLogin(findBearer(token), call)]);
  return token;
}

/** Returns the actor of the pool's token, which is verified when it is used. */
function findBearer({ access_token }: AccessToken): AuditActor {
  // A pool may answer a token that only itself can read.
  const subject = readPart(access_token.split(".")[1] ?? "")?.sub ?? "unknown";
  return { subject: String(subject).slice(0, LIMITS.subjectCharacters) };
}

async function requestToken(username: string, password: string, pool: CognitoPool): Promise<AccessToken> {
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
        ...(secret !== undefined && { SECRET_HASH: computeSecretHash(username, pool.clientId, secret) }),
      },
    },
    pool.limits,
  );
  return answer.status === 200 ? readToken(answer.body) : refuse(answer);
}

function computeSecretHash(username: string, clientId: string, secret: string) {
  return createHmac("sha256", secret)
    .update(username + clientId)
    .digest("base64");
}

function readToken({ AuthenticationResult: result, ChallengeName: challenge }: CognitoAnswer["body"]): AccessToken {
  if (challenge !== undefined && challenge !== null) throw toChallengeProblem(challenge);
  const { AccessToken: access_token, ExpiresIn: expires_in }: Readonly<Record<string, unknown>> = Object(result);
  if (typeof access_token !== "string" || access_token === "" || !isSeconds(expires_in))
    throw createUnreachableProblem();
  return { access_token, token_type: "Bearer", expires_in };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const STEPS: Readonly<Record<string, string>> = {
  NEW_PASSWORD_REQUIRED: "set a new password",
  MFA_SETUP: "set up a second factor",
  SELECT_MFA_TYPE: "choose and give a second factor",
  SMS_MFA: "give the code sent as a text message",
  EMAIL_OTP: "give the code sent by e-mail",
  SOFTWARE_TOKEN_MFA: "give the code of the authenticator app",
};

function toChallengeProblem(challenge: unknown): Problem {
  // A challenge without the form of a name is not repeated: text from outside is never handed on.
  const name = typeof challenge === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(challenge) ? challenge : "unknown";
  return new Problem(
    "login_challenge",
    `The user pool asks for the challenge ${name}: sign in on the user pool's own sign-in page, ${STEPS[name] ?? "complete it"} there, and use the access token you get`,
  );
}

/** Exceptions with one answer, which does not show what is wrong with a user. */
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
  if (status < 400 || status > 499) throw createUnreachableProblem();
  // The one name for two faults: a client without that flow, and parameters no user can have.
  const isFlow = type === "InvalidParameterException" && /flow not enabled/i.test(String(body.message));
  if (isFlow || MISCONFIGURED.has(type)) {
    throw new Error(`The user pool cannot be used for signing in: ${isFlow ? "USER_PASSWORD_AUTH is off" : type}`);
  }
  throw WRONG.has(type) ? createWrongLoginProblem() : createUnreachableProblem();
}

/** The user pool of Amazon Cognito that `auth/login` hands names and passwords to. */
export interface CognitoPool {
  /** `https://cognito-idp.<region>.amazonaws.com/<pool>` */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: () => Promise<string | undefined>;
  readonly endpoint?: string;
  readonly limits?: CognitoLimits;
}

/** Returns the pool of a configuration. `findSecret` finds a client secret by its id; by default it finds none. */
export function toPool(
  { issuer, clientId, clientSecret, clientSecretId }: CognitoLogin,
  findSecret: (id: string) => () => Promise<string | undefined> = () => async () => undefined,
): CognitoPool {
  const storedSecret = clientSecretId === undefined ? undefined : findSecret(clientSecretId);
  const getSecret = clientSecret === undefined ? storedSecret : async () => clientSecret;
  return { issuer, clientId, ...(getSecret && { clientSecret: getSecret }) };
}

type CognitoLimits = Pick<Readonly<Record<keyof typeof LIMITS, number>>, "cognitoMs" | "cognitoBytes">;

interface CognitoAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const createUnreachableProblem = (): Problem =>
  new Problem("unavailable", "The user pool that signs people in cannot be reached; try again", { retryAfter: 1 });

/** Calls InitiateAuth of Amazon Cognito, without AWS credentials. Throws `unavailable` without a JSON object. */
async function initiateAuth(endpoint: string, request: object, limits: CognitoLimits = LIMITS): Promise<CognitoAnswer> {
  const options: RequestInit = {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
      // A function that was frozen meanwhile would find the kept connection dead.
      connection: "close",
    },
    body: JSON.stringify(request),
    redirect: "error",
    signal: AbortSignal.timeout(limits.cognitoMs),
  };
  try {
    const response = await fetch(endpoint, options);
    const body = readAnswerObject(await readAnswerText(response, limits.cognitoBytes));
    const type = response.headers.get("x-amzn-errortype") ?? body.__type;
    return { status: response.status, type: findErrorName(type), body };
  } catch {
    throw createUnreachableProblem();
  }
}

async function readAnswerText({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readAnswerObject(text: string): CognitoAnswer["body"] {
  const json: unknown = JSON.parse(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Error("no object");
  return { ...json };
}

/** Returns the name of an exception without its namespace before `#` and details after `:`. */
function findErrorName(type: unknown) {
  return typeof type === "string" ? (type.split(":")[0]?.split("#").at(-1) ?? "") : "";
}
