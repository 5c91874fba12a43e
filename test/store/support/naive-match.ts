import type { Body } from "../../support/world.ts";

/** A name for each object of two exports, which is the same for two objects that are one. */
export type Names = ReadonlyMap<Body, string>;

const LISTS = ["types", "entities", "relationships", "businessKeys", "localTags"];
const INNER = ["attributes", "roles"];

/** Names objects by id, or like two models: by id, origin, former key, key, and with `single` the only entity. */
export function namesIn(left: Body, right: Body, sameModel: boolean, single = true): Names {
  const names = new Map<Body, string>();
  const name = (one: Body | undefined, other: Body | undefined, lists: readonly string[]) => {
    for (const list of lists) {
      const [before, after]: [Body[], Body[]] = [one?.[list] ?? [], other?.[list] ?? []];
      const pairs: Pairs = sameModel
        ? by(before, after, (a, b) => a.id === b.id)
        : paired(before, after, single && list === "entities");
      const alone = (all: readonly Body[], side: 0 | 1) => all.filter((o) => !pairs.some((pair) => pair[side] === o));
      const both: readonly (readonly [Body | undefined, Body | undefined])[] = [
        ...pairs,
        ...alone(before, 0).map((o): [Body, undefined] => [o, undefined]),
        ...alone(after, 1).map((o): [undefined, Body] => [undefined, o]),
      ];
      for (const [was, is] of both) {
        const given = `#${names.size}`;
        for (const object of [was, is]) if (object) names.set(object, given);
        name(was, is, INNER);
      }
    }
  };
  name(left, right, LISTS);
  return names;
}

type Pairs = readonly (readonly [Body, Body])[];

/** The pairs of objects of which each fits the other and nothing else does. */
function by(left: readonly Body[], right: readonly Body[], fits: (one: Body, other: Body) => boolean): Pairs {
  return left.flatMap((one) => {
    const others = right.filter((other) => fits(one, other));
    const rivals = left.filter((rival) => others.some((other) => fits(rival, other)));
    return others.length === 1 && rivals.length === 1 ? [[one, others[0]] as const] : [];
  });
}

function paired(left: readonly Body[], right: readonly Body[], single: boolean): Pairs {
  const found: (readonly [Body, Body])[] = [];
  const free = (all: readonly Body[], side: 0 | 1) => all.filter((one) => !found.some((pair) => pair[side] === one));
  const round = (fits: (one: Body, other: Body) => boolean) => {
    const more = by(free(left, 0), free(right, 1), fits);
    found.push(...more);
    return more.length > 0;
  };
  const isEqual = (member: string) => (one: Body, other: Body) =>
    one[member] !== undefined && one[member] === other[member];
  const isFormer = (one: Body, other: Body) =>
    one.key === other.renamedFrom && !free(left, 0).some((rival) => rival.key === other.key);
  round(isEqual("id"));
  round(isEqual("origin"));
  while (round(isFormer));
  round(isEqual("key"));
  const [one, other] = [left[0], right[0]];
  if (single && left.length === 1 && right.length === 1 && found.length === 0 && one && other) return [[one, other]];
  return found;
}
