import type { Service } from "../actions/dispatch/service.ts";
import { requireAcceptable } from "./accept.ts";
import { answerDocument, tagOf } from "./cached-document.ts";
import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";

interface Description {
  readonly text: string;
  readonly etag: string;
}

const described = new WeakMap<Service, Map<string, Promise<Description>>>();

/** The OpenAPI document of a service, made once per process and public URL; 304 where the caller has it already. */
export async function discover(service: Service, publicUrl: string, headers: RequestHeaders): Promise<PlainResponse> {
  requireAcceptable(headerOf(headers, "accept"), "application/json");
  const { text, etag } = await descriptionOf(service, publicUrl);
  return answerDocument(text, headers, "no-cache", etag);
}

function descriptionOf(service: Service, publicUrl: string): Promise<Description> {
  const byUrl = described.get(service) ?? new Map<string, Promise<Description>>();
  described.set(service, byUrl);
  const known = byUrl.get(publicUrl);
  if (known) return known;
  const made = describe(service, publicUrl);
  byUrl.set(publicUrl, made);
  return made;
}

async function describe(service: Service, publicUrl: string): Promise<Description> {
  // Making it builds every schema, so its code is loaded when it is asked for.
  const { describeApi } = await import("./openapi.ts");
  const text = JSON.stringify(await describeApi(service, publicUrl));
  return { text, etag: tagOf(text) };
}
