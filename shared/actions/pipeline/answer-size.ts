import { LIMITS } from "../../domain/limits.ts";
import type { Answer } from "../contract/call.ts";
import type { CallContext } from "./call-context.ts";

/** Returns the bytes of a value as JSON in UTF-8. */
export function measureJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Characters that every transport delivers: none takes more than six bytes in an escaped body. */
const DELIVERABLE_CHARACTERS = Math.floor(LIMITS.responseBytes / 6);

/**
 * Throws `result_too_large` for an answer that the transport of the call cannot deliver, before anything is written.
 * Returns true for a large answer, which is checked as it is: at another revision it may have more bytes.
 */
export async function checkDelivery(
  { checkAnswer }: Pick<CallContext, "checkAnswer">,
  answer: Answer,
): Promise<boolean> {
  if ((JSON.stringify(answer.body) ?? "").length <= DELIVERABLE_CHARACTERS) return false;
  await checkAnswer?.(answer);
  return true;
}
