import type { ComparedDocuments, ImportNames } from "../../actions/contract/ports.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { SourceSize } from "./document-size.ts";
import type { FetchedSource } from "./fetch/fetch-source.ts";
import type { SourcePath } from "./source-path.ts";

/** Access to the files that a source refers to. */
export interface SourceFiles {
  /** URL of the source; undefined for a source that was given as content. */
  readonly base: URL | undefined;
  fetch(url: URL): Promise<FetchedSource>;
}

/** Input of a reader besides the source itself. */
export interface ReadContext {
  readonly names: ImportNames;
  readonly path: SourcePath;
  readonly diagnostics: Diagnostics;
  readonly files: SourceFiles;
  readonly size: SourceSize;
}

/** Reads a source whose format was recognised. */
export type ReadFormat = (source: unknown, context: ReadContext) => ModelDocument | Promise<ModelDocument>;

/** Writes a document in a format. Warns about everything that is lost. */
export type Writer = (document: ModelDocument, diagnostics: Diagnostics) => string | Promise<string>;

/** Writes the difference of two models. Warns by paths below `/left` and `/right`. */
export type DifferenceWriter = (documents: ComparedDocuments, diagnostics: Diagnostics) => string;
