import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

/** An OIDC provider on this machine, with the two grants of the command line and refreshing. */
export interface OidcProvider {
  readonly issuer: string;
  /** The requests that the token endpoint received, oldest first. */
  readonly grants: readonly URLSearchParams[];
  /** From now on, sign-ins end in this error, with this text about it. */
  refuse(error: string, description?: string): void;
  close(): void;
}

/** Starts a provider whose access tokens are `token`. */
export async function startProvider(token: string): Promise<OidcProvider> {
  const challenges = new Map<string, string>();
  const grants: URLSearchParams[] = [];
  let refusal: { readonly error: string; readonly error_description?: string } | undefined;
  let issuer = "";
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (url.pathname === "/.well-known/openid-configuration") {
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (url.pathname === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      const code = randomBytes(8).toString("hex");
      challenges.set(code, url.searchParams.get("code_challenge") ?? "");
      for (const [name, value] of Object.entries(refusal ?? { code })) back.searchParams.set(name, value);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const form = new URLSearchParams(await bodyOf(request));
    grants.push(form);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (refusal) return json(400, refusal);
    const isCode = form.get("grant_type") === "authorization_code";
    if (isCode && challenges.get(form.get("code") ?? "") !== proof) return json(400, { error: "invalid_grant" });
    const isProgram = form.get("grant_type") === "client_credentials";
    const basic = `Basic ${Buffer.from("ci:hush").toString("base64")}`;
    if (isProgram && request.headers.authorization !== basic) return json(401, { error: "invalid_client" });
    const refresh = isProgram ? {} : { refresh_token: "again" };
    json(200, { access_token: token, token_type: "Bearer", expires_in: 3600, ...refresh });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    issuer,
    grants,
    refuse: (error, description) => {
      refusal = { error, ...(description !== undefined && { error_description: description }) };
    },
    close: () => server.close(),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}
