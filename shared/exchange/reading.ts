import type { ImportNames } from "../actions/contract/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import type { Findings } from "./findings.ts";
import type { SchemaFiles } from "./frictionless/schema-files.ts";
import type { SourcePlace } from "./source-place.ts";

/** The circumstances in which a source is read. */
export interface Reading {
  readonly names: ImportNames;
  readonly place: SourcePlace;
  readonly findings: Findings;
  /** The only way to files beside the source. */
  readonly files: SchemaFiles;
}

/** Reads a source that was recognised as one of its format; what forbids the import is a fault among the findings. */
export type ReadFormat = (source: unknown, reading: Reading) => ModelDocument | Promise<ModelDocument>;
