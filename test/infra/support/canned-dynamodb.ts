import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { serve } from "../../formats/source-server.ts";

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
export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Canned =>
  text(status, JSON.stringify(body), headers);

export const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Canned =>
  (response) =>
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", ...headers }).end(body);

/** Starts a server on a loopback address that records requests and gives the configured answer. */
export async function startCanned() {
  const requests: CameIn[] = [];
  let answer: Canned = json(200, {});
  const server = await serve(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const { remotePort: port = 0 } = request.socket;
    requests.push({ method, path: url, headers, body: await readText(request), port });
    answer(response);
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    take: () => requests.splice(0),
    answerWith: (canned: Canned) => {
      answer = canned;
    },
    stop: () => server.close(),
  };
}
