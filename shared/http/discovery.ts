import type { Service } from "../actions/dispatch.ts";
import { requireAcceptable } from "./accept.ts";
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
  const cached = { etag, "cache-control": "no-cache" };
  const known = headerOf(headers, "if-none-match")?.split(",") ?? [];
  if (known.some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)) {
    return { status: 304, headers: cached, body: "" };
  }
  return { status: 200, headers: { "content-type": "application/json", ...cached }, body: text };
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
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
  return { text, etag: `"${hash.slice(0, 22)}"` };
}
