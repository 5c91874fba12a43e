import type { Written } from "../../domain/apply/parts.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { type ImportBase, linkedAsMade, objectsWithin } from "../../domain/merge/import-base.ts";
import type { Model } from "../../domain/objects.ts";
import type { KeptBlob } from "../contract/store.ts";

/** A document that is remembered as the one imported last from a source. */
export interface KeptImport {
  /** The member of a model that names it, beside those of other sources. */
  readonly named: (label: string, others?: Model["sources"]) => Pick<Model, "sources">;
  /** The blob that holds it; `idOf` is the id in the model of an object of the document. */
  readonly blobOf: (
    document: ModelDocument,
    idOf: (object: Written) => string | undefined,
    isMade: (ref: string) => boolean,
  ) => { readonly blobs: readonly [KeptBlob] };
}

/** Remembers a document under the name of a blob. */
export function keptImport(name: string): KeptImport {
  return {
    named: (label, others) => ({ sources: { ...others, [label]: name } }),
    blobOf: (document, idOf, isMade) => {
      const value: ImportBase = {
        document: linkedAsMade(document, isMade),
        ids: [...objectsWithin(document)].map((object) => idOf(object) ?? ""),
      };
      return { blobs: [{ name, value }] };
    },
  };
}
