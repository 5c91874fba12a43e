import type { DocumentObject } from "../../domain/apply/parts.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { type ImportBase, listObjects, removeUnmadeTagLinks } from "../../domain/merge/triples.ts";
import type { Model } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { SourceContent } from "../../domain/values/value-types.ts";
import type { Warning } from "../../domain/warnings.ts";
import type { ImportSource } from "../contract/ports.ts";
import type { StoredBlob } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";

/** A document that is remembered as the one imported last from a source. */
export interface ImportRecord {
  /** The member of a model that names it, beside those of other sources. */
  readonly toSources: (label: string, others?: Model["sources"]) => Pick<Model, "sources">;
  /** The blob that holds it; `idOf` is the id in the model of an object of the document. */
  readonly toBlobs: (
    document: ModelDocument,
    idOf: (object: DocumentObject) => string | undefined,
    isMade: (ref: string) => boolean,
  ) => { readonly blobs: readonly [StoredBlob] };
}

/** Remembers a document under the name of a blob. */
export function createImportRecord(name: string): ImportRecord {
  return {
    toSources: (label, others) => ({ sources: { ...others, [label]: name } }),
    toBlobs: (document, idOf, isMade) => {
      const value: ImportBase = {
        document: removeUnmadeTagLinks(document, isMade),
        ids: [...listObjects(document)].map((object) => idOf(object) ?? ""),
      };
      return { blobs: [{ name, value }] };
    },
  };
}

/** What a document says of the model itself that stays as it is, each as a warning; nothing of what it said `before`. */
export async function warnAboutKeptMembers(
  view: ReadView,
  { leftOut = [], ...document }: ModelDocument,
  before?: ModelDocument,
): Promise<readonly Warning[]> {
  const { version, authority } = await view.readModel();
  const kept = { version, authority };
  return Object.entries(kept).flatMap(([member, value]) => {
    // The names of both are members of a document.
    const said = document[member as keyof typeof kept];
    const isOld = before && before[member as keyof typeof kept] === said;
    if (said === value || isOld || leftOut.includes(member)) return [];
    const detail = `the ${member} stays ${value}; ${CHANGING_ACTIONS[member as keyof typeof kept]} changes it`;
    return [{ code: "not_carried_over" as const, detail, count: 1, pointers: [`/${member}`] }];
  });
}

const CHANGING_ACTIONS = { version: "model_release", authority: "model_update_authority" } as const;

/** The source that the parameters `from` and `content` name; `bad_parameters` where they name none or two. */
export function parseSource(from: string | undefined, content: SourceContent | undefined): ImportSource {
  if (from !== undefined && content === undefined) return { from };
  if (content !== undefined && from === undefined) return { content };
  const detail = "give either from (a URL) or content (a JSON object or a text), and not both";
  throw new Problem("bad_parameters", detail, {
    errors: [
      { pointer: "/from", detail },
      { pointer: "/content", detail },
    ],
  });
}
