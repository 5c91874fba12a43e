import type { Service } from "../actions/pipeline/call-context.ts";
import {
  chooseMediaType,
  findSentTag,
  getAskedForm,
  parseTags,
  requireAcceptable,
  toPlainTag,
} from "./content-negotiation.ts";
import { getHeader, type PlainResponse, type RequestHeaders, type WellKnown } from "./request.ts";

interface DiscoveryDocument {
  readonly text: string;
  readonly etag: string;
}

const discoveryDocuments = new WeakMap<Service, Map<string, Promise<DiscoveryDocument>>>();

/** The media type of OpenAPI documents in JSON, which some of their tools ask for. */
const OPENAPI = "application/vnd.oai.openapi+json";

/** Answers the OpenAPI document of a service, or 304 if the caller has it. */
export async function answerDiscovery(
  service: Service,
  publicUrl: string,
  headers: RequestHeaders,
): Promise<PlainResponse> {
  const mediaType = chooseMediaType(getHeader(headers, "accept"), ["application/json", OPENAPI]);
  const { text, etag } = await getDiscoveryDocument(service, publicUrl);
  return answerDocument(text, headers, "no-cache", etag, mediaType);
}

function getDiscoveryDocument(service: Service, publicUrl: string): Promise<DiscoveryDocument> {
  const byUrl = discoveryDocuments.get(service) ?? new Map<string, Promise<DiscoveryDocument>>();
  discoveryDocuments.set(service, byUrl);
  const entry = byUrl.get(publicUrl);
  if (entry) return entry;
  const document = createDiscoveryDocument(service, publicUrl);
  byUrl.set(publicUrl, document);
  return document;
}

async function createDiscoveryDocument(service: Service, publicUrl: string): Promise<DiscoveryDocument> {
  // The document needs the schemas of all actions, so its code is loaded only on request.
  const { describeApi } = await import("./openapi.ts");
  const text = JSON.stringify(await describeApi(service, publicUrl));
  return { text, etag: hashTag(text) };
}

/** Answers a document that others verify our tokens with. */
export async function answerWellKnown(
  document: WellKnown,
  service: Service,
  headers: RequestHeaders,
): Promise<PlainResponse> {
  requireAcceptable(getHeader(headers, "accept"), "application/json");
  const { configuration, keySet } = service.verification;
  const text = JSON.stringify(await (document === "keys" ? keySet() : configuration()));
  return answerDocument(text, headers, "public, max-age=300");
}

function answerDocument(
  text: string,
  headers: RequestHeaders,
  cacheControl: string,
  tag = hashTag(text),
  mediaType = "application/json",
): PlainResponse {
  const cachedTags = getHeader(headers, "if-none-match");
  const copy = cachedTags === undefined ? undefined : findHeldTag(tag, cachedTags, headers);
  if (copy !== undefined) {
    return { status: 304, headers: { etag: `"${copy}"`, "cache-control": cacheControl }, body: "" };
  }
  const fields = { etag: `"${tag}"`, "cache-control": cacheControl };
  return { status: 200, headers: { "content-type": mediaType, ...fields }, body: text };
}

/** Returns the tag of the caller's copy if it is current. A header without tags counts as absent. */
function findHeldTag(tag: string, header: string, headers: RequestHeaders): string | undefined {
  const form = getAskedForm(headers, false);
  const tags = parseTags(header);
  if (typeof tags === "string") return undefined;
  const isHeld = tags.some(({ opaque }) => opaque === "*" || toPlainTag(opaque, form) === tag);
  return isHeld ? findSentTag(tag, header, form) : undefined;
}

function hashTag(text: string) {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
  return hash.slice(0, 22);
}
