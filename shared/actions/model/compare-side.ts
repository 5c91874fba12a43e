import { given } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { documentOf, globalTagIds } from "../../domain/model-document.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { type Moment, momentOf, needPast } from "../past.ts";
import type { Store, View } from "../store.ts";
import { globalTags } from "../tags-shown.ts";

/** One side of a comparison as the caller named it. */
export interface Side {
  readonly ref: Ref | undefined;
  readonly version: string | undefined;
  readonly revision: number | undefined;
  readonly content: Readonly<Record<string, unknown>> | undefined;
}

type SideName = "left" | "right";

/** The parameters of the two sides. */
type Input = { readonly [S in SideName as `${S}ModelRef`]: Ref | undefined } & {
  readonly [S in SideName as `${S}ModelVersion`]: string | undefined;
} & { readonly [S in SideName as `${S}Revision`]: number | undefined } & {
  readonly [S in SideName as `${S}Content`]: Side["content"];
};

export function sideOf(input: Input, side: SideName): Side {
  return {
    ref: input[`${side}ModelRef`],
    version: input[`${side}ModelVersion`],
    revision: input[`${side}Revision`],
    content: input[`${side}Content`],
  };
}

/** A side that names exactly one thing; `bad_parameters`. */
export function checkSide(name: SideName, side: Side): Side & { readonly moment: Moment | undefined } {
  const { ref, content, version, revision } = side;
  const names = [`${name}ModelVersion`, `${name}Revision`] as const;
  const refuse = (detail: string, ...parameters: readonly string[]): never => {
    throw new Problem("bad_parameters", detail, {
      errors: parameters.map((parameter) => ({ pointer: `/${parameter}`, detail })),
    });
  };
  if ((ref === undefined) === (content === undefined)) {
    const either = [`${name}ModelRef`, `${name}Content`];
    refuse(`give either ${either.join(" or ")}, and not both`, ...either);
  }
  const moment = momentOf(version, revision, names);
  if (moment && content) refuse(`${name}Content has no versions and revisions; leave them out`, ...names);
  return { ...side, moment };
}

/** What is on one side, and how the answer names it. */
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
}

/** What a side is read with. */
interface Reading {
  readonly store: Store;
  readonly open: (ref: Ref) => Promise<View>;
  readonly tags: () => Promise<View>;
}

export async function readSide(
  side: Side & { readonly moment: Moment | undefined; readonly document: ModelDocument | undefined },
  reading: Reading,
): Promise<ReadSide> {
  if (side.document) return { document: side.document, shown: shownSide(side.document) };
  if (!side.ref) throw new Error("a side without a model");
  const view = await reading.open(side.ref);
  const state = side.moment ? await past(view, side.moment, reading) : await newest(view, reading);
  const { document, revision } = state;
  return { document, shown: shownSide(document, { modelId: view.modelId, revision }) };
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
    ...given("modelId", state.modelId),
    modelKey: key,
    modelVersion: version,
    modelAuthority: authority,
    ...given("revision", state.revision),
  };
}
