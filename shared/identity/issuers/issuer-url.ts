const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tests for a URL that keys may be fetched from: https, or http on this machine; no user, fragment or space. */
export function isKeySetUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || /[\s\\]/.test(text) || url.hash !== "" || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopbackUrl(text);
}

/** Tests for an issuer of OpenID Connect Discovery section 3: such a URL without query and fragment. */
export function isIssuerUrl(text: string): boolean {
  return isKeySetUrl(text) && !/[?#]/.test(text);
}

/** Tests for a URL with http whose host is this machine. */
export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && LOOPBACK.test(url.hostname);
}

/** Returns the discovery URL of an issuer (OpenID Connect Discovery section 4.1). */
export function getDiscoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}
