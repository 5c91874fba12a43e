import { namesIn } from "../../store/support/naive-match.ts";
import type { Body } from "../world.ts";

/** The three documents of a merge: as the source was, as the model is, as the source is. */
export const SIDES = ["base", "ours", "theirs"] as const;
export type Side = (typeof SIDES)[number];

/** One object as each of the three documents has it. */
export interface MatchedObject extends Readonly<Partial<Record<Side, Body>>> {
  readonly name: string;
  /** The list that it lies in; "" for the model. */
  readonly list: string;
  readonly above: MatchedObject | undefined;
  readonly inner: MatchedObject[];
}

/** A document as it was imported, with the ids that its objects have in the model. */
export interface Imported {
  readonly document: Body;
  readonly ids: ReadonlyMap<Body, string>;
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  "": ["types", "entities", "relationships", "businessKeys", "localTags"],
  entities: ["attributes"],
  relationships: ["attributes", "roles"],
};

/** The lists of objects in an object that lies in a list. */
export const listsIn = (list: string): readonly string[] => LISTS[list] ?? [];

/** Three documents, object by object, each before those in it. */
export function joinedIn(base: Imported | undefined, ours: Body, theirs: Body): readonly MatchedObject[] {
  const was = base && copied(base.document, (one) => ({ id: base.ids.get(one) }));
  const ofModel = base && was && partners(ours, was.copy, false);
  const known = base && partners(base.document, theirs);
  const toOurs = (one: Body | undefined): Body | undefined => one && was && ofModel?.(was.copies.get(one));
  const toBase = (one: Body): Body | undefined => was?.originals.get(ofModel?.(one));
  const idOf = (one: Body): string | undefined => toOurs(known?.(one))?.id;
  const ids = new Set(everyIn(theirs).map(idOf));
  const is = copied(theirs, (one) => {
    // Deleted by people, it is nothing else of theirs.
    if (known?.(one)) return idOf(one) === undefined ? undefined : { id: idOf(one) };
    return { id: ids.has(one.id) ? undefined : one.id, renamedFrom: one.renamedFrom };
  });
  const now = partners(ours, is.copy);
  const all: MatchedObject[] = [];
  const join = (sides: Partial<Record<Side, Body>>, list: string, above: MatchedObject | undefined): MatchedObject => {
    const joined: MatchedObject = { ...sides, name: `#${all.length}`, list, above, inner: [] };
    all.push(joined);
    for (const inner of listsIn(list)) {
      const seen = new Set<Body | undefined>();
      const add = (found: Partial<Record<Side, Body>>) => {
        for (const side of SIDES) if (found[side]) seen.add(found[side]);
        joined.inner.push(join(found, inner, joined));
      };
      for (const one of inList(sides.ours, inner))
        add(defined({ base: toBase(one), ours: one, theirs: is.originals.get(now(one)) }));
      for (const one of inList(sides.base, inner))
        if (!seen.has(one)) add(defined({ base: one, theirs: known?.(one) }));
      for (const one of inList(sides.theirs, inner)) if (!seen.has(one)) add({ theirs: one });
    }
    return joined;
  };
  join(defined({ base: base?.document, ours, theirs }), "", undefined);
  return all;
}

export const inList = (holder: Body | undefined, list: string): readonly Body[] => holder?.[list] ?? [];

export function everyIn(document: Body, list = ""): readonly Body[] {
  return listsIn(list).flatMap((inner) => inList(document, inner).flatMap((one) => [one, ...everyIn(one, inner)]));
}

const defined = (sides: Readonly<Record<string, Body | undefined>>): Partial<Record<Side, Body>> =>
  Object.fromEntries(Object.entries(sides).filter(([, one]) => one !== undefined));

function partners(left: Body, right: Body, single = true): (one: Body | undefined) => Body | undefined {
  const names = namesIn(left, right, false, single);
  const pairs = Map.groupBy(names.keys(), (one) => names.get(one));
  return (one) => one && pairs.get(names.get(one) ?? "")?.find((other) => other !== one);
}

/** A document whose objects have only marks by which they are recognised; those that get none are left out. */
function copied(document: Body, marksOf: (one: Body) => object | undefined) {
  const copies = new Map<Body, Body>();
  const originals = new Map<Body | undefined, Body>();
  const copyOf = (one: Body, list: string): Body => {
    const lists = listsIn(list).map((inner) => [
      inner,
      inList(one, inner).flatMap((object) => (marksOf(object) ? [copyOf(object, inner)] : [])),
    ]);
    const copy: Body = { key: one.key, origin: one.origin ?? undefined, ...marksOf(one), ...Object.fromEntries(lists) };
    copies.set(one, copy);
    originals.set(copy, one);
    return copy;
  };
  return { copy: copyOf(document, ""), copies, originals };
}
