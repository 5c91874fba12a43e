import * as z from "zod/mini";
import { attributeFields } from "../../domain/fields/model-fields.ts";
import type { Kind } from "../../domain/kinds.ts";
import { compareByOrder } from "../../domain/model/content.ts";
import type { Attribute } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { defineValueType } from "../../domain/values/value-type.ts";
import { createCursorProblem, createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { createKindRows } from "../building/rows.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";

/** The rows of attributes, both of entities and of relationships. */
export const attributeRows = createKindRows("Attribute", attributeFields);

const SORTS = ["declared", "key"] as const;

const attributeSort = defineValueType<(typeof SORTS)[number]>({
  id: "AttributeSort",
  json: "string",
  description: "The order of a list of attributes: `declared` as they were declared and moved, or `key`.",
  schema: () => z.enum(SORTS, { error: "must be declared or key" }),
});

/** An action that lists the attributes of an owner, in declared order unless `sort` says otherwise. */
export function listAttributes<A extends string, O extends "entity" | "relationship", R extends string>(
  name: A,
  owner: Kind<O, "model", R>,
  texts: ActionTexts,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "read",
    rule: "model_read",
    within: owner,
    input: { ...pagingParams, sort: optionalParam(attributeSort, "The order; `declared` unless given.") },
    output: createListOutput("The attributes.", attributeRows.schema),
    errors: [],
    run: async ({ within, view, input, tags }) => {
      const page = toPage(input);
      const found = await (input.sort === "key" ? listPageByKey : listPageInOrder)(view, within.id, page);
      const shown = await attributeRows.prepare(found.items, view, tags);
      return toReading(found, (items) => ({ items: items.map(shown) }));
    },
  });
}

/** Begins the cursors of lists in declared order; no key does. */
const CURSOR_PREFIX = "\\";

async function listPageByKey(view: ReadView, owner: string, page: Page): Promise<Rows<Attribute>> {
  if (page.after?.startsWith(CURSOR_PREFIX)) throw createCursorProblem();
  return view.list("attribute", owner, page);
}

/**
 * A page in declared order, made of one look at all attributes of the owner. While pages are read, an attribute that is
 * neither made nor moved nor deleted is on exactly one of them: the next page begins behind the last attribute of the one
 * before, or where that stood if it is gone from there.
 */
async function listPageInOrder(view: ReadView, owner: string, { after, limit }: Page): Promise<Rows<Attribute>> {
  const all = (await view.list("attribute", owner)).items.toSorted(compareByOrder);
  const left = after === undefined ? all : all.slice(findPageStart(all, parseCursor(after)));
  const items = left.slice(0, limit);
  const last = items.at(-1);
  const follows = items.length < left.length && last;
  return { items, ...(follows && { next: `${CURSOR_PREFIX}${view.revision} ${last.order} ${last.id}` }) };
}

/** The last attribute of a page: its id and its order at that revision. */
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

/** The place of the first attribute behind a page. */
function findPageStart(all: readonly Attribute[], { revision, order, id }: PageEnd): number {
  const at = all.findIndex((one) => one.id === id);
  // Others may have got other orders, but stand as they stood to the attributes that were not moved.
  if (all[at]?.order === order) return at + 1;
  const place = all.findIndex((one) => one.order > order);
  const start = place < 0 ? all.length : place;
  const isNew = (one: Attribute | undefined) => one !== undefined && one.id !== id && one.revision > revision;
  // Beside attributes that were changed since then, their orders may have been spread anew.
  const beside = (step: number, from: number) => {
    let i = from;
    while (all[i]?.id === id) i += step;
    return all[i];
  };
  if (isNew(beside(-1, start - 1)) || isNew(beside(1, start))) throw createChangedProblem();
  return start;
}

function createChangedProblem(): Problem {
  const detail =
    "cursor: the attributes around the end of the page before were changed since; begin again without a cursor";
  return new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}
