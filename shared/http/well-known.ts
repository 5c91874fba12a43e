import type { Service } from "../actions/dispatch/service.ts";
import { requireAcceptable } from "./accept.ts";
import { answerDocument } from "./cached-document.ts";
import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";
import type { WellKnown } from "./route.ts";

/**
 * Answers a document that others verify our tokens by. Only a rotation of the keys changes it, so caches may keep it a
 * while.
 */
export async function answerWellKnown(
  document: WellKnown,
  service: Service,
  headers: RequestHeaders,
): Promise<PlainResponse> {
  requireAcceptable(headerOf(headers, "accept"), "application/json");
  const { configuration, keySet } = service.verification;
  const text = JSON.stringify(await (document === "keys" ? keySet() : configuration()));
  return answerDocument(text, headers, "public, max-age=300");
}
