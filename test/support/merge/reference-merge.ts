import type { Body } from "../world.ts";
import { type Imported, inList, joinedIn, listsIn, type MatchedObject } from "./matched-objects.ts";
import { type ResolvedModel, resolveConflicts } from "./resolve.ts";
import { listSlots, type ReadSlot, readerOf } from "./slots.ts";
import { judgeSlots } from "./verdicts.ts";

/** What is joined, and who holds where both changed the same. */
export interface ToMerge {
  readonly base: Imported | undefined;
  readonly ours: Body;
  readonly theirs: Body;
  readonly label: string;
  readonly newId: () => string;
}

export interface Outcome {
  /** As an export answers it; the code of a problem where the two cannot go together. */
  readonly model: Body | "key_taken" | "too_large";
  /** The ids in it of the objects of the source. */
  readonly ids: ReadonlyMap<Body, string>;
}

/** Both models that can come out, and what has to be told. */
export interface ReferenceMerge {
  readonly of: (holds: "ours" | "theirs") => Outcome;
  /** Each conflict as its object, with the keys on the way to it, and the member; "null" of a whole object. */
  readonly conflicts: readonly string[];
  readonly joined: readonly MatchedObject[];
}

/** Merges a model with a source as `docs/follow-a-source.md` says, independently of the service. */
export function referenceMerge({ base, ours, theirs, label, newId }: ToMerge): ReferenceMerge {
  const joined = joinedIn(base, ours, theirs);
  const read = readerOf(joined);
  const verdicts = judgeSlots(joined, read, label);
  const either = {
    ours: resolveConflicts(joined, read, verdicts, "ours"),
    theirs: resolveConflicts(joined, read, verdicts, "theirs"),
  };
  const names = new Set([...either.ours.conflicts, ...either.theirs.conflicts]);
  const conflicts = joined.flatMap((one) =>
    ["", ...listSlots(one)].flatMap((slot) =>
      names.has(`${one.name} ${slot}`) ? [`${placeOf(one)}: ${slot || "null"}`] : [],
    ),
  );
  return { joined, conflicts: conflicts.sort(), of: (holds) => outcomeOf(joined, read, either[holds], newId) };
}

/** The place of an object, such as `entities a attributes b`. */
export function placeOf({ above, list, ours, theirs, base }: MatchedObject): string {
  if (!above) return "model";
  return `${above.above ? `${placeOf(above)} ` : ""}${list} ${(ours ?? theirs ?? base)?.key}`;
}

const ROLES = 100;

function outcomeOf(joined: readonly MatchedObject[], read: ReadSlot, settled: ResolvedModel, newId: () => string) {
  const { isThere, sideOf, value } = settled;
  const byName = new Map(joined.map((one) => [one.name, one]));
  const ids = new Map<MatchedObject, string>();
  const keyOf = (one: MatchedObject) => String(one.above ? value(one, "key") : one.ours?.key);
  let refusal: "key_taken" | "too_large" | undefined;
  const refs = (named: unknown): string[] =>
    ((named ?? []) as readonly string[]).flatMap((name) => {
      const one = byName.get(name);
      // A tag of a group is no object of the model.
      if (!one) return [name];
      return isThere(one) ? [`key:${keyOf(one)}`] : [];
    });

  const written = (one: MatchedObject): Body => {
    // A business key belongs to its entity: that of another one is another key.
    const isMoved = one.list === "businessKeys" && one.ours && read(one, "ours", "entity") !== value(one, "entity");
    const object: Body = { id: (isMoved ? undefined : one.ours?.id) ?? newId(), key: keyOf(one) };
    ids.set(one, object.id);
    for (const slot of listSlots(one)) {
      const found = value(one, slot);
      if (slot === "key" || slot === "attributes" || found === undefined) continue;
      if (slot.startsWith("properties.")) {
        object.properties = { ...object.properties, [slot.slice("properties.".length)]: found };
      } else if (slot === "keyPairs") {
        const pairs = pairsOf(one, found as Pairs);
        if (pairs.length > 0) object.keyPairs = pairs;
      } else if (slot === "tags") {
        const tags = refs(found).sort();
        if (tags.length > 0) object.tags = tags;
      } else if (["type", "entity"].includes(slot)) object[slot] = refs([found])[0];
      else object[slot] = ["primaryKey", "participants"].includes(slot) ? refs(found) : found;
    }
    for (const list of listsIn(one.list)) object[list] = listOf(one, list);
    return object;
  };

  const listOf = (holder: MatchedObject, list: string): Body[] => {
    const living = holder.inner.filter((one) => one.list === list && isThere(one));
    if (list === "roles" && living.length > ROLES) refusal ??= "too_large";
    if (new Set(living.map(keyOf)).size < living.length) refusal ??= "key_taken";
    if (list !== "attributes") return living.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(written);
    return inOrder(holder, living, sideOf(holder, list)).map(written);
  };

  const pairsOf = (one: MatchedObject, pairs: Pairs): string[][] => {
    const roles = one.inner.filter((role) => role.list === "roles" && isThere(role));
    roles.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    if (roles.length !== 2) return [];
    const made = pairs.map((pair) =>
      roles.flatMap(({ name }) => refs(pair.flatMap(([r, a]) => (r === name ? [a] : [])))),
    );
    return made.filter((pair) => pair.length === 2);
  };

  const [root] = joined as readonly [MatchedObject];
  const { $schema, version, authority, tagGroups } = root.ours ?? {};
  const model = { ...written(root), $schema, version, authority, tagGroups };
  const known = [...ids].flatMap(([{ theirs }, id]) => (theirs ? [[theirs, id] as const] : []));
  return { model: refusal ?? model, ids: new Map(known) };
}

type Pairs = readonly (readonly (readonly [string, string])[])[];

/** The common ones in the order of a side; behind each what people have there alone, then what the source has there alone. */
function inOrder(holder: MatchedObject, living: readonly MatchedObject[], side: "ours" | "theirs") {
  const listed = (of: "ours" | "theirs"): readonly MatchedObject[] =>
    inList(holder[of], "attributes").flatMap((one) => living.filter((joined) => joined[of] === one));
  const isCommon = (one: MatchedObject) => one.ours !== undefined && one.theirs !== undefined;
  /** What stands on a side alone, behind one that both have or before all of these. */
  const alone = (of: "ours" | "theirs", behind: MatchedObject | undefined): readonly MatchedObject[] => {
    const list = listed(of);
    const from = behind ? list.indexOf(behind) + 1 : 0;
    const end = list.findIndex((one, i) => i >= from && isCommon(one));
    return list.slice(from, end < 0 ? undefined : end);
  };
  const both = (behind: MatchedObject | undefined) => [...alone("ours", behind), ...alone("theirs", behind)];
  const common = listed(side).filter(isCommon);
  return [...both(undefined), ...common.flatMap((one) => [one, ...both(one)])];
}
