import type { IncomingMessage } from "node:http";
import { validateCognitoJwtFields } from "aws-jwt-verify/cognito-verifier";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import type { Runtime } from "../../actions/contract/call.ts";
import type { Claims } from "../../actions/contract/ports.ts";
import { toSessionId } from "../../domain/accounts/sessions.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { findMember } from "../../domain/text/json-values.ts";
import {
  createInvalidTokenProblem,
  isCanonical,
  isIssuedWithin,
  type Payload,
  readPart,
  readSubject,
} from "../tokens/verify-token.ts";
import type { ExternalIssuer, IssuerConfiguration, TokenAlgorithm } from "./configuration.ts";
import { getDiscoveryUrl, isKeySetUrl, isLoopbackUrl } from "./issuer-url.ts";
import { createKeySource, type ExternalKey, type KeySet, KID, readKeySet } from "./key-source.ts";

/** Verifies a token of this issuer. Throws `not_signed_in` and `unavailable`. */
export type ExternalVerifier = (token: string, issuer: string) => Promise<Claims>;

/** Creates the verifier for tokens of other issuers, each by its own rules only. */
export function createExternalVerifier(
  { issuers }: IssuerConfiguration,
  runtime: Pick<Runtime, "now">,
): ExternalVerifier {
  const verifiers = new Map(issuers.map((entry) => [entry.issuer, createVerifier(entry, runtime)]));
  return async (token, issuer) => {
    const verify = verifiers.get(issuer);
    if (!verify) throw createInvalidTokenProblem();
    try {
      return await verify(token);
    } catch (error) {
      // Other errors count too, such as a RangeError for a date far in the future.
      throw error instanceof Problem ? error : createInvalidTokenProblem();
    }
  };
}

function createVerifier(entry: ExternalIssuer, runtime: Pick<Runtime, "now">): (token: string) => Promise<Claims> {
  const { issuer, algorithms } = entry;
  const find = createKeySource({ load: () => loadKeys(entry), now: runtime.now });
  const check = createSignatureCheck(entry);
  return async (token) => {
    const header = readHeader(token, algorithms);
    if (!header) throw createInvalidTokenProblem();
    const key = await find(header.kid);
    // RFC 8725 section 3.1: each key is for one algorithm only.
    if (!key || key.alg !== header.alg) throw createInvalidTokenProblem();
    const payload = check(token, key);
    if (payload.iss !== issuer) throw createInvalidTokenProblem();
    return readClaims(payload, entry, runtime.now() / 1000);
  };
}

/** Creates the check of signature, issuer, audience and Cognito's claims with one key. */
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
    } else if (clientIds && !namesClient(clientIds, payload)) throw createInvalidTokenProblem();
    return payload;
  };
}

/** RFC 9068 names the client in `client_id`, older providers in `azp`. */
function namesClient(clientIds: readonly string[], payload: Payload) {
  const client = payload.client_id ?? payload.azp;
  return typeof client === "string" && clientIds.includes(client);
}

const NAMES = ["name", "preferred_username", "email"];
/** An e-mail address, no longer than one can be (RFC 3696, erratum 1690). */
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,255}$/u;

/** Returns the claims of a token with valid signature, issuer and audience. `now` is in seconds. */
export function readClaims(payload: Payload, entry: ExternalIssuer, now: number): Claims {
  const sub = readSubject(payload);
  const issuedAt = isIssuedWithin(payload, now, entry.maxLifetimeSeconds);
  const email = findEmail(payload, entry);
  return {
    issuer: entry.issuer,
    subject: sub,
    fullname: findFullName(payload, entry) ?? sub,
    issuedAt,
    ...(email !== undefined && { email }),
    ...(typeof payload.jti === "string" && {
      session: { id: toSessionId(payload.jti), expiresAt: Number(payload.exp) },
    }),
    claimedRoles: mapRoles(payload, entry),
  };
}

function findFullName(payload: Payload, { nameClaim, preset }: ExternalIssuer): string | undefined {
  const claims = [...(nameClaim === undefined ? [] : [nameClaim]), ...NAMES];
  // All that an access token of Cognito has.
  if (preset === "cognito") claims.push("username");
  for (const claim of claims) {
    const value = findClaim(payload, claim);
    if (typeof value !== "string" || !value.isWellFormed() || /\p{Cc}/u.test(value)) continue;
    const name = cutText(value.trim());
    if (name !== "") return name;
  }
  return undefined;
}

