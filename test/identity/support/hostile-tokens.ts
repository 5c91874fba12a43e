import type { Genuine, Hostile } from "./genuine-token.ts";
import { hostileClaims } from "./hostile-claims.ts";
import { hostileForms } from "./hostile-forms.ts";
import { hostileAlgorithms, hostileHeaders, hostileKeyChoices } from "./hostile-headers.ts";

/** Every hostile token that we know to try on a verifier, made from a token that it accepts; `now` in seconds. */
export function hostileTokens(genuine: Genuine, now: number): readonly Hostile[] {
  return [
    ...hostileAlgorithms(genuine),
    ...hostileKeyChoices(genuine),
    ...hostileHeaders(genuine),
    ...hostileClaims(genuine, now),
    ...hostileForms(genuine),
  ];
}
