import { useCallback } from "react";
import { BUILT_IN } from "../../../shared/domain/accounts/principal.ts";
import { useWords } from "../../words/words.ts";

/** Whether the service itself signs somebody in. */
export const isBuiltIn = (issuer: string): boolean => issuer === BUILT_IN;

/** Answers what people call an issuer: its address, or that it is the service. */
export function useIssuerName(): (issuer: string) => string {
  const say = useWords("administration");
  return useCallback((issuer) => (isBuiltIn(issuer) ? say("builtIn") : issuer.replace(/^https:\/\//, "")), [say]);
}
