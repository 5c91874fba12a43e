import type { ImportedDocument, Importer, ImportNames, ImportSource } from "../actions/contract/ports.ts";
import type { ModelDocument } from "../domain/document/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { includeMember } from "../domain/model/content.ts";
import { normalizeWithMisfits } from "../domain/normal-form/normalize-document.ts";
import { Problem } from "../domain/problems.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import type { SourceFormat } from "../domain/values/source-formats.ts";
import type { SourceContent } from "../domain/values/value-types.ts";
import { createDiagnostics, type Diagnostics, quote } from "./common/diagnostics.ts";
import { countObjects, refuseTooMany, SourceSize } from "./common/document-size.ts";
import { dialTcp, FetchError, type Network, resolveHost } from "./common/fetch/connect-source.ts";
import { type FetchBudget, type FetchedSource, fetchSource, toSourceLabel } from "./common/fetch/fetch-source.ts";
import { checkSource, replaceControls } from "./common/legal-source.ts";
import { parseFile, parseText } from "./common/source-text.ts";
import { checkDocument } from "./document-check.ts";
import { findFormerPositions, sortDocument } from "./document-order.ts";
import { createUnrecognisedProblem, recogniseFormat } from "./recognise.ts";
import { loadReader } from "./source-readers.ts";

type SourceLimits = {
  readonly [L in "sourceBytes" | "sourceRatio" | "sourceRedirects" | "sourceConnectMs" | "sourceTotalMs"]: number;
};

/** Options of imports. `allowPrivate` is for local use only, never in a deployed service. */
export interface ImporterOptions extends Pick<Network, "allowPrivate">, Partial<Pick<Network, "resolve" | "dial">> {
  readonly limits?: SourceLimits;
}

/** Creates an importer for all `SOURCE_FORMATS`, by URL or as content. */
export function createImporter(options: ImporterOptions): Importer {
  const limits: SourceLimits = options.limits ?? LIMITS;
  const network: Network = {
    resolve: options.resolve ?? resolveHost,
    dial: options.dial ?? dialTcp,
    allowPrivate: options.allowPrivate,
    connectMs: limits.sourceConnectMs,
  };
  return {
    read: async (source, names, callBudget) => {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), limits.sourceTotalMs);
      const size = { wire: limits.sourceBytes, body: limits.sourceBytes, ratio: limits.sourceRatio };
      const budget: FetchBudget = { signal: stop.signal, redirects: limits.sourceRedirects, size };
      try {
        return await readSource(source, names, (url) => fetchSource(url, network, budget), new SourceSize(callBudget));
      } catch (error) {
        if (error instanceof FetchError) throw toProblem(error, limits);
        throw error;
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
    },
  };
}

type Fetch = (url: URL) => Promise<FetchedSource>;

async function readSource(
  source: ImportSource,
  names: ImportNames,
  fetch: Fetch,
  size: SourceSize,
): Promise<ImportedDocument> {
  const parsedSource =
    "from" in source ? await fetchAndParse(source.from, fetch) : await parseContent(source.content, names.format);
  checkSource(parsedSource.value);
  const diagnostics = createDiagnostics();
  const legalSource = replaceControls(parsedSource.value, diagnostics);
  const recognised = recogniseFormat(legalSource, names.format);
  const label = names.source ?? (parsedSource.url && toSourceLabel(parsedSource.url));
  const files = { base: parsedSource.base, fetch };
  const readFormat = await loadReader(recognised.format);
  const read = await readFormat(legalSource, { names, path: { label, path: [] }, diagnostics, files, size });
  const document = normalizeSource(read, diagnostics);
  diagnostics.throwFaults();
  refuseTooMany(countObjects(document));
  checkDocument(document, diagnostics);
  diagnostics.throwFaults();
  const former = findFormerPositions(document);
  return {
    document: sortDocument(document),
    ...includeMember("former", former),
    recognised,
    warnings: diagnostics.warnings(),
    ...includeMember("source", label),
  };
}

/** Returns the normal form of a document. Warns about values that the types of their columns do not allow. */
function normalizeSource(read: ModelDocument, diagnostics: Diagnostics): ModelDocument {
  const { document, misfits } = normalizeWithMisfits(read);
  for (const { entity, attribute, keyword, value, type } of misfits) {
    const path = [entity, attribute, keyword].map((step) => `/${escapePointerToken(step)}`).join("");
    diagnostics.warn(path, "kept_as_property", `${quote(String(value))} is not a value of the type ${type}`);
  }
  return document;
}

interface ParsedSource {
  readonly value: unknown;
  readonly url?: URL;
  readonly base?: URL;
}

async function fetchAndParse(from: string, fetch: Fetch): Promise<ParsedSource> {
  const url = URL.parse(from.trim());
  if (!url) throw createUnrecognisedProblem("from is not a valid URL");
  const file = await fetch(url);
  const result = await parseFile(file);
  if (typeof result === "string") throw createUnrecognisedProblem(result);
  return { value: result.value, url, base: file.url };
}

async function parseContent(content: SourceContent, format: SourceFormat | undefined): Promise<ParsedSource> {
  if (typeof content !== "string") return { value: content };
  const result = await parseText(content, format);
  if (typeof result === "string") throw createUnrecognisedProblem(result);
  return result;
}

function toProblem(error: FetchError, limits: SourceLimits): Problem {
  if (!error.tooLarge) return createUnrecognisedProblem(`it could not be fetched: ${error.message}`);
  return new Problem(
    "too_large",
    `the source cannot be imported: ${error.message}; at most ${limits.sourceBytes} bytes are read`,
  );
}
