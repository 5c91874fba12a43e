import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A function that answers one request to a server. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** An OIDC provider as far as others see it: a discovery document and a key set, each of which a test can spoil. */
export interface IssuerServer {
  readonly issuer: string;
  readonly keySetUrl: string;
  /** The keys that are published now. */
  keys: readonly unknown[];
  /** Answers in the place of the document or the key set. */
  discovery: Reply | undefined;
  keySet: Reply | undefined;
  /** Paths that were asked for. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Answers with JSON. */
export const json =
  (body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Starts an issuer's server on a free port, with its documents below `path`. */
export async function startIssuerServer(keys: readonly unknown[] = [], path = ""): Promise<IssuerServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const isKeys = request.url === `${path}/keys`;
    const own = json(isKeys ? { keys: running.keys } : { issuer: running.issuer, jwks_uri: running.keySetUrl });
    ((isKeys ? running.keySet : running.discovery) ?? own)(request, response);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}${path}`;
  const running: IssuerServer = {
    issuer,
    keySetUrl: `${issuer}/keys`,
    keys,
    discovery: undefined,
    keySet: undefined,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return running;
}
