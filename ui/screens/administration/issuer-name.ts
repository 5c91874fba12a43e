import { useCallback } from "react";
import { BUILT_IN } from "../../../shared/domain/principal.ts";
import { useAdministrationWords } from "../../words/administration.ts";

/** Whether the service itself signs somebody in. */
export const isBuiltIn = (issuer: string): boolean => issuer === BUILT_IN;

/** Answers what people call an issuer: its address, or that it is the service. */
export function useIssuerName(): (issuer: string) => string {
  const say = useAdministrationWords();
  return useCallback((issuer) => (isBuiltIn(issuer) ? say("builtIn") : issuer.replace(/^https:\/\//, "")), [say]);
}
