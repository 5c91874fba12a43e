import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request. */
export interface CameIn {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Port of the client, which identifies the connection. */
  readonly port: number;
}

/** Answers a request. */
export type Canned = (response: ServerResponse) => void;

/** Returns an answer with a status, a JSON body and more headers. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Canned {
  return text(status, JSON.stringify(body), headers);
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Canned {
  return (response) =>
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", ...headers }).end(body);
}

/** Starts a server on a loopback address that records requests and gives the configured answer. */
export async function startCanned() {
  const requests: CameIn[] = [];
  let answer: Canned = json(200, {});
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const { remotePort: port = 0 } = request.socket;
      requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString("utf8"), port });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the requests since the last call. */
    take: () => requests.splice(0),
    answerWith: (canned: Canned) => {
      answer = canned;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
