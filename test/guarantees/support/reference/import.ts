import type { RefDocument } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { readOwnDocument } from "./import-own.ts";
import { pairsByKey } from "./pairs.ts";
import { Refusal } from "./problem.ts";
import type { Found, ImportTerms, Source } from "./source.ts";

/** The model of a source, and the places of what was not carried over. */
export interface ReadSource {
  readonly document: RefDocument;
  readonly warnings: readonly string[];
}

/** The format of the documents of models. Importers of other formats have tests in `test/formats`. */
const FORMAT = "metaction";

/** Reads a document of a model as contract section 7 says. */
export function readSource(source: Source | string, terms: ImportTerms, format?: unknown): ReadSource {
  const isModel = typeof source === "object" && /^urn:metaction:model:[12]$/.test(String(source.$schema));
  if (!isModel || (format !== undefined && format !== FORMAT)) throw new Refusal("source_not_recognised");
  const found: Found = { faults: [], warnings: [] };
  const document = readOwnDocument(source, terms, found);
  if (found.faults.length > 0) throw new Refusal("invalid_content", { pointers: found.faults });
  // Documents have roles, and what lies along them, by key.
  const relationships = document.relationships.map((r) => {
    const keyPairs = pairsByKey(r.roles, r.keyPairs);
    const roles = r.roles.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return { ...r, roles, ...(keyPairs && { keyPairs }) };
  });
  return { document: { ...document, relationships }, warnings: found.warnings };
}

/** Expects that an answer names the format of the document. */
export const RECOGNISED = new Like(`a source recognised as ${FORMAT}`, (actual) => {
  const { format, name, sure, because, others } = Object(actual) as Readonly<Record<string, unknown>>;
  if (format !== FORMAT) return `recognised as ${format}`;
  if (![name, because].every((text) => typeof text === "string" && text !== "")) return "no reason";
  return sure === "certain" && Array.isArray(others) ? undefined : `${sure}, others ${JSON.stringify(others)}`;
});
