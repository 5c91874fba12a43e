import type { RefDocument } from "./document.ts";
import { Like } from "./expected.ts";
import { readOwnDocument } from "./import-own.ts";
import { readTables } from "./import-tables.ts";
import { pairsByKey } from "./pairs.ts";
import { Refusal } from "./problem.ts";
import { type Found, type ImportTerms, readable, type Source } from "./source.ts";

/** The model of a source, and the places of what was not carried over. */
export interface ReadSource {
  readonly document: RefDocument;
  readonly warnings: readonly string[];
}

/** Reads a source as contract section 7 says; as far as the histories go: a model document, a Table Schema, a Data Package. */
export function readSource(source: Source | string, terms: ImportTerms, format?: unknown): ReadSource {
  // The texts of the histories are no source at all.
  if (typeof source === "string") throw new Refusal("source_not_recognised");
  const found: Found = { faults: [], wrong: [], warnings: [] };
  // A source is an object, and stays one.
  const document = documentOf(readable(source, found) as Source, terms, found);
  if (!document || (format !== undefined && format !== formatOf(source))) throw new Refusal("source_not_recognised");
  for (const pointers of [found.faults, found.wrong]) {
    if (pointers.length > 0) throw new Refusal("invalid_content", { pointers });
  }
  // Documents have roles, and what lies along them, by key.
  const relationships = document.relationships.map((r) => {
    const keyPairs = pairsByKey(r.roles, r.keyPairs);
    const roles = r.roles.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return { ...r, roles, ...(keyPairs && { keyPairs }) };
  });
  return { document: { ...document, relationships }, warnings: found.warnings };
}

function documentOf(source: Source, terms: ImportTerms, found: Found): RefDocument | undefined {
  if (/^urn:metaction:model:[12]$/.test(String(source.$schema))) return readOwnDocument(source, terms, found);
  if (source.$schema !== undefined) return undefined;
  return "fields" in source || "resources" in source ? readTables(source, terms, found) : undefined;
}

/** The format of a source of the histories. */
function formatOf({ $schema }: Source): string {
  return $schema === undefined ? "frictionless" : "metaction";
}

/** How the answer tells in what format a source was read. */
export function recognisedAs(source: Source): Like {
  const format = formatOf(source);
  return new Like(`a source recognised as ${format}`, (actual) => {
    const { format: told, name, sure, because, others } = Object(actual) as Readonly<Record<string, unknown>>;
    if (told !== format) return `recognised as ${told}`;
    if (![name, because].every((text) => typeof text === "string" && text !== "")) return "no reason";
    const isSure = sure === "certain" || (sure === "likely" && format === "frictionless");
    return isSure && Array.isArray(others) ? undefined : `${sure}, others ${JSON.stringify(others)}`;
  });
}