function cutText(name: string) {
  const short = name.slice(0, LIMITS.fullnameCharacters);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/** Returns the e-mail address, unless the issuer calls it unverified. */
function findEmail(payload: Payload, { emailClaim }: ExternalIssuer): string | undefined {
  const value = findClaim(payload, emailClaim);
  if (typeof value !== "string" || !value.isWellFormed() || payload.email_verified === false) return undefined;
  return EMAIL.test(value) ? value : undefined;
}

/** Returns keys of roles; values that the configuration does not name grant nothing. */
function mapRoles(payload: Payload, { rolesClaim, roles }: ExternalIssuer): readonly string[] {
  const claim = rolesClaim === undefined ? undefined : findClaim(payload, rolesClaim);
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const keys = values.flatMap((value) => (typeof value === "string" ? (roles.get(value) ?? []) : []));
  return [...new Set(keys)].sort();
}

/** Finds a claim by its whole name, which may contain dots, or by a path of names. */
function findClaim(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : findMember(payload, name.split("."));
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const TYPES: readonly unknown[] = [undefined, "JWT", "at+jwt"];
/** Header members that change the signed text or must be understood (RFC 7515 4.1.11, RFC 7516 4.1.3, RFC 7797). */
const REFUSED = ["crit", "b64", "zip"];

interface KeyChoice {
  readonly alg: TokenAlgorithm;
  readonly kid: string;
}

/** Reads the header of a canonical compact token, without keys; undefined if it is malformed. */
function readHeader(token: string, algorithms: readonly TokenAlgorithm[]): KeyChoice | undefined {
  const parts = token.split(".");
  if (!COMPACT.test(token) || !parts.every(isCanonical)) return undefined;
  const header = readPart(parts[0] ?? "");
  if (!header || REFUSED.some((name) => Object.hasOwn(header, name)) || !TYPES.includes(header.typ)) return undefined;
  const alg = algorithms.find((name) => name === header.alg);
  const { kid } = header;
  return alg && typeof kid === "string" && KID.test(kid) ? { alg, kid } : undefined;
}

async function loadKeys({ issuer, jwks, algorithms }: ExternalIssuer): Promise<KeySet> {
  // Discovered each time: an issuer that moves its keys needs no restart here.
  return readKeySet(await fetchJson(jwks ?? (await findKeySetUrl(issuer))), algorithms);
}

/** Returns `jwks_uri` of the discovery document. Throws if the document is of another issuer. */
async function findKeySetUrl(issuer: string): Promise<string> {
  const document = await fetchJson(getDiscoveryUrl(issuer));
  const [documentIssuer, uri] = [findMember(document, ["issuer"]), findMember(document, ["jwks_uri"])];
  // OpenID Connect Discovery section 4.3.
  if (documentIssuer !== issuer) throw new Error("the discovery document is of another issuer");
  if (typeof uri !== "string" || !isKeySetUrl(uri)) throw new Error("the discovery document has no usable jwks_uri");
  if (isLoopbackUrl(uri) && !isLoopbackUrl(issuer)) throw new Error("the keys of a remote issuer lie on this machine");
  return uri;
}

const JSON_TYPE = /^application\/(?:json|jwk-set\+json)\s*(?:;|$)/i;

/** Fetches a JSON document. Throws for redirects, large documents, other media types and late answers. */
async function fetchJson(address: string): Promise<unknown> {
  // One signal for connecting, waiting and reading, so that a trickle of bytes gains no time.
  const signal = AbortSignal.timeout(LIMITS.keySetMs);
  const response = await request(new URL(address), signal);
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
    if (!JSON_TYPE.test(headers["content-type"] ?? "")) throw new Error("the answer is not called JSON");
    if ((headers["content-encoding"] ?? "identity") !== "identity") throw new Error("the answer is compressed");
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await readJsonBody(response)));
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
    // No agent: a kept connection that the issuer closed would look like an outage.
    http.get(url, { agent: false, headers, signal }, resolve).on("error", reject);
  });
}

async function readJsonBody(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > LIMITS.keySetBytes) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
