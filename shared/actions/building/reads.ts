import * as z from "zod/mini";
import { omitUndefined } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { cursor, formatCursor, INVALID_CURSOR, pageLimit } from "../../domain/values/value-types.ts";
import type { Output, Reading } from "../contract/action.ts";
import { allowParam, createParameterProblem } from "../contract/params.ts";
import type { Page, Rows } from "../contract/view.ts";

export const pagingParams = {
  limit: allowParam(
    pageLimit,
    "The maximum number of rows of the page; by default, everything that fits in an answer.",
  ),
  cursor: allowParam(cursor, "The start of the page: the `cursor` of the `Link` header of the previous page."),
};

/** Returns the requested page. */
export function toPage(input: { readonly limit: number | undefined; readonly cursor: string | undefined }): Page {
  return omitUndefined({ limit: input.limit, after: input.cursor });
}

/** Returns the page of rows that are all in memory and sorted by `toPosition`. */
export function selectPage<T>(rows: readonly T[], page: Page, toPosition: (row: T) => string): Rows<T> {
  const { after = "", limit = rows.length } = page;
  const left = rows.filter((row) => toPosition(row) > after);
  const items = left.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(left.length > limit && last && { next: toPosition(last) }) };
}

/** Creates the answer of a page of rows. */
export function toReading<T>(rows: Rows<T>, formatBody: (items: readonly T[]) => unknown): Reading {
  return { body: formatBody(rows.items), ...(rows.next !== undefined && { next: formatCursor(rows.next) }) };
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

/** Returns the value of a lookup; undefined if it fails with `not_found`. */
export async function findOrUndefined<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
