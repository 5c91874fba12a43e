import { validateCognitoJwtFields } from "aws-jwt-verify/cognito-verifier";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import type { Ambient } from "../../actions/contract/call.ts";
import type { Claims } from "../../actions/contract/ports.ts";
import { Problem } from "../../domain/problems.ts";
import { notValid, type Payload } from "../verify-token.ts";
import type { ExternalIssuer, IssuerConfiguration } from "./configuration.ts";
import { readClaims } from "./external-claims.ts";
import { readHeader } from "./external-form.ts";
import type { ExternalKey } from "./key-set.ts";
import { createKeySource } from "./key-source.ts";
import { loadKeys } from "./load-keys.ts";

/** Checks a token that names this issuer and is not too long; `not_signed_in`, `unavailable`. */
export type ExternalVerifier = (token: string, issuer: string) => Promise<Claims>;

/** Checks tokens of the configured issuers, each by the keys and the rules of its own issuer alone. */
export function createExternalVerifier(
  { issuers }: IssuerConfiguration,
  ambient: Pick<Ambient, "now">,
): ExternalVerifier {
  const verifiers = new Map(issuers.map((entry) => [entry.issuer, createVerifier(entry, ambient)]));
  return async (token, issuer) => {
    const verify = verifiers.get(issuer);
    if (!verify) throw notValid();
    try {
      return await verify(token);
    } catch (error) {
      // Any error counts, also one that is not the library's own, such as a RangeError for a date far out.
      throw error instanceof Problem ? error : notValid();
    }
  };
}

function createVerifier(entry: ExternalIssuer, ambient: Pick<Ambient, "now">): (token: string) => Promise<Claims> {
  const { issuer, algorithms } = entry;
  const find = createKeySource({ load: () => loadKeys(entry), now: ambient.now });
  const check = createSignatureCheck(entry);
  return async (token) => {
    const header = readHeader(token, algorithms);
    if (!header) throw notValid();
    const key = await find(header.kid);
    // RFC 8725 section 3.1: each key is for one algorithm, whatever the token says.
    if (!key || key.alg !== header.alg) throw notValid();
    const payload = check(token, key);
    if (payload.iss !== issuer) throw notValid();
    return readClaims(payload, entry, ambient.now() / 1000);
  };
}

/** A check of signature, issuer, audience and the claims that Cognito adds, by `aws-jwt-verify` with the one key to use. */
function createSignatureCheck({ issuer, preset, audiences, clientIds }: ExternalIssuer) {
  const verifier = JwtVerifier.create({
    issuer,
    audience: audiences ? [...audiences] : null,
    // Names the cached key; nothing is fetched from it, because only `verifySync` is used.
    jwksUri: "urn:metaction:key",
    // The library reads the machine's clock and takes no other; `readClaims` decides on time.
    graceSeconds: Number.POSITIVE_INFINITY,
  });
  let current: ExternalKey | undefined;
  return (token: string, key: ExternalKey): Payload => {
    if (key !== current) {
      verifier.cacheJwks({ keys: [key] });
      current = key;
    }
    const payload = verifier.verifySync(token);
    if (preset === "cognito") {
      validateCognitoJwtFields(payload, { tokenUse: "access", clientId: [...(clientIds ?? [])] });
    } else if (clientIds && !isFor(clientIds, payload)) throw notValid();
    return payload;
  };
}

/** RFC 9068 names the client in `client_id`; providers from before it do in `azp`, as OpenID Connect has it. */
function isFor(clientIds: readonly string[], payload: Payload): boolean {
  const client = payload.client_id ?? payload.azp;
  return typeof client === "string" && clientIds.includes(client);
}
