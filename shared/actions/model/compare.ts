import { compareModels } from "../../domain/compare/compare.ts";
import { findLikelyRenames } from "../../domain/compare/likely-renames.ts";
import { createRule } from "../../domain/compare/rules.ts";
import type { Scope } from "../../domain/differences.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { listProperties } from "../../domain/document/read-document.ts";
import { listGlobalTagIds, toDocument } from "../../domain/document/write-document.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { differenceFormat } from "../../domain/values/export-formats.ts";
import { compareScope, modelRevision } from "../../domain/values/model-types.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { type SourceFormat, sourceFormat } from "../../domain/values/source-formats.ts";
import { flag, modelVersion, type SourceContent, sourceContent } from "../../domain/values/value-types.ts";
import { createNamedOutput, createWarningsSchema, describeText } from "../building/answers.ts";
import { readDefinitions } from "../building/properties.ts";
import { modelRead } from "../building/reads.ts";
import { readGlobalTags } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import type { CallBudget } from "../contract/budget.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { ImportedDocument, Importer, ImportNames, RecognisedSource } from "../contract/ports.ts";
import { type PointInTime, parsePointInTime, requirePast, type Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { compareOutput, countByImpact } from "./difference-schemas.ts";
import { toleranceParams } from "./source-document.ts";

const twoSides = {
  leftModelRef: allowParam(modelRef, "The model on the left."),
  leftModelVersion: allowParam(modelVersion, "Its released version; the current state unless given.", "leftVersion"),
  leftRevision: allowParam(modelRevision, "Its revision, instead of a version."),
  leftContent: allowParam(
    sourceContent,
    "The content on the left, in any format that `import` reads, instead of a model.",
  ),
  leftFormat: allowParam(sourceFormat, "The format of this content, if it cannot be recognised."),
  rightModelRef: allowParam(modelRef, "The model on the right."),
  rightModelVersion: allowParam(modelVersion, "Its released version; the current state unless given.", "rightVersion"),
  rightRevision: allowParam(modelRevision, "Its revision, instead of a version."),
  rightContent: allowParam(
    sourceContent,
    "The content on the right, in any format that `import` reads, instead of a model.",
  ),
  rightFormat: allowParam(sourceFormat, "The format of this content, if it cannot be recognised."),
  ...toleranceParams,
};

const modelCompare = defineAction({
  ...modelRead,
  name: "model_compare",
  title: "Compare models",
  description:
    "Compares two models, two versions or revisions of one model, or a model and inline content: types, entities, attributes, relationships, roles, primary keys, business keys and tags. " +
    "Each difference is `breaking`, `additive` or `cosmetic` for consumers that know the left side and get the right one, with the reasons. " +
    "Give either `leftModelRef` or `leftContent`, and either `rightModelRef` or `rightContent`. " +
    "With a ref you may give a version or a revision, but not both; with content neither. " +
    "Two states of one model are compared by the ids of their objects, so renamed objects are recognised. " +
    "Other models are compared by keys.",
  input: {
    ...twoSides,
    scope: allowParam(compareScope, "`complete` unless given."),
    physical: allowParam(
      flag,
      "True to compare also what the normal form of a SQL dialect replaced, as the property `sql:physical`; false unless given.",
    ),
  },
  output: compareOutput,
  errors: ["not_found", "source_not_recognised", "invalid_content"],
  example: { leftModelRef: "key:crm", leftModelVersion: "0.0.1", rightModelRef: "key:crm" },
  prepare: ({ input, ports, call }) => importSides(input, ports.importer, call.budget, true),
  run: async ({ input, prepared, ports, open, tags }) => {
    const { scope = "complete", physical = false } = input;
    const reading = { store: ports.store, open, tags };
    const { left, right, entries, likelyRenames } = await compareSides(prepared, reading, { scope, physical });
    return {
      body: {
        scopeApplied: scope,
        left: left.row,
        right: right.row,
        ...countByImpact(entries),
        likelyRenames,
        entries,
      },
    };
  },
});

const modelCompareAs = defineAction({
  ...modelRead,
  name: "model_compare_as",
  title: "Compare models as",
  description:
    "Answers the differences of two models as the text of a file: a draft of a database migration, or a report. " +
    "The two sides are given as in `model_compare`: either `leftModelRef` or `leftContent`, and either `rightModelRef` or `rightContent`. " +
    "With a ref you may give a version or a revision, but not both; with content neither. " +
    "`warnings` lists the parts that the format cannot express, with their paths below `/left` and `/right` in the documents that `model_export` answers.",
  input: { ...twoSides, format: requireParam(differenceFormat, "The format of the file.") },
  output: createNamedOutput(
    "WrittenDifference",
    "The text of the file, and warnings about parts that it lacks.",
    () => ({
      format: differenceFormat.schema(),
      mediaType: describeText("The media type of the content."),
      fileName: describeText("A name for the file."),
      content: describeText("The text of the file."),
      warnings: createWarningsSchema(),
    }),
  ),
  errors: ["not_found", "source_not_recognised", "invalid_content"],
  example: { leftModelRef: "key:crm", leftModelVersion: "0.0.1", rightModelRef: "key:crm", format: "postgresql" },
  prepare: ({ input, ports, call }) => importSides(input, ports.importer, call.budget, input.format !== "postgresql"),
  run: async ({ input, prepared, ports, open, tags }) => {
    const { left, right, entries } = await compareSides(
      prepared,
      { store: ports.store, open, tags },
      { scope: "complete" },
    );
    const comparison = {
      ...{ left: left.document, right: right.document, differences: entries },
      names: [formatSideName(left, prepared.left), formatSideName(right, prepared.right)] as const,
    };
    return { body: await ports.exporter.writeDifference(comparison, input.format) };
  },
});

async function importSides(
  input: Parameters<typeof checkSides>[0] & Pick<ImportNames, "allowUnknown" | "lenient">,
  importer: Importer,
  budget: CallBudget,
  withOperations: boolean,
) {
  const { left, right } = checkSides(input);
  const { allowUnknown, lenient } = input;
  const read = async ({ content, format }: Side, names: ImportNames) =>
    content === undefined
      ? undefined
      : importer.read({ content }, { ...names, ...omitUndefined({ format }), allowUnknown, lenient }, budget);
  const readBoth = async (names: ImportNames) => ({
    left: { ...left, source: await read(left, names) },
    right: { ...right, source: await read(right, names) },
  });
  const sides = await readBoth({});
  return withOperations && isOfApis(sides) ? readBoth({ operations: true }) : sides;
}

/** Tests whether both sides are OpenAPI documents, which are compared with their operations. */
function isOfApis(sides: { readonly [S in SideName]: { readonly source: ImportedDocument | undefined } }): boolean {
  return [sides.left, sides.right].every(({ source }) => source?.recognised.format === "openapi");
}

async function compareSides(
  sides: Awaited<ReturnType<typeof importSides>>,
  reading: Parameters<typeof readSide>[1],
  terms: { readonly scope: Scope; readonly physical?: boolean },
) {
  const left = await readSide(sides.left, reading);
  const right = await readSide(sides.right, reading);
  const sameModel = left.row.modelId !== undefined && left.row.modelId === right.row.modelId;
  const likelyRenames = sameModel ? [] : findLikelyRenames(left.document, right.document);
  const rules = await loadPropertyRules([left.document, right.document], reading.tags);
  const entries = compareModels(left.document, right.document, { ...terms, sameModel, ...rules });
  return { left, right, entries, likelyRenames };
}

function formatSideName({ row }: ReadSide, { version }: Side) {
  if (version !== undefined) return `${row.modelKey} ${version}`;
  return row.revision === undefined ? `${row.modelKey} (content)` : `${row.modelKey}, revision ${row.revision}`;
}

const DEFINED_AS_BREAKING = createRule("declaredBreaking");

/** Returns the comparison rules of properties. Reads definitions only if needed. */
export async function loadPropertyRules(documents: readonly ModelDocument[], tags: () => Promise<ReadView>) {
  if (documents.every((one) => listProperties(one).next().done)) return {};
  const definitions = await readDefinitions(tags);
  const findPropertyRule = (name: string) =>
    definitions.get(name)?.impact === "breaking" ? DEFINED_AS_BREAKING : undefined;
  return { findPropertyRule };
}

export const compareActions = [modelCompare, modelCompareAs] as const satisfies readonly Action[];

interface Side {
  readonly ref: Ref | undefined;
  readonly version: string | undefined;
  readonly revision: number | undefined;
  readonly content: SourceContent | undefined;
  readonly format: SourceFormat | undefined;
}

type SideName = "left" | "right";

type Input = { readonly [S in SideName as `${S}ModelRef`]: Ref | undefined } & {
  readonly [S in SideName as `${S}ModelVersion`]: string | undefined;
} & { readonly [S in SideName as `${S}Revision`]: number | undefined } & {
  readonly [S in SideName as `${S}Content`]: Side["content"];
} & { readonly [S in SideName as `${S}Format`]: Side["format"] };

function toSide(input: Input, side: SideName): Side {
  return {
    ref: input[`${side}ModelRef`],
    version: input[`${side}ModelVersion`],
    revision: input[`${side}Revision`],
    content: input[`${side}Content`],
    format: input[`${side}Format`],
  };
}

/** Returns the two sides. Throws `bad_parameters` with all faults unless each side names one model or content. */
function checkSides(input: Input): { readonly [S in SideName]: CheckedSide } {
  const sides = { left: toSide(input, "left"), right: toSide(input, "right") };
  const errors = [...createFaults("left", sides.left), ...createFaults("right", sides.right)];
  if (errors[0]) throw new Problem("bad_parameters", errors[0].detail, { errors });
  return { left: addPointInTime(sides.left), right: addPointInTime(sides.right) };
}

type CheckedSide = Side & { readonly point: PointInTime | undefined };

function addPointInTime(side: Side): CheckedSide {
  return { ...side, point: parsePointInTime(side.version, side.revision) };
}

function createFaults(name: SideName, { ref, content, format, version, revision }: Side): readonly Fault[] {
  const either = [`${name}ModelRef`, `${name}Content`];
  const params = [`${name}ModelVersion`, `${name}Revision`];
  const faults = (parameters: readonly string[], detail: string): readonly Fault[] =>
    parameters.map((parameter) => ({ pointer: `/${parameter}`, detail }));
  if ((ref === undefined) === (content === undefined)) {
    return faults(either, `Give either ${either.join(" or ")}, but not both`);
  }
  if (version !== undefined && revision !== undefined) {
    return faults(params, `Give either ${params.join(" or ")}, but not both`);
  }
  if (content === undefined && format !== undefined) {
    return faults([`${name}Format`], `${name}Format is the format of ${name}Content; a model has none`);
  }
  if (content === undefined || (version ?? revision) === undefined) return [];
  return faults(params, `${name}Content has no versions and revisions; omit them`);
}

interface ReadSide {
  readonly document: ModelDocument;
  readonly row: ShownSide;
}

interface ShownSide {
  readonly modelId?: string;
  readonly modelKey: string;
  readonly modelVersion: string;
  readonly modelAuthority: ModelDocument["authority"];
  readonly revision?: number;
  readonly recognised?: RecognisedSource;
}

interface Reading {
  readonly store: Store;
  readonly open: (ref: Ref) => Promise<ReadView>;
  readonly tags: () => Promise<ReadView>;
}

async function readSide(
  side: CheckedSide & { readonly source: ImportedDocument | undefined },
  reading: Reading,
): Promise<ReadSide> {
  if (side.source) {
    const { document, recognised } = side.source;
    return { document, row: { ...describeSide(document), recognised } };
  }
  if (!side.ref) throw new Error("The side has no model");
  const view = await reading.open(side.ref);
  const state = side.point ? await readPastSide(view, side.point, reading) : await readCurrentSide(view, reading);
  const { document, revision } = state;
  return { document, row: describeSide(document, view.ledgerId, revision) };
}

async function readPastSide(view: ReadView, point: PointInTime, { store }: Reading) {
  const past = await store.openPast();
  const { content, globalTags: pastTags, revision } = await requirePast(past.readState(view, point), view, point);
  return { document: toDocument(content, pastTags), revision };
}

async function readCurrentSide(view: ReadView, { tags }: Reading) {
  const content = await view.readContent();
  const document = toDocument(content, await readGlobalTags(listGlobalTagIds(content), tags));
  return { document, revision: view.revision };
}

function describeSide(document: ModelDocument, modelId?: string, revision?: number): ShownSide {
  const { key: modelKey, version: modelVersion, authority: modelAuthority } = document;
  return omitUndefined({ modelId, modelKey, modelVersion, modelAuthority, revision });
}
