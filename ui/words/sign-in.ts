import { signIn as en } from "./en/sign-in.ts";
import { wordsOf } from "./language.ts";

/** The words of signing in and of the first run. */
export const useSignInWords = wordsOf("sign-in", en, async () => (await import("./fr/sign-in.ts")).signIn);
