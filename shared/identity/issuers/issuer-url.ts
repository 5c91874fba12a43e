const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for a URL that keys may be fetched from: https, or http on this machine; no user, no fragment, no white space. */
export function isKeySetUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || /[\s\\]/.test(text) || url.hash !== "" || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopbackUrl(text);
}

/** True for an issuer as OpenID Connect Discovery section 3 has it: such a URL without query and fragment. */
export function isIssuerUrl(text: string): boolean {
  return isKeySetUrl(text) && !/[?#]/.test(text);
}

/** True for a URL with http whose host is this machine. */
export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && LOOPBACK.test(url.hostname);
}

/** The URL at which an issuer describes itself (OpenID Connect Discovery section 4.1). */
export function getDiscoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}
