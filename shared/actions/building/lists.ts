import * as z from "zod/mini";
import { Problem } from "../../domain/problems.ts";
import { cursor, cursorAfter, NO_CURSOR, pageLimit } from "../../domain/value-types.ts";
import type { Output } from "../contract/action.ts";
import type { Reading } from "../contract/decision.ts";
import { optional } from "../contract/params.ts";
import type { Page, Rows } from "../contract/view.ts";

/** The parameters of every list. */
export const paging = {
  limit: optional(pageLimit, "How many rows the page may hold; without it, everything that fits an answer."),
  cursor: optional(cursor, "Where the page starts: the `cursor` of the `Link` header of the page before."),
};

/** The page a caller asks for. */
export function pageOf(input: { readonly limit: number | undefined; readonly cursor: string | undefined }): Page {
  return {
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(input.cursor !== undefined && { after: input.cursor }),
  };
}

/** Rows as a page answers them. */
export function readingOf<T>(rows: Rows<T>, body: (items: readonly T[]) => unknown): Reading {
  return { body: body(rows.items), ...(rows.next !== undefined && { next: cursorAfter(rows.next) }) };
}

/** The output of a list of rows. */
export function listOutput<S extends z.ZodMiniType>(
  description: string,
  row: () => S,
): Output<z.ZodMiniObject<{ items: z.ZodMiniArray<S> }>> {
  return {
    mediaType: "application/json",
    description,
    schema: () => z.object({ items: z.array(row()) }),
    // The schema says so.
    rows: (body) => (body as { readonly items: readonly unknown[] }).items,
  };
}

/** The refusal of a cursor that another list gave out. */
export function badCursor(): Problem {
  const detail = `cursor: ${NO_CURSOR}`;
  return new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}
