import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { isKeySetUrl } from "./issuer-url.ts";

/** Browser sign-in at an issuer: the authorization code flow with PKCE (RFC 7636), without a secret. */
export interface SignIn extends Readonly<Omit<Entry, "label" | "scopes" | "origins">> {
  /** The name of the issuer to show people. */
  readonly label: string;
  readonly scopes: readonly string[];
  /** The origins that the browser calls: the issuer's own first. */
  readonly origins: readonly string[];
}

type Entry = z.infer<typeof signInSchema>;

/** Returns the sign-in of an issuer with defaults. */
export function completeSignIn(entry: Entry, issuer: string): SignIn {
  const { host, origin } = new URL(issuer);
  const { label = host, scopes = ["openid"], origins = [] } = entry;
  return { ...entry, label, scopes, origins: [...new Set([origin, ...origins])] };
}

/** Finds faults of the sign-in of an issuer at position `at`. */
export function findSignInFaults(
  signIn: Entry,
  { issuer, clientIds }: { readonly issuer: string; readonly clientIds?: readonly string[] | undefined },
  at: string,
): readonly string[] {
  const faults: string[] = [];
  if (clientIds && !clientIds.includes(signIn.clientId)) {
    const quotedId = JSON.stringify(signIn.clientId);
    faults.push(`${at}.signIn.clientId is ${quotedId}, whose tokens clientIds does not accept; add it there.`);
  }
  const { origin } = new URL(issuer);
  if (!isNameableOrigin(origin)) {
    faults.push(
      `${at}.signIn needs an issuer that the policy of a page can name; ${origin} is not one, remove signIn.`,
    );
  }
  return faults;
}

/** Returns the origins that pages call for sign-in, each once. */
export function listSignInOrigins(issuers: readonly { readonly signIn?: SignIn | undefined }[]): readonly string[] {
  return [...new Set(issuers.flatMap(({ signIn }) => signIn?.origins ?? []))];
}

const CLIENT = "give the id of a client that is registered for browsers, which has no secret";
const LABEL = `give one line of at most ${LIMITS.nameCharacters} characters to show people, or leave it out`;
const SCOPE = "give a scope without spaces, quotes and backslashes";
const SCOPES = "give a list of scopes, or leave it out";
const RESOURCE = "give the absolute URI of the API the tokens are for, without fragment, or leave it out";
const ORIGIN = "give an origin such as https://login.example.com (http for a loopback address only)";
const ORIGINS = "give a list of origins, or leave it out";

/** Host for a Content-Security-Policy; other characters would break the header. */
const NAMEABLE = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

function isNameableOrigin(text: string) {
  return NAMEABLE.test(text) && isKeySetUrl(text) && URL.parse(text)?.origin === text;
}

const checkSignIn = (advice: string, isGood: (text: string) => boolean) =>
  z.string({ error: advice }).check(z.refine(isGood, { error: advice }));

const isResource = (text: string) => URL.canParse(text) && !/[#\s]/.test(text);
const isLabel = (text: string) =>
  text.trim() !== "" && text.length <= LIMITS.nameCharacters && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

export const signInSchema = z.strictObject(
  {
    clientId: checkSignIn(CLIENT, (text) => text.trim() !== ""),
    label: z.optional(checkSignIn(LABEL, isLabel)),
    // RFC 6749 section 3.3.
    scopes: z.optional(
      z
        .array(
          checkSignIn(SCOPE, (text) => /^[!#-[\]-~]+$/.test(text)),
          { error: SCOPES },
        )
        .check(z.minLength(1, { error: SCOPES })),
    ),
    /** The API that the tokens are asked for (RFC 8707 section 2). */
    resource: z.optional(checkSignIn(RESOURCE, isResource)),
    origins: z.optional(z.array(checkSignIn(ORIGIN, isNameableOrigin), { error: ORIGINS })),
  },
  { error: "give an object with clientId, or leave it out" },
);
