import { foundBy, joinOf, naiveDifference } from "../../../store/support/naive-difference.ts";
import { namesIn } from "../../../store/support/naive-match.ts";
import type { Body } from "../../../support/world.ts";
import { type Asked, may, need, needNamed, type RefAction, type RefInput } from "./action.ts";
import { orderFault, sidesFault } from "./compare-rows.ts";
import { definitionsIn } from "./definitions.ts";
import { documentOf } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { impactFault, isChanged, isStructural, type Joins } from "./impact.ts";
import { RECOGNISED, readSource } from "./import.ts";
import { commitAt } from "./points-in-time.ts";
import { badParameters } from "./problem.ts";
import type { Source } from "./source.ts";

type SideName = "left" | "right";
const SIDES = ["left", "right"] as const;

const side = (name: SideName) => ({
  [`${name}ModelRef`]: may("ModelRef"),
  [`${name}ModelVersion`]: may("ModelVersion"),
  [`${name}Revision`]: may("ModelRevision"),
  [`${name}Content`]: may("SourceContent"),
});

const given = (input: RefInput, name: SideName) => ({
  ref: input[`${name}ModelRef`],
  version: input[`${name}ModelVersion`],
  revision: input[`${name}Revision`],
  content: input[`${name}Content`] as Source | string | undefined,
});

/** Checks that each side names one model or some content, and of a model at most one moment. */
function checkSides(input: RefInput): void {
  const faults = SIDES.flatMap((name) => {
    const { ref, version, revision, content } = given(input, name);
    const moments = [`/${name}ModelVersion`, `/${name}Revision`];
    const count = Number(version !== undefined) + Number(revision !== undefined);
    if ((ref === undefined) === (content === undefined)) return [`/${name}ModelRef`, `/${name}Content`];
    return count === 2 || (count === 1 && content !== undefined) ? moments : [];
  });
  if (faults.length > 0) throw badParameters(...faults);
}

interface Side {
  readonly document: Body;
  readonly modelId: string | undefined;
  readonly revision: number | undefined;
  readonly recognised?: Like;
}

function sideOf(name: SideName, { input, state }: Asked): Side {
  const { ref, version, revision, content } = given(input, name);
  const none = { modelId: undefined, revision: undefined };
  const terms = { modelKey: undefined, modelName: undefined };
  if (content) {
    const { document } = readSource(content, terms);
    return { document: plain(document), ...none, recognised: RECOGNISED };
  }
  const model = needNamed(state.models.values(), ref);
  const isNow = version === undefined && revision === undefined;
  const then = isNow ? undefined : commitAt(state.past.get(model.id) ?? [], version, revision);
  const document = documentOf(then?.model ?? model, () => then?.tags ?? state.tags);
  return { document: plain(document), modelId: model.id, revision: then?.revision ?? model.revision };
}

/** A document as it would be answered, without members that have no value. */
const plain = (document: object): Body => JSON.parse(JSON.stringify(document));

/** Content is read before any model is looked for. */
function sidesOf(asked: Asked): readonly [Side, Side] {
  const contents = SIDES.filter((name) => given(asked.input, name).content);
  for (const name of contents) sideOf(name, asked);
  return [sideOf("left", asked), sideOf("right", asked)];
}

const shown = ({ document: { key, version, authority }, modelId, revision, recognised }: Side) => ({
  modelId,
  modelKey: key,
  modelVersion: version,
  modelAuthority: authority,
  revision,
  recognised,
});

