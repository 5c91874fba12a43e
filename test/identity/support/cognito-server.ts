import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A user of the pool: a password, and the refusal or the challenge that the pool answers instead of a token. */
export interface PoolUser {
  readonly password: string;
  /** The pool refuses with this exception, whatever the password. */
  readonly refusal?: string;
  /** The pool asks for this after the right password. */
  readonly challenge?: string;
}

export interface PoolSettings {
  readonly clientId: string;
  /** The secret of the client; absent where the client has none. */
  readonly clientSecret?: string | undefined;
  readonly users: Readonly<Record<string, PoolUser>>;
  /** Makes the access token of a user whom the pool lets in. */
  readonly tokenOf?: (username: string) => string;
}

/** A request that the pool received, as it came. */
export interface Asked {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = readonly [status: number, body: object];

const refusal = (type: string, message: string): Answer => [400, { __type: type, message }];

/**
 * A user pool on a loopback address: InitiateAuth in the JSON protocol of AWS, with the checks Cognito makes of target,
 * content type, client, secret hash and flow. `instead` answers in its place.
 */
export async function startPool(settings: PoolSettings) {
  const asked: Asked[] = [];
  let instead: RequestListener | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      asked.push({ headers: request.headers, body });
      if (instead) return void instead(request, response);
      const [status, answer] = initiateAuth(settings, request, body);
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answerWith: (listener: RequestListener | undefined) => {
      instead = listener;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function initiateAuth(settings: PoolSettings, { method, url, headers }: IncomingMessage, text: string): Answer {
  const { clientId, clientSecret, users, tokenOf = (name) => `token-of-${name}` } = settings;
  const isCall = method === "POST" && url === "/" && headers["content-type"] === "application/x-amz-json-1.1";
  if (!isCall || headers["x-amz-target"] !== "AWSCognitoIdentityProviderService.InitiateAuth") {
    return refusal("UnknownOperationException", "");
  }
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
  if (SECRET_HASH !== (clientSecret === undefined ? undefined : hash)) {
    return refusal("NotAuthorizedException", `Unable to verify secret hash for client ${clientId}`);
  }
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
