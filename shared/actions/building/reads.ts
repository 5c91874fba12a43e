import * as z from "zod/mini";
import type { Fields } from "../../domain/fields/field.ts";
import type { Kind, KindName } from "../../domain/kinds.ts";
import { Problem } from "../../domain/problems.ts";
import { cursor, formatCursor, INVALID_CURSOR, pageLimit } from "../../domain/values/value-types.ts";
import type { ActionTexts, Output, Reading } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";
import type { Page, Rows } from "../contract/view.ts";
import type { KindRows } from "./rows.ts";

/** The parameters of every list. */
export const pagingParams = {
  limit: optionalParam(pageLimit, "How many rows the page may hold; without it, everything that fits an answer."),
  cursor: optionalParam(cursor, "Where the page starts: the `cursor` of the `Link` header of the page before."),
};

/** The page a caller asks for. */
export function toPage(input: { readonly limit: number | undefined; readonly cursor: string | undefined }): Page {
  return {
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(input.cursor !== undefined && { after: input.cursor }),
  };
}

/** Rows as a page answers them. */
export function toReading<T>(rows: Rows<T>, body: (items: readonly T[]) => unknown): Reading {
  return { body: body(rows.items), ...(rows.next !== undefined && { next: formatCursor(rows.next) }) };
}

/** The output of a list of rows. */
export function createListOutput<S extends z.ZodMiniType>(
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
export function createCursorProblem(): Problem {
  const detail = `cursor: ${INVALID_CURSOR}`;
  return new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}

/** An action that reads one object of a model. */
export function defineGetObject<
  A extends string,
  N extends KindName,
  P extends KindName,
  R extends string,
  F extends Fields,
>(name: A, kind: Kind<N, P, R>, rows: KindRows<F>, texts: ActionTexts) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "read",
    rule: "model_read",
    target: kind,
    input: {},
    output: { mediaType: "application/json", description: `The ${kind.noun}.`, schema: rows.schema },
    errors: [],
    run: async ({ target, view, tags }) => ({ body: (await rows.prepare([target], view, tags))(target) }),
  });
}

/** An action that lists the objects of a kind in a model, or in the object of a model that they belong to. */
export function defineListObjects<
  A extends string,
  O extends "model" | "entity" | "relationship",
  P extends KindName | undefined,
  R extends string,
  F extends Fields,
>(name: A, kind: Kind, owner: Kind<O, P, R>, rows: KindRows<F>, texts: ActionTexts & { readonly items: string }) {
  const { items: description, ...said } = texts;
  return defineAction({
    group: "model",
    name,
    ...said,
    intent: "read",
    rule: "model_read",
    within: owner,
    input: pagingParams,
    output: createListOutput(description, rows.schema),
    errors: [],
    run: async ({ within, view, input, tags }) => {
      // Only an object that owns others is within a model.
      const { id: ownerId } = (within ?? {}) as { readonly id?: string };
      const found = await view.list(kind.name, ownerId, toPage(input));
      const shown = await rows.prepare(found.items, view, tags);
      return toReading(found, (items) => ({ items: items.map(shown) }));
    },
  });
}

/** The value of a look-up; undefined where it ends in `not_found`. */
export async function findOrUndefined<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
