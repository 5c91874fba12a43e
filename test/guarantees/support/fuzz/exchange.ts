import { gunzipSync } from "node:zlib";
import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { Service } from "../../../../shared/actions/pipeline/call-context.ts";
import type { ProblemCode } from "../../../../shared/domain/problems.ts";
import { joinHeaders } from "../../../../shared/http/request.ts";
import { createChain, type HandleRequest } from "../../../../shared/service/chain.ts";
import { OPTIONS } from "../../../http/support/transports.ts";
import type { PayloadJson } from "../payloads.ts";

/** Allowed outcomes: "accepted" is everything except a refusal of the input; "any" is everything except a defect. */
export type Expected = "accepted" | "any" | readonly ProblemCode[];

export interface FuzzRequest {
  /** A few words that tell which trick the input tries. */
  readonly tries: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  readonly expected: Expected;
  /** The action it should reach, where it is meant to reach one. */
  readonly action?: Action;
  /** The payload that the action is given, where the input is valid. */
  readonly payload?: PayloadJson;
}

/** The response to an input; `ms` is wall time. */
export interface FuzzResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ms: number;
}

export type Send = (request: FuzzRequest) => Promise<FuzzResponse>;

/** Sends inputs to the chain that all transports share, without a transport. */
export function throughChain(service: Service, log: (line: string) => void): Send {
  const handle: HandleRequest = createChain(service, { ...OPTIONS, log });
  return async ({ method, target, headers, body }) => {
    const mark = target.indexOf("?");
    const began = performance.now();
    const response = await handle({
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? "" : target.slice(mark + 1),
      headers: joinHeaders(headers),
      body,
    });
    const ms = performance.now() - began;
    return { status: response.status, headers: response.headers, text: textOf(response.headers, response.body), ms };
  };
}

/** The text of a body, decompressed where its headers say so. */
export function textOf(headers: Readonly<Record<string, string>>, body: string | Uint8Array): string {
  if (typeof body === "string") return body;
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : Buffer.from(body)).toString("utf8");
}

/** An input as a person reads it in a report, shortened where it is long. */
export function printed({ tries, method, target, headers, body, expected }: FuzzRequest): string {
  const shown = headers.map(
    ([name, value]) => `${name}: ${/^authorization$/i.test(name) ? cut(value, 24) : cut(value)}`,
  );
  const text = body === undefined ? "" : typeof body === "string" ? body : Buffer.from(body).toString("latin1");
  return [
    `tries ${tries}, expects ${typeof expected === "string" ? expected : expected.join(" or ")}`,
    `${method} ${cut(target)}`,
    ...shown,
    "",
    JSON.stringify(cut(text, 600)),
  ].join("\n");
}

function cut(text: string, most = 300): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}
