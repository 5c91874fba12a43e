/** Headers of every page and file of the web application. */
export type WebHeaders = Readonly<Record<string, string>>;

/**
 * The headers that keep the web application to itself. `origins` are those, beside its own, that its scripts may call: the
 * identity providers at which people sign in. `docs/security.md` gives the reason of each directive.
 */
export function securityHeaders(origins: readonly string[]): WebHeaders {
  const directives = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": directives.join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
