import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { holdsCredentials } from "../../domain/value-types.ts";
import { firstIllFormed } from "../../domain/well-formed.ts";
import type { FetchedSource } from "../fetch-source.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { withLegalTexts } from "../legal-source.ts";
import { quoted } from "../quoted.ts";
import { parseFile } from "../source-text.ts";
import { publicForm } from "../source-url.ts";
import { Unfetched } from "../unfetched.ts";
import type { SchemaResource } from "./resource-entity.ts";

/** A resource whose schema stands in a file of its own. */
export interface SchemaRequest {
  readonly resource: SchemaResource["resource"];
  /** A URL, or a path relative to the package. */
  readonly ref: string;
  readonly findings: Findings;
}

/** Fetches the schema files of one data package. */
export interface SchemaFiles {
  /** The resources whose file could be read; a fault for each of the others. `too_large` beyond `LIMITS.sourceFiles`. */
  fetchAll(requests: readonly SchemaRequest[]): Promise<ReadonlyMap<SchemaRequest, SchemaResource>>;
}

/** How many schema files are fetched at the same time. */
const AT_ONCE = 4;

/** Schema files beside a package at `base`; without a base (inline content) only absolute URLs can be fetched. */
export function createSchemaFiles(base: URL | undefined, fetch: (url: URL) => Promise<FetchedSource>): SchemaFiles {
  return {
    fetchAll: async (requests) => {
      const wanted = resolveAll(requests, base);
      const urls = new Map([...wanted.values()].map((url) => [url.href, url]));
      if (urls.size > LIMITS.sourceFiles) {
        throw new Problem(
          "too_large",
          `the package names ${urls.size} schema files; at most ${LIMITS.sourceFiles} are fetched`,
        );
      }
      const schemas = await fetchEach([...urls.values()], fetch);
      const found = new Map<SchemaRequest, SchemaResource>();
      for (const [request, url] of wanted) {
        const schema = await schemaIn(schemas.get(url.href) ?? "it was not fetched", request);
        if (schema) found.set(request, { resource: request.resource, schema, file: publicForm(url) });
      }
      return found;
    },
  };
}

function resolveAll(requests: readonly SchemaRequest[], base: URL | undefined): ReadonlyMap<SchemaRequest, URL> {
  const wanted = new Map<SchemaRequest, URL>();
  for (const request of requests) {
    const url = URL.parse(request.ref.trim(), base?.href);
    if (url) wanted.set(request, url);
    else if (base) request.findings.fault("", `${quoted(request.ref)} is no URL and no path`);
    else
      request.findings.fault(
        "",
        `${quoted(request.ref)} is relative to the package, which has no address when it is given as content; import it by URL or put the schema inline`,
      );
  }
  return wanted;
}

/** The text of each URL, or a sentence why there is none. */
async function fetchEach(
  urls: readonly URL[],
  fetch: (url: URL) => Promise<FetchedSource>,
): Promise<ReadonlyMap<string, FetchedSource | string>> {
  const results = new Map<string, FetchedSource | string>();
  const queue = urls.values();
  const work = async (): Promise<void> => {
    for (const url of queue) results.set(url.href, await fetch(url).catch(reasonOf));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

function reasonOf(error: unknown): string {
  if (error instanceof Unfetched && !error.tooLarge) return error.message;
  throw error;
}

async function schemaIn(
  file: FetchedSource | string,
  request: SchemaRequest,
): Promise<{ readonly source: JsonObject; readonly findings: Findings } | undefined> {
  const { findings } = request;
  if (typeof file === "string") {
    // An address with a password in it is never fetched, and never repeated.
    const named = holdsCredentials(request.ref) ? "" : ` ${quoted(request.ref)}`;
    findings.fault("", `the schema file${named} could not be fetched: ${file}`);
    return undefined;
  }
  const parsed = await parseFile(file);
  if (typeof parsed === "string") {
    findings.fault("", `the schema file ${quoted(request.ref)} cannot be read: ${parsed}`);
    return undefined;
  }
  const inside = findings.at("", quoted(request.ref));
  const illFormed = firstIllFormed(parsed.value);
  if (illFormed !== undefined) {
    inside.fault(illFormed, "has half a surrogate pair");
    return undefined;
  }
  const source = withLegalTexts(parsed.value, inside);
  if (isObject(source) && "fields" in source) return { source, findings: inside };
  inside.fault("", "the file holds no Table Schema");
  return undefined;
}
