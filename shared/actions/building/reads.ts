import * as z from "zod/mini";
import type { Fields } from "../../domain/fields/field.ts";
import { type Kind, type KindName, model } from "../../domain/kinds.ts";
import { Problem } from "../../domain/problems.ts";
import { cursor, formatCursor, INVALID_CURSOR, pageLimit } from "../../domain/values/value-types.ts";
import type { ActionTexts, Output, Reading } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import type { Page, Rows } from "../contract/view.ts";
import type { KindRows } from "./rows.ts";

export const pagingParams = {
  limit: allowParam(
    pageLimit,
    "The maximum number of rows of the page; by default, everything that fits in an answer.",
  ),
  cursor: allowParam(cursor, "The start of the page: the `cursor` of the `Link` header of the previous page."),
};

/** Returns the requested page. */
export function toPage(input: { readonly limit: number | undefined; readonly cursor: string | undefined }): Page {
  return {
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(input.cursor !== undefined && { after: input.cursor }),
  };
}

/** Creates the answer of a page of rows. */
export function toReading<T>(rows: Rows<T>, body: (items: readonly T[]) => unknown): Reading {
  return { body: body(rows.items), ...(rows.next !== undefined && { next: formatCursor(rows.next) }) };
}

/** Creates the output of a list. */
export function createListOutput<S extends z.ZodMiniType>(
  description: string,
  row: () => S,
): Output<z.ZodMiniObject<{ items: z.ZodMiniArray<S> }>> {
  return {
    mediaType: "application/json",
    description,
    schema: () => z.object({ items: z.array(row()) }),
    // The schema guarantees this type.
    rows: (body) => (body as { readonly items: readonly unknown[] }).items,
  };
}

/** Creates the problem for an invalid cursor. */
export function createCursorProblem(): Problem {
  return createParameterProblem(`cursor: ${INVALID_CURSOR}`, "cursor");
}

export const modelRead = { group: "model", intent: "read", rule: "model_read" } as const;

/** Defines an action that reads one object of a model. */
export function defineGetObject<
  A extends string,
  N extends KindName,
  P extends KindName,
  R extends string,
  F extends Fields,
>(name: A, kind: Kind<N, P, R>, rows: KindRows<F>, texts: Omit<ActionTexts, "title">) {
  return defineAction({
    ...modelRead,
    name,
    title: `Get ${kind.noun}`,
    ...texts,
    target: kind,
    input: {},
    output: { mediaType: "application/json", description: `The ${kind.noun}.`, schema: rows.schema },
    errors: [],
    run: async ({ target, view, tags }) => ({ body: (await rows.prepare([target], view, tags))(target) }),
  });
}

/** Defines an action that lists the objects of a kind in a model. */
export function defineListObjects<A extends string, F extends Fields>(
  name: A,
  kind: Kind,
  rows: KindRows<F>,
  plural: string,
  description: string,
) {
  return defineAction({
    ...modelRead,
    name,
    title: `List ${plural}`,
    description,
    within: model,
    input: pagingParams,
    output: createListOutput(`The ${plural}.`, rows.schema),
    errors: [],
    example: { modelRef: "key:crm" },
    run: async ({ view, input, tags }) => {
      const found = await view.list(kind.name, undefined, toPage(input));
      const toRow = await rows.prepare(found.items, view, tags);
      return toReading(found, (items) => ({ items: items.map(toRow) }));
    },
  });
}

/** Returns the value of a lookup; undefined if it fails with `not_found`. */
export async function findOrUndefined<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
