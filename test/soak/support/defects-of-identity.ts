import { type Defect, suite } from "./defect.ts";
import { at, keep, remove } from "./mutation.ts";

/** Defects in sign-in and access tokens. */
export const IDENTITY_DEFECTS: readonly Defect[] = [
  {
    name: "expired-token-accepted",
    where: "issuedWithin",
    mutation: remove(at("if", "not_signed_in")),
    caughtBy: [suite("test/identity/tokens/tokens.test.ts")],
  },
  {
    name: "token-from-before-the-new-password-accepted",
    where: "findPrincipal",
    mutation: keep("right", at("logical", "issuedAt")),
    caughtBy: [suite("test/actions/auth-user.test.ts")],
  },
  {
    name: "wrong-passwords-without-a-wait",
    where: "countAttempt",
    mutation: remove(at("statement", ["here", "refuseUntil"])),
    caughtBy: [suite("test/identity/login-attempts.test.ts")],
  },
  {
    name: "token-for-another-client-accepted",
    where: "createSignatureCheck",
    mutation: remove(at("if", "clientIds")),
    caughtBy: [suite("test/identity/issuers/oidc-provider.test.ts")],
  },
  {
    name: "disabled-actor-of-another-issuer-accepted",
    where: "findExternal",
    mutation: remove(at("if", "disabledAt")),
    caughtBy: [suite("test/identity/issuers/sign-in.test.ts")],
  },
];
