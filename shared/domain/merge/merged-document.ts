import { type DocumentObject, getList } from "../apply/parts.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Field } from "../fields/field.ts";
import { compareByKey } from "../model/content.ts";
import { Problem } from "../problems.ts";
import type { MergeState, Resolution } from "./resolve.ts";
import type { Triple } from "./triples.ts";
import type { Slot } from "./values.ts";

/** The document of a merged model, and the ids that its objects have. */
export interface MergedDocument {
  readonly target: ModelDocument;
  /** The id of an object of one of the three documents; undefined where it is not in the model. */
  readonly findId: (written: DocumentObject) => string | undefined;
}

/**
 * Writes what a resolution makes of a model. Objects keep their ids, those that it did not have get new ones. `key_taken` where
 * two objects would have one key, `too_large` where there would be too many roles.
 */
export function writeMergedDocument(
  ours: ModelDocument,
  { triples, verdicts }: MergeState,
  resolution: Resolution,
  nextId: () => string,
): MergedDocument {
  const ids = new Map<Triple, string>();
  const slotOf = (triple: Triple, name: string): Slot | undefined =>
    verdicts.listSlots(triple).find((slot) => slot.name === name);
  const valueIn = (triple: Triple, name: string): unknown => {
    const slot = slotOf(triple, name);
    return slot && resolution.getValue(triple, slot);
  };
  const keys = new Map<Triple, string>();
  const keyOf = (triple: Triple): string => {
    const key = keys.get(triple) ?? String(triple.above ? valueIn(triple, "key") : ours.key);
    keys.set(triple, key);
    return key;
  };
  const idOf = (triple: Triple): string => {
    const known = ids.get(triple) ?? (isMoved(triple) ? nextId() : (triple.ours?.id ?? nextId()));
    ids.set(triple, known);
    return known;
  };
  /** A business key belongs to its entity: that of another one is another key. */
  const isMoved = (triple: Triple): boolean => {
    const slot = triple.as?.objectType === "businessKey" ? slotOf(triple, "entity") : undefined;
    return (
      slot !== undefined &&
      resolution.chooseSide(triple, slot) === "theirs" &&
      verdicts.getVerdict(triple, slot) !== "same"
    );
  };
  const there = (name: string): Triple | undefined => {
    const triple = triples.getByName(name);
    return triple && resolution.isPresent(triple) ? triple : undefined;
  };
  const refTo = (name: string): readonly string[] => {
    const triple = name.startsWith("#") ? there(name) : undefined;
    if (triple) return [`key:${keyOf(triple)}`];
    return name.startsWith("#") ? [] : [name];
  };

  const written = (triple: Triple): Record<string, unknown> & { readonly key: string } => {
    const document: Record<string, unknown> & { readonly key: string } = { id: idOf(triple), key: keyOf(triple) };
    const slots = Map.groupBy(verdicts.listSlots(triple), ({ member }) => member);
    for (const [member, field] of Object.entries(triple.fields)) {
      const isList = field.is === "nested" || field.is === "children";
      const value = isList ? listOf(triple, member, field) : memberOf(triple, field, slots.get(member) ?? []);
      if (value !== undefined) document[member] = value;
    }
    return document;
  };

  const memberOf = (triple: Triple, field: Field, slots: readonly Slot[]): unknown => {
    const [slot] = slots;
    if (!slot) return undefined;
    if (slot.property !== undefined) {
      const properties = slots.map((one) => [one.property, resolution.getValue(triple, one)] as const);
      const defined = properties.filter(([, value]) => value !== undefined);
      return defined.length > 0 ? Object.fromEntries(defined) : undefined;
    }
    const value = resolution.getValue(triple, slot);
    if (value === undefined) return undefined;
    if (field.is === "ref") return refTo(String(value))[0];
    if (field.is === "refs") return (value as readonly string[]).flatMap(refTo);
    if (field.is === "tags") return omitEmpty((value as readonly string[]).flatMap(refTo).sort());
    return field.is === "pairs" ? pairsOf(triple, value as Pairs) : value;
  };

  const pairsOf = (triple: Triple, pairs: Pairs): unknown => {
    const roles = [...(triple.lists.get("roles") ?? [])].filter(resolution.isPresent);
    roles.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    if (roles.length !== 2) return undefined;
    return omitEmpty(
      pairs.flatMap((pair) => {
        const sides = roles.map(({ name }) => pair.find(([role]) => role === name)?.[1]);
        const refs = sides.flatMap((name) => (name === undefined ? [] : refTo(name)));
        return refs.length === 2 ? [refs] : [];
      }),
    );
  };

  const listOf = (triple: Triple, member: string, field: Field): unknown => {
    const list = triple.lists.get(member)?.filter(resolution.isPresent);
    if (!list) return undefined;
    if (field.is === "nested" && list.length > field.count.most) {
      const { noun, most, nouns } = field.count;
      throw new Problem(
        "too_large",
        `${keyOf(triple)} would have ${list.length} ${nouns}; ${noun} has at most ${most}`,
      );
    }
    rejectDuplicateKeys(list, member, keyOf);
    const order = field.is === "children" && field.moved && slotOf(triple, member);
    if (!order) return list.map(written).sort(compareByKey);
    return mergeOrder(triple, list, resolution.chooseSide(triple, order)).map(written);
  };

  const { version, authority, tagGroups, $schema } = ours;
  // The type of a document follows from the fields that the loop goes through.
  const document = written(triples.model) as unknown as ModelDocument;
  return {
    target: { ...document, $schema, version, authority, tagGroups },
    findId: (object) => {
      const triple = triples.findTriple(object);
      return triple && resolution.isPresent(triple) ? idOf(triple) : undefined;
    },
  };
}

