import { quotedTags, shellPayload, shellQuoted, shellWord, TOKEN_VARIABLE, type WrittenCall } from "./call.ts";

/** A call as a command of curl; the token and each secret are variables of the environment. */
export function curlOf(call: WrittenCall): string {
  const { action, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const lines = [
    `curl -sS ${shellWord(`${url}/api/${action.group}/${action.name}`)}`,
    ...(action.isPublic ? [] : [`  -H "Authorization: Bearer $${TOKEN_VARIABLE}"`]),
    ...(ifMatch ? [`  -H ${shellQuoted(`If-Match: ${quotedTags(ifMatch)}`)}`] : []),
    ...(dryRun ? ["  -H 'Dry-Run: true'"] : []),
    ...(idempotencyKey && !dryRun ? [`  -H ${shellQuoted(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    "  -H 'Content-Type: application/json'",
    `  -d ${shellPayload(payload)}`,
  ];
  return lines.join(" \\\n");
}
