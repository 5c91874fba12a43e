import { type Asked, may, type RefAction, type RefRead } from "./action.ts";
import { page, placeOf } from "./lists.ts";
import type { RefAttribute, RefHolder } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import { named } from "./state.ts";
import { write } from "./texts.ts";
import { written } from "./writes.ts";

const STEP = 2 ** 20;

/** The order of one more attribute at the end. */
export function lastOrder({ revision }: { readonly revision: number }, { attributes }: RefHolder): number {
  return Math.max((revision + 1) * STEP, ...attributes.map((one) => one.order + 1));
}

/** The order halfway between the attributes that one is to stand between; moves of a history never use up the room. */
function orderAt(others: readonly RefAttribute[], place: number, last: () => number): number {
  const [before, after] = [others[place - 1], others[place]];
  if (!after) return last();
  return before ? before.order + (after.order - before.order) / 2 : after.order - STEP;
}

/** The move of an attribute before or behind another one. */
export function moveAction(onAttribute: RefAction["params"], refType: string): RefAction {
  return {
    ...write(
      { ...onAttribute, beforeRef: may(refType), afterRef: may(refType) },
      ({ model, holder, attribute, input }) => {
        const ref = String(input.beforeRef ?? input.afterRef);
        const beside = named(holder.attributes, ref);
        if (!beside) throw new Refusal("not_found", { mentions: [ref] });
        const others = holder.attributes.filter((one) => one !== attribute);
        const place = others.indexOf(beside) + (input.beforeRef === undefined ? 1 : 0);
        const stands = beside === attribute || holder.attributes[place] === attribute;
        const { id, key } = attribute;
        const changes = stands ? [] : [{ change: "update" as const, kind: "attribute" as const, id, key }];
        return written(model, attribute, changes, () => {
          if (stands) return;
          attribute.order = orderAt(others, place, () => lastOrder(model, holder));
          holder.attributes = others.toSpliced(place, 0, attribute);
        });
      },
    ),
    check: ({ beforeRef, afterRef }) => {
      if ((beforeRef === undefined) === (afterRef === undefined)) throw badParameters("/beforeRef", "/afterRef");
    },
  };
}

/** A page of attributes, by key or in declared order. */
export function attributePage(asked: Asked, body: (rows: readonly RefAttribute[]) => unknown): RefRead {
  const { input, model, holder, past, cursorAfter } = asked;
  const given = placeOf(asked);
  const isDeclared = input.sort !== "key";
  if (given !== undefined && given.startsWith("[") !== isDeclared) throw badParameters("/cursor");
  if (!isDeclared) return page(asked, holder.attributes, body);
  const all = holder.attributes;
  const start = given === undefined ? 0 : startBehind(all, JSON.parse(given), past);
  const end = input.limit === undefined ? all.length : start + Number(input.limit);
  const shown = all.slice(start, end);
  const last = shown.at(-1);
  const place = JSON.stringify([model.revision, last?.order, last?.id]);
  return { does: "read", body: body(shown), ...(end < all.length && last && { next: cursorAfter(place) }) };
}

/** The place behind the last attribute of a page: behind it where it stands still, or else behind where it stood. */
function startBehind(
  all: readonly RefAttribute[],
  [revision, order, id]: readonly [number, number, string],
  past: Asked["past"],
): number {
  const at = all.findIndex((one) => one.id === id && one.order === order);
  if (at >= 0) return at + 1;
  const start = all.filter((one) => one.order <= order).length;
  const later = past.filter((commit) => commit.revision > revision);
  const changed = new Set(later.flatMap(({ changes }) => changes.map((one) => one.id)));
  const [before] = all
    .slice(0, start)
    .toReversed()
    .filter((one) => one.id !== id);
  const [behind] = all.slice(start).filter((one) => one.id !== id);
  // Next to attributes that changed, nobody can tell.
  if ([before, behind].some((one) => one && changed.has(one.id))) throw badParameters("/cursor");
  return start;
}
