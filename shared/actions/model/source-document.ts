import type { DocumentObject } from "../../domain/compare/document-members.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { type ImportBase, listObjects, removeUnmadeTagLinks } from "../../domain/merge/triples.ts";
import type { Model } from "../../domain/model/objects.ts";
import { flag, type SourceContent } from "../../domain/values/value-types.ts";
import type { Warning } from "../../domain/warnings.ts";
import type { CallBudget } from "../contract/budget.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import type { ImportSource } from "../contract/ports.ts";
import type { StoredBlob } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";

/** Stores a document as the last import of a source. */
export interface ImportRecord {
  readonly toSources: (label: string, others?: Model["sources"]) => Pick<Model, "sources">;
  /** Returns the blob with the document. `getId` maps an object of it to the id in the model. */
  readonly toBlobs: (
    document: ModelDocument,
    getId: (object: DocumentObject) => string | undefined,
    isMade: (ref: string) => boolean,
  ) => { readonly blobs: readonly [StoredBlob] };
}

/** Creates a record with the name of its blob. */
export function createImportRecord(name: string): ImportRecord {
  return {
    toSources: (label, others) => ({ sources: { ...others, [label]: name } }),
    toBlobs: (document, getId, isMade) => {
      const value: ImportBase = {
        document: removeUnmadeTagLinks(document, isMade),
        ids: [...listObjects(document)].map((object) => getId(object) ?? ""),
      };
      return { blobs: [{ name, value }] };
    },
  };
}

/** Warns about version and authority, which an import does not change. Ignores values as in `before`. */
export async function warnAboutKeptMembers(
  view: ReadView,
  { leftOut = [], ...document }: ModelDocument,
  before?: ModelDocument,
): Promise<readonly Warning[]> {
  const { version, authority } = await view.readModel();
  const storedMembers = { version, authority };
  return Object.entries(storedMembers).flatMap(([member, value]) => {
    // The names of both are members of a document.
    const input = document[member as keyof typeof storedMembers];
    const isOld = before && before[member as keyof typeof storedMembers] === input;
    if (input === value || isOld || leftOut.includes(member)) return [];
    const detail = `the ${member} stays ${value}; use ${CHANGING_ACTIONS[member as keyof typeof storedMembers]} to change it`;
    return [{ code: "not_carried_over" as const, detail, count: 1, pointers: [`/${member}`] }];
  });
}

const CHANGING_ACTIONS = { version: "model_release", authority: "model_update_authority" } as const;

/** Parameters by which a source is read in spite of mistakes. */
export const toleranceParams = {
  allowUnknown: allowParam(
    flag,
    "True to ignore unknown members of a document in our own format, with a warning for each; the call is refused unless given.",
  ),
  lenient: allowParam(
    flag,
    "True to read what can be read of a broken SQL text, with warnings; the call is refused unless given.",
  ),
};

/** Returns the source in the parameters. Throws `bad_parameters` unless exactly one is given. */
export function parseSource(
  { from, content }: { readonly from?: string | undefined; readonly content?: SourceContent | undefined },
  budget: CallBudget,
): ImportSource {
  if (from !== undefined && content === undefined) {
    // Its length is known only after it was fetched.
    budget.move();
    return { from };
  }
  if (content !== undefined && from === undefined) return { content };
  const detail = "Give either from (a URL) or content (a JSON object or a text), but not both";
  throw createParameterProblem(detail, "from", "content");
}
