import type { Fields } from "../../domain/fields/field.ts";
import type { KindName } from "../../domain/kind-names.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { listOutput, pageOf, paging, readingOf } from "./lists.ts";
import type { KindRows } from "./rows.ts";

/** An action that reads one object of a model. */
export function getObject<A extends string, N extends KindName, P extends KindName, R extends string, F extends Fields>(
  name: A,
  kind: Kind<N, P, R>,
  rows: KindRows<F>,
  texts: ActionTexts,
) {
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
    run: async ({ target, view, tags }) => ({ body: (await rows.of([target], view, tags))(target) }),
  });
}

/** An action that lists the objects of a kind in a model, or in the object of a model that they belong to. */
export function listObjects<
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
    input: paging,
    output: listOutput(description, rows.schema),
    errors: [],
    run: async ({ within, view, input, tags }) => {
      // Only an object that owns others is within a model.
      const { id: ownerId } = (within ?? {}) as { readonly id?: string };
      const found = await view.list(kind.name, ownerId, pageOf(input));
      const shown = await rows.of(found.items, view, tags);
      return readingOf(found, (items) => ({ items: items.map(shown) }));
    },
  });
}