type Pairs = readonly (readonly (readonly [role: string, attribute: string])[])[];

function omitEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** Objects in the order of one side; each of the others behind the one that it stands behind on the other side. */
function mergeOrder(holder: Triple, list: readonly Triple[], side: "ours" | "theirs"): readonly Triple[] {
  const other = side === "ours" ? "theirs" : "ours";
  const on = (where: "ours" | "theirs"): readonly Triple[] => {
    const places = new Map(getList(holder[where], list[0]?.member ?? "").map((object, i) => [object, i]));
    const placeOf = (one: Triple): number => places.get(one[where] as DocumentObject) ?? 0;
    return list.filter((one) => one[where]).sort((a, b) => placeOf(a) - placeOf(b));
  };
  const followers = new Map<Triple | undefined, Triple[]>();
  let last: Triple | undefined;
  for (const one of on(other)) {
    if (one[side]) last = one;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  // What people put behind an object stays there, before what the source did.
  const waits = side === "ours";
  const ordered: Triple[] = [];
  let waiting = followers.get(undefined) ?? [];
  for (const one of on(side)) {
    if (!waits || one[other]) ordered.push(...waiting.splice(0));
    ordered.push(one);
    if (one[other]) waiting = [...(followers.get(one) ?? [])];
    if (!waits) ordered.push(...waiting.splice(0));
  }
  return [...ordered, ...waiting];
}

function rejectDuplicateKeys(list: readonly Triple[], member: string, keyOf: (triple: Triple) => string): void {
  const first = new Map<string, Triple>();
  for (const triple of list) {
    const key = keyOf(triple);
    const other = first.get(key);
    first.set(key, triple);
    if (!other) continue;
    const renamed = [triple, other].find(({ ours, base }) => (ours ?? base)?.key !== key);
    const came = renamed
      ? `${JSON.stringify((renamed.ours ?? renamed.base)?.key)} is to have its key`
      : "another one comes in";
    throw new Problem(
      "key_taken",
      `${member}: ${JSON.stringify(key)} is in the model, and from the source ${came}; rename one of the two`,
    );
  }
}
