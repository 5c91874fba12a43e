import * as z from "zod/mini";
import { Problem } from "../domain/problems.ts";
import { cursor, pageLimit } from "../domain/value-types.ts";
import type { Output, Reading } from "./define-action.ts";
import { optional } from "./params.ts";
import type { Page, Rows } from "./store.ts";

/** The parameters of every list. */
export const paging = {
  limit: optional(pageLimit, "How many rows the page may hold; without it, everything that fits an answer."),
  cursor: optional(cursor, "Where the page starts: the `cursor` of the `Link` header of the page before."),
};

/** The page a caller asks for; `bad_parameters` for a cursor that no list gave out. */
export function pageOf(input: { readonly limit: number | undefined; readonly cursor: string | undefined }): Page {
  return {
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(input.cursor !== undefined && { after: keyOfCursor(input.cursor) }),
  };
}

/** Rows as a page answers them. */
export function readingOf<T>(rows: Rows<T>, body: (items: readonly T[]) => unknown): Reading {
  return { body: body(rows.items), ...(rows.next !== undefined && { next: cursorOfKey(rows.next) }) };
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

function cursorOfKey(key: string): string {
  return Buffer.from(key, "utf8").toString("base64url");
}

function keyOfCursor(text: string): string {
  const key = Buffer.from(text, "base64url").toString("utf8");
  if (cursorOfKey(key) === text) return key;
  throw badCursor();
}

/** The refusal of a cursor that a list did not give out. */
export function badCursor(): Problem {
  const detail = "cursor: is no cursor of this list; take it from the Link header of the page before";
  return new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}
