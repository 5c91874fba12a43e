import { corsHeaders } from "./cors.ts";
import type { PlainResponse, RequestHeaders } from "./request.ts";
import { methodsOf, type Route } from "./route.ts";

const ALLOWED = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, X-Request-Id";
/** How long a browser may keep a preflight answer, in seconds. */
const PREFLIGHT_SECONDS = "7200";

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
