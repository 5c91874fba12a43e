import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { findIllFormed } from "../../domain/text/characters.ts";
import { holdsCredentials } from "../../domain/values/value-types.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { FetchError } from "../common/fetch/connect-source.ts";
import { type FetchedSource, toPublicUrl } from "../common/fetch/fetch-source.ts";
import type { SourceFiles } from "../common/format.ts";
import { isObject, type Part } from "../common/json-object.ts";
import { replaceControls } from "../common/legal-source.ts";
import { parseFile } from "../common/source-text.ts";
import type { SchemaResource } from "./resource-entity.ts";

/** A resource with a schema in a separate file. */
export interface SchemaRequest {
  readonly resource: SchemaResource["resource"];
  /** URL, or path relative to the package. */
  readonly ref: string;
  readonly diagnostics: Diagnostics;
}

const CONCURRENT_FETCHES = 4;

/** Fetches the schema files of a data package and rejects unreadable ones. Throws `too_large`. */
export async function fetchSchemaFiles(
  requests: readonly SchemaRequest[],
  { base, fetch }: SourceFiles,
): Promise<ReadonlyMap<SchemaRequest, SchemaResource>> {
  const requestUrls = resolveUrls(requests, base);
  const urls = new Map([...requestUrls.values()].map((url) => [url.href, url]));
  if (urls.size > LIMITS.sourceFiles) {
    const detail = `the package names ${urls.size} schema files; at most ${LIMITS.sourceFiles} are fetched`;
    throw new Problem("too_large", detail);
  }
  const schemas = await fetchFiles([...urls.values()], fetch);
  const resources = new Map<SchemaRequest, SchemaResource>();
  for (const [request, url] of requestUrls) {
    const schema = await readSchemaFile(schemas.get(url.href) ?? "it was not fetched", request);
    if (schema) resources.set(request, { resource: request.resource, schema, file: toPublicUrl(url) });
  }
  return resources;
}

const NO_ADDRESS =
  "is relative to the package, which has no address when it is given as content; import it by URL or put the schema inline";

function resolveUrls(requests: readonly SchemaRequest[], base: URL | undefined): ReadonlyMap<SchemaRequest, URL> {
  const requestUrls = new Map<SchemaRequest, URL>();
  for (const request of requests) {
    const url = URL.parse(request.ref.trim(), base?.href);
    if (url) requestUrls.set(request, url);
    else request.diagnostics.reject("", `${quote(request.ref)} ${base ? "is neither a URL nor a path" : NO_ADDRESS}`);
  }
  return requestUrls;
}

async function fetchFiles(
  urls: readonly URL[],
  fetch: SourceFiles["fetch"],
): Promise<ReadonlyMap<string, FetchedSource | string>> {
  const results = new Map<string, FetchedSource | string>();
  const queue = urls.values();
  const work = async () => {
    for (const url of queue) results.set(url.href, await fetch(url).catch(toFailureReason));
  };
  await Promise.all(Array.from({ length: CONCURRENT_FETCHES }, work));
  return results;
}

function toFailureReason(error: unknown) {
  if (error instanceof FetchError && !error.tooLarge) return error.message;
  throw error;
}

async function readSchemaFile(file: FetchedSource | string, request: SchemaRequest): Promise<Part | undefined> {
  const { diagnostics, ref } = request;
  if (typeof file === "string") {
    // A reference with credentials is never fetched or repeated.
    const refText = holdsCredentials(ref) ? "" : ` ${quote(ref)}`;
    return void diagnostics.reject("", `the schema file${refText} could not be fetched: ${file}`);
  }
  const result = await parseFile(file);
  if (typeof result === "string")
    return void diagnostics.reject("", `the schema file ${quote(ref)} cannot be read: ${result}`);
  const fileDiagnostics = diagnostics.at("", quote(ref));
  const faultPath = findIllFormed(result.value);
  if (faultPath !== undefined) return void fileDiagnostics.reject(faultPath, "contains an unpaired surrogate");
  const source = replaceControls(result.value, fileDiagnostics);
  if (isObject(source) && "fields" in source) return { source, diagnostics: fileDiagnostics };
  return void fileDiagnostics.reject("", "the file is not a Table Schema");
}
