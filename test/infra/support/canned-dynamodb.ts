import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came. */
export interface CameIn {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Port of the client, which tells connections apart. */
  readonly port: number;
}

/** The way a request is answered. */
export type Canned = (response: ServerResponse) => void;

/** Answers with a status and a JSON body, and more headers. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Canned {
  return text(status, JSON.stringify(body), headers);
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Canned {
  return (response) =>
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", ...headers }).end(body);
}

/** A loopback address that keeps what it is sent and gives the answer it was told to give. */
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
    /** Takes the requests that came since it was last asked. */
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
