import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { documentOf, globalTagIds } from "../../domain/model-document.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import type { SourceContent } from "../../domain/value-types.ts";
import { globalTags } from "../building/tags-shown.ts";
import { type Moment, momentOf, needPast } from "../contract/past.ts";
import type { Imported, RecognisedSource } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/** One side of a comparison as the caller named it. */
export interface Side {
  readonly ref: Ref | undefined;
  readonly version: string | undefined;
  readonly revision: number | undefined;
  readonly content: SourceContent | undefined;
}

type SideName = "left" | "right";

/** The parameters of the two sides. */
type Input = { readonly [S in SideName as `${S}ModelRef`]: Ref | undefined } & {
  readonly [S in SideName as `${S}ModelVersion`]: string | undefined;
} & { readonly [S in SideName as `${S}Revision`]: number | undefined } & {
  readonly [S in SideName as `${S}Content`]: Side["content"];
};

function sideOf(input: Input, side: SideName): Side {
  return {
    ref: input[`${side}ModelRef`],
    version: input[`${side}ModelVersion`],
    revision: input[`${side}Revision`],
    content: input[`${side}Content`],
  };
}

/** The two sides, each of which names exactly one thing; `bad_parameters` with what is wrong with either. */
export function checkedSides(input: Input): { readonly [S in SideName]: CheckedSide } {
  const sides = { left: sideOf(input, "left"), right: sideOf(input, "right") };
  const errors = [...faultsOf("left", sides.left), ...faultsOf("right", sides.right)];
  if (errors[0]) throw new Problem("bad_parameters", errors[0].detail, { errors });
  return { left: withMoment(sides.left), right: withMoment(sides.right) };
}

type CheckedSide = Side & { readonly moment: Moment | undefined };

function withMoment(side: Side): CheckedSide {
  return { ...side, moment: momentOf(side.version, side.revision) };
}

function faultsOf(name: SideName, { ref, content, version, revision }: Side): readonly Fault[] {
  const either = [`${name}ModelRef`, `${name}Content`];
  const moments = [`${name}ModelVersion`, `${name}Revision`];
  const faults = (parameters: readonly string[], detail: string): readonly Fault[] =>
    parameters.map((parameter) => ({ pointer: `/${parameter}`, detail }));
  if ((ref === undefined) === (content === undefined)) {
    return faults(either, `give either ${either.join(" or ")}, and not both`);
  }
  if (version !== undefined && revision !== undefined) {
    return faults(moments, `give either ${moments.join(" or ")}, and not both`);
  }
  if (content === undefined || (version ?? revision) === undefined) return [];
  return faults(moments, `${name}Content has no versions and revisions; leave them out`);
}

/** The model on one side of a comparison, and how the answer names it. */
export interface ReadSide {
  readonly document: ModelDocument;
  readonly shown: ShownSide;
}

interface ShownSide {
  readonly modelId?: string;
  readonly modelKey: string;
  readonly modelVersion: string;
  readonly modelAuthority: ModelDocument["authority"];
  readonly revision?: number;
  readonly recognised?: RecognisedSource;
}

/** The store and the ledgers that a side is read from. */
interface Reading {
  readonly store: Store;
  readonly open: (ref: Ref) => Promise<View>;
  readonly tags: () => Promise<View>;
}

export async function readSide(
  side: CheckedSide & { readonly imported: Imported | undefined },
  reading: Reading,
): Promise<ReadSide> {
  if (side.imported) {
    const { document, recognised } = side.imported;
    return { document, shown: { ...shownSide(document), recognised } };
  }
  if (!side.ref) throw new Error("a side without a model");
  const view = await reading.open(side.ref);
  const state = side.moment ? await past(view, side.moment, reading) : await newest(view, reading);
  const { document, revision } = state;
  return { document, shown: shownSide(document, { modelId: view.ledgerId, revision }) };
}

async function past(view: View, moment: Moment, { store }: Reading) {
  const { content, globalTags: then, revision } = await needPast(await store.past(), view, moment);
  return { document: documentOf(content, then), revision };
}

async function newest(view: View, { tags }: Reading) {
  const content = await view.content();
  const document = documentOf(content, await globalTags(globalTagIds(content), tags));
  return { document, revision: view.revision };
}

function shownSide(
  { key, version, authority }: ModelDocument,
  state: { readonly modelId?: string; readonly revision?: number } = {},
): ShownSide {
  return {
    ...ifDefined("modelId", state.modelId),
    modelKey: key,
    modelVersion: version,
    modelAuthority: authority,
    ...ifDefined("revision", state.revision),
  };
}
