import * as z from "zod/mini";
import { attributeFields } from "../../domain/fields/model-fields.ts";
import type { Kind } from "../../domain/kinds.ts";
import { compareByOrder } from "../../domain/model/content.ts";
import type { Attribute } from "../../domain/model/objects.ts";
import { LOGICAL_TYPE_NAMES } from "../../domain/types/logical/logical-type.ts";
import { defineChoiceType } from "../../domain/values/value-type.ts";
import {
  createCursorProblem,
  createListOutput,
  modelRead,
  pagingParams,
  toPage,
  toReading,
} from "../building/reads.ts";
import { createKindRows } from "../building/rows.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { declareExpandedMember } from "../contract/expanded-members.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";

const createLogicalTypeMember = () =>
  declareExpandedMember(
    z.optional(
      z
        .looseObject({ type: z.enum(LOGICAL_TYPE_NAMES) })
        .check(
          z.meta({ title: "LogicalType" }),
          z.describe(
            "With `expand=keys`, the values of its type in any dialect, such as `decimal` with `precision` and `scale`; absent if the type is not known.",
          ),
        ),
    ),
    (row, { typeOf }) => typeOf(row),
  );

export const attributeRows = createKindRows("Attribute", attributeFields, () => ({
  logicalType: createLogicalTypeMember(),
}));

const attributeSort = defineChoiceType(
  "AttributeSort",
  "The order of a list of attributes: `declared` as they were declared and moved, or `key`.",
  ["declared", "key"],
);

/** Defines an action that lists the attributes of an owner. */
export function listAttributes<A extends string, O extends "entity" | "relationship", R extends string>(
  name: A,
  owner: Kind<O, "model", R>,
  texts: ActionTexts,
) {
  return defineAction({
    ...modelRead,
    name,
    ...texts,
    within: owner,
    input: { ...pagingParams, sort: allowParam(attributeSort, "The order; `declared` unless given.") },
    output: createListOutput("The attributes.", attributeRows.schema),
    errors: [],
    run: async ({ within, view, input, tags }) => {
      const page = toPage(input);
      const rows = await (input.sort === "key" ? listPageByKey : listPageInOrder)(view, within.id, page);
      const formatRow = await attributeRows.prepare(rows.items, view, tags);
      return toReading(rows, (items) => ({ items: items.map(formatRow) }));
    },
  });
}

/** The first character of cursors of lists in declared order. No key begins with it. */
const CURSOR_PREFIX = "\\";

async function listPageByKey(view: ReadView, owner: string, page: Page): Promise<Rows<Attribute>> {
  if (page.after?.startsWith(CURSOR_PREFIX)) throw createCursorProblem();
  return view.list("attribute", owner, page);
}

/** Returns a page in declared order. Each attribute not changed meanwhile is on exactly one page. */
async function listPageInOrder(view: ReadView, owner: string, { after, limit }: Page): Promise<Rows<Attribute>> {
  const all = (await view.list("attribute", owner)).items.toSorted(compareByOrder);
  const left = after === undefined ? all : all.slice(findPageStart(all, parseCursor(after)));
  const items = left.slice(0, limit);
  const last = items.at(-1);
  const hasMore = items.length < left.length && last;
  return { items, ...(hasMore && { next: `${CURSOR_PREFIX}${view.revision} ${last.order} ${last.id}` }) };
}

interface PageEnd {
  readonly revision: number;
  readonly order: number;
  readonly id: string;
}

const CURSOR = /^\\(\d{1,15}) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ([0-9a-f-]{36})$/;

function parseCursor(cursor: string): PageEnd {
  const [, revision, order, id = ""] = CURSOR.exec(cursor) ?? [];
  if (revision === undefined) throw createCursorProblem();
  return { revision: Number(revision), order: Number(order), id };
}

/** Returns the index of the first attribute after a page. Throws `bad_parameters` if those around it have changed. */
function findPageStart(all: readonly Attribute[], { revision, order, id }: PageEnd) {
  const at = all.findIndex((one) => one.id === id);
  // The attribute was not moved, so the unmoved attributes are still on the same side of it.
  if (all[at]?.order === order) return at + 1;
  const next = all.findIndex((one) => one.order > order);
  const start = next < 0 ? all.length : next;
  const isNew = (one: Attribute | undefined) => one !== undefined && one.id !== id && one.revision > revision;
  // If a neighbour was changed since then, the orders may have been redistributed.
  const findNeighbour = (step: number, from: number) => {
    let i = from;
    while (all[i]?.id === id) i += step;
    return all[i];
  };
  if (isNew(findNeighbour(-1, start - 1)) || isNew(findNeighbour(1, start)))
    throw createParameterProblem(
      "cursor: the attributes around the end of the previous page have changed; start again without a cursor",
      "cursor",
    );
  return start;
}
