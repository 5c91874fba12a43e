import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { headerOf, type RequestHeaders } from "./request.ts";

/** True where the caller sent a bearer token, whatever it is good for; another scheme is none (RFC 6750 section 3.1). */
export function isBearer(headers: RequestHeaders): boolean {
  return /^bearer(?![!#$%&'*+.^_`|~0-9a-z-])/i.test(headerOf(headers, "authorization") ?? "");
}

/** The token of the one `Authorization: Bearer` header (RFC 6750 section 2.1); undefined where no header was sent, `not_signed_in` for any other form. */
export function bearerOf(headers: RequestHeaders): string | undefined {
  const header = headerOf(headers, "authorization");
  if (header === undefined) return undefined;
  // Two headers arrive joined by a comma, which no token holds.
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Problem("not_signed_in", "The Authorization header must be sent once, as Bearer <token>");
  }
  if (token.length > LIMITS.tokenBytes) {
    throw new Problem("not_signed_in", `The access token is longer than ${LIMITS.tokenBytes} bytes`);
  }
  return token;
}
