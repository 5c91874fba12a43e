import type { ExternalIssuer } from "./configuration.ts";
import { fetchJson } from "./fetch-json.ts";
import { discoveryUrl, isKeySetUrl, isLoopbackUrl } from "./issuer-url.ts";
import { type KeySet, readKeySet } from "./key-set.ts";

/** Fetches the keys of an issuer from where the configuration says, or else from where the issuer itself does. */
export async function loadKeys({ issuer, jwks, algorithms }: ExternalIssuer): Promise<KeySet> {
  // Discovered each time: an issuer that moves its keys needs no restart here.
  return readKeySet(await fetchJson(jwks ?? (await discover(issuer))), algorithms);
}

/** The `jwks_uri` of the discovery document; an error where the document is not that issuer's. */
async function discover(issuer: string): Promise<string> {
  const document = await fetchJson(discoveryUrl(issuer));
  if (typeof document !== "object" || document === null) throw new Error("the answer is no discovery document");
  const { issuer: named, jwks_uri: uri }: Readonly<Record<string, unknown>> = { ...document };
  // OpenID Connect Discovery section 4.3.
  if (named !== issuer) throw new Error("the discovery document is of another issuer");
  if (typeof uri !== "string" || !isKeySetUrl(uri)) throw new Error("the discovery document has no usable jwks_uri");
  if (isLoopbackUrl(uri) && !isLoopbackUrl(issuer)) throw new Error("the keys of a remote issuer lie on this machine");
  return uri;
}
