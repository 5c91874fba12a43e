import { headerOf, type RequestHeaders } from "./request.ts";

const EXPOSED = "ETag, Link, X-Request-Id, Retry-After, Idempotency-Replayed";

/** The cross-origin headers of an answer: those of the Fetch standard where the origin is one of the configured, else none. */
export function corsHeaders(headers: RequestHeaders, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = headerOf(headers, "origin");
  if (origin === undefined || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}
