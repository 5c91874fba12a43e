import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { passwordFaults } from "./password-policy.ts";
import { text, valueType } from "./value-type.ts";

/** A password that is to be given to somebody. Whether it is the username is judged where both are known. */
export const newPassword = valueType({
  id: "NewPassword",
  json: "string",
  description: `A new password in clear text, of ${LIMITS.passwordCharacters} characters to ${LIMITS.passwordBytes} bytes and three of these: lower-case letters, upper-case letters, digits, others, and none of those that are tried first everywhere; never stored, logged or repeated.`,
  secret: true,
  schema: () =>
    text().check(
      z.check<string>((sent) => {
        for (const message of passwordFaults(sent.value)) {
          sent.issues.push({ code: "custom", input: sent.value, message });
        }
      }),
    ),
});
