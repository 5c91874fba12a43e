import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../domain/limits.ts";

const JSON_TYPE = /^application\/(?:json|jwk-set\+json)\s*(?:;|$)/i;

/**
 * Fetches a JSON document over HTTP. An error for everything but a plain answer in time: a redirect is not followed, a
 * document that is too large is not read to its end, and one that is not called JSON is not parsed.
 */
export async function fetchJson(address: string): Promise<unknown> {
  // One signal for connecting, waiting and reading, so that a trickle of bytes gains no time.
  const signal = AbortSignal.timeout(LIMITS.keySetMs);
  const response = await request(new URL(address), signal);
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
    if (!JSON_TYPE.test(headers["content-type"] ?? "")) throw new Error("the answer is not called JSON");
    if ((headers["content-encoding"] ?? "identity") !== "identity") throw new Error("the answer is compressed");
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await bodyOf(response)));
  } finally {
    response.destroy();
  }
}

function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  // Loaded when it is needed: most processes never ask an issuer.
  const http =
    url.protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    const headers = { accept: "application/json, application/jwk-set+json", "user-agent": "metaction" };
    // No agent, so no kept connection: one that the other side closed meanwhile would look like an outage.
    http.get(url, { agent: false, headers, signal }, resolve).on("error", reject);
  });
}

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > LIMITS.keySetBytes) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
