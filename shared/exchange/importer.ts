import type { Imported, Importer, ImportNames, ImportSource } from "../actions/contract/ports.ts";
import { ifDefined } from "../domain/content.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { SourceFormat } from "../domain/source-formats.ts";
import type { SourceContent } from "../domain/value-types.ts";
import { checkSource } from "./check-source.ts";
import { type Dial, type Network, type Resolve, systemDial, systemResolve } from "./connect-source.ts";
import { checkDocument } from "./document-check.ts";
import { formerPlaces, sorted } from "./document-order.ts";
import { objectCount, refuseTooMany } from "./document-size.ts";
import { type FetchBudget, type FetchedSource, fetchSource } from "./fetch-source.ts";
import { createFindings } from "./findings.ts";
import { READERS } from "./formats.ts";
import { createSchemaFiles } from "./frictionless/schema-files.ts";
import { withLegalTexts } from "./legal-source.ts";
import { recognise, unrecognised } from "./recognise.ts";
import { parseFile, parseText } from "./source-text.ts";
import { labelOf } from "./source-url.ts";
import { Unfetched } from "./unfetched.ts";

/** Time and size of one import's fetching; milliseconds and bytes. */
export interface SourceLimits {
  readonly sourceBytes: number;
  readonly sourceRatio: number;
  readonly sourceRedirects: number;
  readonly sourceConnectMs: number;
  readonly sourceTotalMs: number;
}

export interface ImporterOptions {
  /** Lets imports reach loopback and private addresses and any port: for local use, never in a deployed service. */
  readonly allowPrivate: boolean;
  /** Looks host names up; the system's resolver when left out. */
  readonly resolve?: Resolve;
  /** Begins connections to checked addresses; plain TCP when left out. */
  readonly dial?: Dial;
  /** `LIMITS` when left out. */
  readonly limits?: SourceLimits;
}

/** Reads sources in every format of `SOURCE_FORMATS`, by URL or as content. */
export function createImporter(options: ImporterOptions): Importer {
  const limits: SourceLimits = options.limits ?? LIMITS;
  const network: Network = {
    resolve: options.resolve ?? systemResolve,
    dial: options.dial ?? systemDial,
    allowPrivate: options.allowPrivate,
    connectMs: limits.sourceConnectMs,
  };
  return {
    read: async (source, names) => {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), limits.sourceTotalMs);
      const size = { wire: limits.sourceBytes, inflated: limits.sourceBytes, ratio: limits.sourceRatio };
      const budget: FetchBudget = { signal: stop.signal, redirects: limits.sourceRedirects, size };
      try {
        return await read(source, names, (url) => fetchSource(url, network, budget));
      } catch (error) {
        if (error instanceof Unfetched) throw problemOf(error, limits);
        throw error;
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
    },
  };
}

type Fetch = (url: URL) => Promise<FetchedSource>;

async function read(source: ImportSource, names: ImportNames, fetch: Fetch): Promise<Imported> {
  const opened = "from" in source ? await openUrl(source.from, fetch) : await openContent(source.content, names.format);
  checkSource(opened.value);
  const findings = createFindings();
  const legal = withLegalTexts(opened.value, findings);
  const recognised = recognise(legal, names.format);
  const label = names.source ?? (opened.asked && labelOf(opened.asked));
  const files = createSchemaFiles(opened.base, fetch);
  const readFormat = await READERS[recognised.format]();
  const document = await readFormat(legal, { names, place: { label, path: [] }, findings, files });
  findings.throwFaults();
  refuseTooMany(objectCount(document));
  checkDocument(document, findings);
  findings.throwFaults();
  const former = formerPlaces(document);
  return {
    document: sorted(document),
    ...ifDefined("former", former),
    recognised,
    warnings: findings.warnings(),
    ...ifDefined("source", label),
  };
}

/** A parsed source; `asked` is the URL the caller gave, `base` the one it was found at. */
interface Opened {
  readonly value: unknown;
  readonly asked?: URL;
  readonly base?: URL;
}

async function openUrl(from: string, fetch: Fetch): Promise<Opened> {
  const asked = URL.parse(from.trim());
  if (!asked) throw unrecognised("from is no URL");
  const fetched = await fetch(asked);
  const parsed = await parseFile(fetched);
  if (typeof parsed === "string") throw unrecognised(parsed);
  return { value: parsed.value, asked, base: fetched.url };
}

async function openContent(content: SourceContent, wanted: SourceFormat | undefined): Promise<Opened> {
  if (typeof content !== "string") return { value: content };
  const parsed = await parseText(content, wanted);
  if (typeof parsed === "string") throw unrecognised(parsed);
  return parsed;
}

function problemOf(error: Unfetched, limits: SourceLimits): Problem {
  if (!error.tooLarge) return unrecognised(`it could not be fetched: ${error.message}`);
  return new Problem(
    "too_large",
    `the source cannot be imported: ${error.message}; at most ${limits.sourceBytes} bytes are read`,
  );
}
