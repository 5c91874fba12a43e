import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";
import { methodsOf, type Route } from "./route.ts";

const ALLOWED = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, X-Request-Id";
const EXPOSED = "ETag, Link, X-Request-Id, Retry-After, Idempotency-Replayed";
/** How long a browser may keep a preflight answer, in seconds. */
const PREFLIGHT_SECONDS = "7200";

/** The cross-origin headers of an answer: those of the Fetch standard where the origin is one of the configured, else none. */
export function corsHeaders(headers: RequestHeaders, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = headerOf(headers, "origin");
  if (origin === undefined || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}

/** The answer to `OPTIONS` on a route; a preflight of a foreign origin gets nothing a browser would act on. */
export function preflight(route: Route, headers: RequestHeaders, origins: readonly string[]): PlainResponse {
  const methods = methodsOf(route).join(", ");
  const known = "access-control-allow-origin" in corsHeaders(headers, origins);
  return {
    status: 204,
    headers: {
      allow: methods,
      ...(known && {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": ALLOWED,
        "access-control-max-age": PREFLIGHT_SECONDS,
      }),
    },
    body: "",
  };
}