function compared(asked: Asked) {
  const { scope = "complete" } = asked.input;
  const [left, right] = sidesOf(asked);
  const sameModel = left.modelId !== undefined && left.modelId === right.modelId;
  const hasProperties = [left, right].some(({ document }) => JSON.stringify(document).includes('"properties":{'));
  const defined = hasProperties ? definitionsIn(asked.tags()) : [];
  const breaking = new Set(defined.filter(({ impact }) => impact === "breaking").map(({ key }) => `properties.${key}`));
  const all = naiveDifference(left.document, right.document, sameModel);
  const found = all.flatMap((one): typeof all => {
    if (scope === "complete") return [one];
    const [status, objectType, place, members] = one;
    const kept = members.filter((member) => isStructural(objectType, member, breaking));
    if (objectType === "tag" || (isChanged(status) && kept.length === 0)) return [];
    return [[status, objectType, place, kept]];
  });
  const entries = new Like(`the differences ${JSON.stringify(found)}`, (actual, differs) => {
    const rows: readonly Body[] = Array.isArray(actual) ? actual : [];
    const told = foundBy({ entries: rows });
    if (JSON.stringify(told) !== JSON.stringify(found)) return JSON.stringify(told);
    for (const row of rows) {
      const fault =
        impactFault(row, found, {
          joins: joinsOf(row, left.document, right.document, sameModel),
          breaking,
        }) ?? sidesFault(row, left.document, right.document, differs);
      if (fault !== undefined) return `${fault}: ${JSON.stringify(row)}`;
    }
    return orderFault(rows);
  });
  const body = { scopeApplied: scope, left: shown(left), right: shown(right), entries };
  return { does: "read" as const, body: counted(body) };
}

/** The pairs that the relationship of an entry was and is joined by. */
function joinsOf({ objectType, left, right }: Body, before: Body, after: Body, sameModel: boolean): Joins {
  const names = namesIn(before, after, sameModel);
  const on = (document: Body, key: unknown): readonly string[] => {
    const found = objectType === "relationship" && document.relationships.find((one: Body) => one.key === key);
    return (found && joinOf(document, found, names)) || [];
  };
  return [on(before, left?.key), on(after, right?.key)];
}

/** A comparison with the number of entries of each impact, which are those that the entries themselves say. */
function counted<B extends { readonly entries: Like }>(body: B): Like {
  return new Like("a comparison", (actual, differs) => {
    const { breaking, additive, cosmetic, ...others } = Object(actual) as Body;
    const count = (impact: string): number => others.entries?.filter((one: Body) => one.impact === impact).length;
    const counts = { breaking: count("breaking"), additive: count("additive"), cosmetic: count("cosmetic") };
    return differs(counts, { breaking, additive, cosmetic }) ?? differs(body, others);
  });
}

/** Flags by which content is read in spite of mistakes. */
const TOLERANCE = { allowUnknown: may("Boolean"), lenient: may("Boolean") };

/** `model_compare`. */
export const MODEL_COMPARE: RefAction = {
  rule: "model_read",
  writes: false,
  params: { ...side("left"), ...side("right"), ...TOLERANCE, scope: may("CompareScope") },
  check: checkSides,
  run: compared,
};

/** What each format writes a difference as, and what its texts begin with. */
const FILES: Readonly<Record<string, readonly [mediaType: string, ending: string, start: RegExp]>> = {
  postgresql: ["application/sql", "-migration.sql", /^--- Draft of a PostgreSQL migration from /],
  markdown: ["text/markdown", "-changes.md", /^## Changes from `/],
};

/** `model_compare_as`. */
export const MODEL_COMPARE_AS: RefAction = {
  rule: "model_read",
  writes: false,
  params: { ...side("left"), ...side("right"), ...TOLERANCE, format: need("DifferenceFormat") },
  check: checkSides,
  run: (asked) => {
    const [left, right] = sidesOf(asked);
    const sameModel = left.modelId !== undefined && left.modelId === right.modelId;
    const count = naiveDifference(left.document, right.document, sameModel).length;
    const format = String(asked.input.format);
    const [mediaType = "", ending = "", start = /./] = FILES[format] ?? [];
    const content = new Like(`${count} differences as ${format}`, (actual) => {
      const text = String(actual);
      if (!start.test(text)) return text;
      // A report has a line for each of them, unless a comment has no room for all.
      const lines = text.match(/^- \*\*(breaking|additive|cosmetic)\*\* /gm)?.length ?? 0;
      const isWhole = format !== "markdown" || lines === count || text.includes("have no room in a comment");
      return isWhole ? undefined : `${lines} lines`;
    });
    const fileName = new Like(`a name that ends in ${ending}`, (actual) =>
      String(actual).endsWith(ending) ? undefined : String(actual),
    );
    const warnings = new Like("a list", (actual) => (Array.isArray(actual) ? undefined : "no list"));
    return { does: "read" as const, body: { format, mediaType, fileName, content, warnings } };
  },
};
