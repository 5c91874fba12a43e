import { createHmac } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { text as readText } from "node:stream/consumers";
import { afterEach } from "vitest";
import { type CognitoPool, toPool } from "../../../shared/identity/cognito-login.ts";
import { createIdentity } from "../../../shared/identity/identity.ts";
import { serve } from "../../formats/source-server.ts";
import { bootstrapCall, createService } from "./service.ts";

export const CLIENT = { clientId: "5abcdefghijklmnopqrstuvwxy", clientSecret: "client-secret-CANARY" };
export const ISSUER = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI";
export const PASSWORD = "Analytical Engine 1843 CANARY";
export const ADA: Readonly<Record<string, PoolUser>> = { "ada@example.com": { password: PASSWORD } };
/** The text that a pool answers in its errors and that no answer of the service may repeat. */
export const LEAK = "LEAK-4711";

/** The answers to a sign-in that is refused, and to one that nobody could judge. */
export const WRONG = { code: "not_signed_in", message: "The username or the password is not right", members: {} };
export const AWAY = { code: "unavailable", members: { retryAfter: 1 } };

/** User pools that are stopped after each test. */
export function usePools() {
  const open: Awaited<ReturnType<typeof startPool>>[] = [];
  afterEach(() => {
    for (const pool of open.splice(0)) pool.stop();
  });
  /** Starts a pool with Ada in it, whose client has a secret. */
  const openPool = async (settings: Partial<PoolSettings> = {}) => {
    const pool = await startPool({ ...CLIENT, users: ADA, ...settings });
    open.push(pool);
    return pool;
  };
  /** Starts such a pool, and the built-in provider that signs users in at it. */
  const withPool = async (settings: Partial<PoolSettings> = {}, change: Partial<CognitoPool> = {}) => {
    const pool = await openPool(settings);
    const cognito = { ...toPool({ ...CLIENT, issuer: ISSUER }), endpoint: pool.endpoint, ...change };
    const service = await createService();
    const identity = createIdentity({ ...service.terms, cognito: async () => cognito });
    const login = (username = "ada@example.com", password = PASSWORD) =>
      identity.login(username, password, bootstrapCall(service.clock));
    return { pool, service, login };
  };
  return { openPool, withPool };
}

/** The problem, or the error that is none, that a promise ends in. */
export const failureOf = (promise: Promise<unknown>): Promise<{ code?: string; message: string; members?: object }> =>
  promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );

/** A user of the pool: a password, and the refusal or the challenge that the pool answers instead of a token. */
interface PoolUser {
  readonly password: string;
  /** The pool refuses with this exception, whatever the password. */
  readonly refusal?: string;
  /** The pool asks for this after the right password. */
  readonly challenge?: string;
}

interface PoolSettings {
  readonly clientId: string;
  /** The secret of the client; absent where the client has none. */
  readonly clientSecret?: string | undefined;
  readonly users: Readonly<Record<string, PoolUser>>;
  /** Makes the access token of a user whom the pool lets in. */
  readonly tokenOf?: (username: string) => string;
}

type Asked = { readonly headers: IncomingMessage["headers"]; readonly body: string };

type Answer = readonly [status: number, body: object];

const refusal = (type: string, message: string): Answer => [400, { __type: type, message }];

/** Starts a user pool that checks InitiateAuth like Cognito (JSON protocol of AWS). `instead` replaces its answer. */
export async function startPool(settings: PoolSettings) {
  const asked: Asked[] = [];
  let instead: RequestListener | undefined;
  const server = await serve(async (request, response) => {
    const body = await readText(request);
    asked.push({ headers: request.headers, body });
    if (instead) return void instead(request, response);
    const [status, answer] = initiateAuth(settings, request, body);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    asked,
    answerWith: (listener: RequestListener | undefined) => {
      instead = listener;
    },
    stop: () => server.close(),
  };
}

function initiateAuth(settings: PoolSettings, { method, url, headers }: IncomingMessage, text: string): Answer {
  const { clientId, clientSecret, users, tokenOf = (name) => `token-of-${name}` } = settings;
  const isCall = method === "POST" && url === "/" && headers["content-type"] === "application/x-amz-json-1.1";
  if (!isCall || headers["x-amz-target"] !== "AWSCognitoIdentityProviderService.InitiateAuth")
    return refusal("UnknownOperationException", "");
  const { AuthFlow, ClientId, AuthParameters } = JSON.parse(text) as {
    readonly AuthFlow?: string;
    readonly ClientId?: string;
    readonly AuthParameters: Readonly<Record<string, string>>;
  };
  const { USERNAME = "", PASSWORD, SECRET_HASH } = AuthParameters;
  if (ClientId !== clientId)
    return refusal("ResourceNotFoundException", `User pool client ${ClientId} does not exist.`);
  if (AuthFlow !== "USER_PASSWORD_AUTH")
    return refusal("InvalidParameterException", "flow not enabled for this client");
  const hash = createHmac("sha256", clientSecret ?? "")
    .update(`${USERNAME}${clientId}`)
    .digest("base64");
  if (SECRET_HASH !== (clientSecret === undefined ? undefined : hash))
    return refusal("NotAuthorizedException", `Unable to verify secret hash for client ${clientId}`);
  const user = users[USERNAME];
  if (!user) return refusal("UserNotFoundException", "User does not exist.");
  if (user.refusal !== undefined) return refusal(user.refusal, `about ${USERNAME}`);
  if (PASSWORD !== user.password) return refusal("NotAuthorizedException", "Incorrect username or password.");
  if (user.challenge !== undefined) {
    return [
      200,
      { ChallengeName: user.challenge, Session: "session", ChallengeParameters: { USER_ID_FOR_SRP: USERNAME } },
    ];
  }
  const AuthenticationResult = {
    ...{ AccessToken: tokenOf(USERNAME), IdToken: "id-token", RefreshToken: "refresh-token" },
    ...{ ExpiresIn: 1_800, TokenType: "Bearer" },
  };
  return [200, { AuthenticationResult, ChallengeParameters: {} }];
}
