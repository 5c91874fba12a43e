import type * as z from "zod/mini";
import { isNameableOrigin, type signInSchema } from "./sign-in-schema.ts";

/** How people sign in at an issuer in the browser: the authorization code flow with PKCE (RFC 7636), without a secret. */
export interface SignIn {
  readonly clientId: string;
  /** The name of the issuer to show people. */
  readonly label: string;
  readonly scopes: readonly string[];
  /** The API that the tokens are asked for (RFC 8707). */
  readonly resource?: string;
  /** The origins that the browser calls: the issuer's own first. */
  readonly origins: readonly string[];
}

/** The member `signIn` of an issuer's entry, as the file has it. */
type Entry = z.infer<typeof signInSchema>;

/** The sign-in of an issuer, with defaults filled in. */
export function completedSignIn({ clientId, label, scopes, resource, origins }: Entry, issuer: string): SignIn {
  const url = new URL(issuer);
  return {
    clientId,
    label: label ?? url.host,
    scopes: scopes ?? ["openid"],
    ...(resource !== undefined && { resource }),
    origins: [...new Set([url.origin, ...(origins ?? [])])],
  };
}

/** The faults of a sign-in whose tokens would be refused, or whose issuer a page could not call; `at` is its place. */
export function signInFaults(
  {
    issuer,
    clientIds,
    signIn,
  }: {
    readonly issuer: string;
    readonly clientIds?: readonly string[] | undefined;
    readonly signIn?: Entry | undefined;
  },
  at: string,
): readonly string[] {
  if (!signIn) return [];
  const faults: string[] = [];
  if (clientIds && !clientIds.includes(signIn.clientId)) {
    const named = JSON.stringify(signIn.clientId);
    faults.push(`${at}.signIn.clientId is ${named}, whose tokens clientIds does not accept; add it there.`);
  }
  const { origin } = new URL(issuer);
  if (!isNameableOrigin(origin)) {
    faults.push(`${at}.signIn needs an issuer that the policy of a page can name; ${origin} is none, remove signIn.`);
  }
  return faults;
}

/** The origins that pages call when people sign in, each once. */
export function signInOrigins(issuers: readonly { readonly signIn?: SignIn }[]): readonly string[] {
  return [...new Set(issuers.flatMap(({ signIn }) => signIn?.origins ?? []))];
}
