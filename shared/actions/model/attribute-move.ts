import { byOrder, ordersAt } from "../../domain/attribute-order.ts";
import { update } from "../../domain/change.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { Attribute } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { ValueType } from "../../domain/value-type.ts";
import { subjectOf } from "../building/field-actions.ts";
import { written } from "../building/written.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional } from "../contract/params.ts";

/** An action that puts an attribute before or behind another one of its owner. */
export function moveAttribute<A extends string, P extends "entity" | "relationship", R extends string>(
  name: A,
  kind: Kind<"attribute", P, R>,
  ref: ValueType<Ref>,
  texts: ActionTexts,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "update",
    rule: "model_write",
    target: kind,
    input: {
      beforeRef: optional(ref, "The attribute that it is put before; either this or `afterRef`."),
      afterRef: optional(ref, "The attribute that it is put after."),
    },
    output: written,
    errors: [],
    prepare: async ({ input }) => refuseOtherThanOne(input.beforeRef, input.afterRef),
    run: async ({ target, view, input }) => {
      // Orders are given out between those that are there, so that none of them may be missing.
      const { items } = await view.list("attribute", target.owner, { lookBack: true });
      const all = items.toSorted(byOrder);
      const neighbour = neighbourIn(all, input.beforeRef ?? input.afterRef);
      const others = all.filter(({ id }) => id !== target.id);
      const place = others.indexOf(neighbour) + (input.beforeRef ? 0 : 1);
      const stands = neighbour.id === target.id || all[place]?.id === target.id;
      const orders = stands ? [] : ordersAt(target, others, place, view.nextOrder);
      return { subject: subjectOf(target), changes: [...orders].flatMap(([one, order]) => update(one, { order })) };
    },
  });
}

/** The attribute that a ref names, or `not_found`. */
function neighbourIn(attributes: readonly Attribute[], ref: Ref | undefined): Attribute {
  const found = ref && attributes.find((one) => one[ref.scheme] === ref.value);
  if (found) return found;
  throw new Problem("not_found", `no attribute ${ref ? printRef(ref) : ""} beside it`);
}

function refuseOtherThanOne(before: Ref | undefined, after: Ref | undefined): void {
  if ((before === undefined) !== (after === undefined)) return;
  const detail = before ? "beforeRef and afterRef do not go together; give one of them" : "give beforeRef or afterRef";
  const errors = ["/beforeRef", "/afterRef"].map((pointer) => ({ pointer, detail }));
  throw new Problem("bad_parameters", detail, { errors });
}
