import type { Claims } from "../../actions/contract/ports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isSubject, issuedWithin, notValid, type Payload } from "../verify-token.ts";
import type { ExternalIssuer } from "./configuration.ts";

const NAMES = ["name", "preferred_username", "email"];
/** An e-mail address, no longer than one can be (RFC 3696, erratum 1690). */
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,255}$/u;

/** The claims of a token whose signature, issuer and audience hold, at `now` in seconds since the epoch. */
export function readClaims(payload: Payload, entry: ExternalIssuer, now: number): Claims {
  const { sub } = payload;
  if (!isSubject(sub)) throw notValid();
  const issuedAt = issuedWithin(payload, now, entry.maxLifetimeSeconds);
  const email = emailOf(payload, entry);
  return {
    issuer: entry.issuer,
    subject: sub,
    fullname: fullnameOf(payload, entry) ?? sub,
    issuedAt,
    ...(email !== undefined && { email }),
    claimedRoles: rolesOf(payload, entry),
  };
}

/** The first claim that names somebody. */
function fullnameOf(payload: Payload, { nameClaim, preset }: ExternalIssuer): string | undefined {
  const claims = [...(nameClaim === undefined ? [] : [nameClaim]), ...NAMES];
  // All that an access token of Cognito has.
  if (preset === "cognito") claims.push("username");
  for (const claim of claims) {
    const value = claimAt(payload, claim);
    if (typeof value !== "string" || !value.isWellFormed() || /\p{Cc}/u.test(value)) continue;
    const name = cut(value.trim());
    if (name !== "") return name;
  }
  return undefined;
}

/** The name cut to the length a name may have, with no half of a character at its end. */
function cut(name: string): string {
  const short = name.slice(0, LIMITS.fullnameCharacters);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/** An address that the issuer does not itself call unverified. */
function emailOf(payload: Payload, { emailClaim }: ExternalIssuer): string | undefined {
  const value = claimAt(payload, emailClaim);
  if (typeof value !== "string" || !value.isWellFormed() || payload.email_verified === false) return undefined;
  return EMAIL.test(value) ? value : undefined;
}

/** Keys of roles; a value that the configuration does not name gives nothing. */
function rolesOf(payload: Payload, { rolesClaim, roles }: ExternalIssuer): readonly string[] {
  const claimed = rolesClaim === undefined ? undefined : claimAt(payload, rolesClaim);
  const values: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed];
  const keys = values.flatMap((value) => (typeof value === "string" ? (roles.get(value) ?? []) : []));
  return [...new Set(keys)].sort();
}

/** A claim by its whole name, which may hold dots; else by a path of names with dots between them. */
function claimAt(payload: Payload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // Just seen to be an object with that member of its own.
    value = (value as Payload)[step];
  }
  return value;
}
