import type { IncomingMessage } from "node:http";
import { joinHeaders, type PlainRequest } from "../shared/http/request.ts";

/** All of a request but its body. */
export function requestOf(message: IncomingMessage): PlainRequest {
  return {
    method: message.method ?? "",
    ...targetOf(message.url ?? ""),
    headers: joinHeaders(pairsOf(message.rawHeaders)),
    sourceAddress: message.socket.remoteAddress,
    body: undefined,
  };
}

/** Path and query of a request target, in origin form or absolute form (RFC 9112 section 3.2). */
export function targetOf(target: string): Pick<PlainRequest, "path" | "query"> {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  return mark < 0 ? { path: local, query: "" } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function* pairsOf(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i] ?? "", raw[i + 1] ?? ""];
}
