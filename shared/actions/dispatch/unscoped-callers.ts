import { LIMITS } from "../../domain/limits.ts";
import type { Principal } from "../../domain/principal.ts";
import type { Claims } from "../contract/ports.ts";

/**
 * The callers that a process last found to have rights on no models in particular. A hint for what may be asked before it is
 * known again who calls; it gives no right.
 */
export interface UnscopedCallers {
  has(claims: Claims): boolean;
  note(claims: Claims, principal: Principal): void;
}

export function createUnscopedCallers(): UnscopedCallers {
  const names = new Set<string>();
  const nameOf = ({ issuer, subject }: Claims): string => JSON.stringify([issuer, subject]);
  return {
    has: (claims) => names.has(nameOf(claims)),
    note: (claims, { scopes }) => {
      const name = nameOf(claims);
      names.delete(name);
      if (scopes.length === 0) names.add(name);
      for (const oldest of names) {
        if (names.size <= LIMITS.keptCallers) break;
        names.delete(oldest);
      }
    },
  };
}
