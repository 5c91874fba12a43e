import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { afterAll, beforeAll, describe } from "vitest";
import { createHandler } from "../../../functions/dispatcher/lambda-event.ts";
import { createHttpServer } from "../../../local/server.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import type { HttpOptions } from "../../../shared/http/handle.ts";
import { createChain } from "../../../shared/service/chain.ts";
import { createSmallService } from "./small-service.ts";

/** A request as a test writes it; a header with several values is sent several times. */
export interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** An answer as a caller receives it, decompressed. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any;
  /** Status, followed by the code if the answer is a problem. */
  readonly outcome: readonly [status: number, code: string | undefined];
}

/** A way into a service: the Lambda handler or the local server. */
export type Transport = { readonly send: (sent: Sent) => Promise<Received>; readonly close: () => Promise<void> };

/** Options of all transports in tests, without the log. */
export const OPTIONS: Omit<HttpOptions, "log"> = {
  publicUrl: "https://metaction.example",
  corsOrigins: ["https://ui.example", "http://localhost:5173"],
};

export const post = (target: string, body: unknown, headers: Sent["headers"] = {}): Sent => ({
  method: "POST",
  target,
  headers: { "content-type": "application/json", ...headers },
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
});

function received(status: number, headers: Record<string, string>, body: Uint8Array): Received {
  const text = (headers["content-encoding"] === "gzip" ? gunzipSync(body) : Buffer.from(body)).toString("utf8");
  const json = /[/+]json\b/.test(headers["content-type"] ?? "") && text !== "" ? JSON.parse(text) : undefined;
  return { status, headers, text, bytes: body.byteLength, json, outcome: [status, json?.code] };
}

/** The Lambda event of a request, as an HTTP API makes it: text as it is, bytes as base64, repeated headers joined. */
export function toLambdaEvent({ method = "GET", target, headers = {}, body }: Sent): APIGatewayProxyEventV2 {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const isText = typeof body === "string";
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: mark < 0 ? "" : target.slice(mark + 1),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    requestContext: {
      accountId: "1",
      apiId: "a",
      domainName: "metaction.example",
      domainPrefix: "metaction",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
      requestId: "r",
      routeKey: "$default",
      stage: "$default",
      time: "",
      timeEpoch: 0,
    },
    ...(body !== undefined && { body: isText ? body : Buffer.from(body).toString("base64") }),
    isBase64Encoded: body !== undefined && !isText,
  };
}

/** The Lambda function; `remainingMs` is the time it has left. */
export function openLambdaTransport(service: Service, log: (line: string) => void, remainingMs = 30_000): Transport {
  const handler = createHandler(service, { ...OPTIONS, log });
  // The one member of Lambda's context that the handler reads.
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
  return {
    send: async (sent) => {
      const { statusCode, headers, body, isBase64Encoded } = await handler(toLambdaEvent(sent), context);
      const bytes = Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8");
      return received(statusCode ?? 0, flatten(headers ?? {}), bytes);
    },
    close: async () => undefined,
  };
}

/** The local server on a loopback port of its own. */
export async function openLocalTransport(
  service: Service,
  log: (line: string) => void,
): Promise<Transport & { readonly port: number }> {
  const server = createHttpServer({ handleRequest: createChain(service, { ...OPTIONS, log }), newId: randomUUID });
  const port = await server.listen(0, "127.0.0.1");
  const agent = new Agent({ keepAlive: true });
  return {
    port,
    send: (sent) => overHttp(sent, port, agent),
    close: async () => {
      agent.destroy();
      await server.close(500);
    },
  };
}

async function overHttp({ method = "GET", target, headers = {}, body }: Sent, port: number, agent: Agent) {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const all = Object.entries({ ...headers, ...length });
  const sent = Object.fromEntries(all.map(([name, value]) => [name, typeof value === "string" ? value : [...value]]));
  const outgoing = request({ host: "127.0.0.1", port, method, path: target, headers: sent, agent });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return received(response.statusCode ?? 0, flatten(response.headers), await buffer(response));
}

const flatten = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Runs the same tests through the Lambda handler and through the local server; `lines` are all logged lines. */
export function describeTransports(
  title: string,
  tests: (transport: Pick<Transport, "send"> & { readonly lines: readonly string[] }) => void,
  service: Service = createSmallService(),
): void {
  const openers = {
    "Lambda event": async (log: (line: string) => void): Promise<Transport> => openLambdaTransport(service, log),
    "local server": (log: (line: string) => void): Promise<Transport> => openLocalTransport(service, log),
  };
  describe.each(Object.entries(openers))(`${title}, %s`, (_, open) => {
    const lines: string[] = [];
    let transport: Transport | undefined;
    beforeAll(async () => {
      transport = await open((line) => lines.push(line));
    });
    afterAll(() => transport?.close());
    tests({
      lines,
      send: (sent) => (transport ? transport.send(sent) : Promise.reject(new Error("the transport is not open yet"))),
    });
  });
}
