import { type Defects, suite } from "./defect.ts";
import { at, keep, remove } from "./mutation.ts";

/** Defects in sign-in and access tokens. */
export const IDENTITY_DEFECTS: Defects = {
  "expired-token-accepted": {
    planted: ["issuedWithin", remove(at("if", "not_signed_in"))],
    caughtBy: [suite("test/identity/tokens/tokens.test.ts")],
  },
  "token-from-before-the-new-password-accepted": {
    planted: ["findPrincipal", keep("right", at("logical", "issuedAt"))],
    caughtBy: [suite("test/actions/auth-user.test.ts")],
  },
  "wrong-passwords-without-a-wait": {
    planted: ["countAttempt", remove(at("statement", ["here", "refuseUntil"]))],
    caughtBy: [suite("test/identity/login-attempts.test.ts")],
  },
  "token-for-another-client-accepted": {
    planted: ["createSignatureCheck", remove(at("if", "clientIds"))],
    caughtBy: [suite("test/identity/issuers/oidc-provider.test.ts")],
  },
  "disabled-actor-of-another-issuer-accepted": {
    planted: ["findExternal", remove(at("if", "disabledAt"))],
    caughtBy: [suite("test/identity/issuers/sign-in.test.ts")],
  },
};
