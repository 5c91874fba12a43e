import type { Service } from "../actions/dispatch/service.ts";

import { requireAcceptable } from "./accept.ts";
import { answerDocument } from "./cached-document.ts";
import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";
import type { WellKnown } from "./route.ts";

/** What others need to verify our tokens. It changes with a rotation of the keys alone, so it may be kept for a while. */
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
