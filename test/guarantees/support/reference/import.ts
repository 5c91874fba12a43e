import type { RefDocument } from "./document.ts";
import { readOwnDocument } from "./import-own.ts";
import { readTables } from "./import-tables.ts";
import { Refusal } from "./problem.ts";
import { type Found, type ImportTerms, readable, type Source } from "./source.ts";

/** The model of a source, and the places of what was not carried over. */
export interface ReadSource {
  readonly document: RefDocument;
  readonly warnings: readonly string[];
}

/** Reads a source as contract section 7 says; as far as the histories go: a model document, a Table Schema, a Data Package. */
export function readSource(source: Source, terms: ImportTerms): ReadSource {
  const found: Found = { faults: [], wrong: [], warnings: [] };
  // A source is an object, and stays one.
  const document = documentOf(readable(source, found) as Source, terms, found);
  if (!document) throw new Refusal("source_not_recognised");
  for (const pointers of [found.faults, found.wrong]) {
    if (pointers.length > 0) throw new Refusal("invalid_content", { pointers });
  }
  return { document, warnings: found.warnings };
}

function documentOf(source: Source, terms: ImportTerms, found: Found): RefDocument | undefined {
  if (/^urn:metaction:model:[12]$/.test(String(source.$schema))) return readOwnDocument(source, terms, found);
  if (source.$schema !== undefined) return undefined;
  return "fields" in source || "resources" in source ? readTables(source, terms, found) : undefined;
}
