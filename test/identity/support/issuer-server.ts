import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type IssuerConfiguration, readIssuers } from "../../../shared/identity/issuers/configuration.ts";
import type { Certificate } from "../../formats/certificate.ts";
import { serveWith } from "../../formats/source-server.ts";

/** Creates a configuration that trusts the given issuers, with sign-in at a user pool if one is given. */
export const issuersFrom = (entry: object | readonly object[], cognito?: object): IssuerConfiguration =>
  readIssuers(JSON.stringify({ issuers: [entry].flat(), ...(cognito && { login: { cognito } }) }));

export type Reply = RequestListener;

/** An OIDC provider as far as others see it: a discovery document and a key set, each of which a test can spoil. */
export interface IssuerServer {
  readonly issuer: string;
  readonly keySetUrl: string;
  keys: readonly unknown[];
  /** Answers in the place of the document or the key set. */
  discovery: Reply | undefined;
  keySet: Reply | undefined;
  readonly asked: string[];
  stop(): Promise<void>;
}

export const json =
  (body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Starts an issuer's server on a free port, for clients that accept JSON. With a certificate it uses https. */
export async function startIssuerServer(keys: readonly unknown[] = [], certificate?: Certificate) {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    if (!request.headers.accept?.includes("application/json")) return void response.writeHead(406).end();
    const isKeys = request.url === "/keys";
    const own = json(isKeys ? { keys: running.keys } : { issuer: running.issuer, jwks_uri: running.keySetUrl });
    ((isKeys ? running.keySet : running.discovery) ?? own)(request, response);
  };
  const server = await serveWith(certificate ? createTlsServer(certificate, answer) : createServer(answer));
  const issuer = `${certificate ? "https://localhost" : "http://127.0.0.1"}:${server.port}`;
  const running: IssuerServer = {
    issuer,
    keySetUrl: `${issuer}/keys`,
    keys,
    discovery: undefined,
    keySet: undefined,
    asked,
    stop: server.close,
  };
  return running;
}
