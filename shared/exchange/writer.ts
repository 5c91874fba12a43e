import type { ModelDocument } from "../domain/document.ts";
import type { Findings } from "./findings.ts";

/** A model as a file of another format. */
export interface WrittenFile {
  readonly fileName: string;
  readonly content: string;
}

/** Writes a document in a format; what the format has no place for goes to the findings, by its place in the document. */
export type Writer = (document: ModelDocument, findings: Findings) => WrittenFile | Promise<WrittenFile>;
