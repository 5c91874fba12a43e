import { type DocumentObject, getList } from "../apply/parts.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Field } from "../fields/field.ts";
import { compareByKey } from "../model/content.ts";
import { Problem } from "../problems.ts";
import type { MergeState, Resolution } from "./resolve.ts";
import type { Triple } from "./triples.ts";
import type { Slot } from "./values.ts";

/** Document of a merged model, with the ids of its objects. */
export interface MergedDocument {
  readonly target: ModelDocument;
  /** Returns the id of an object of any of the three documents; undefined if it is not in the model. */
  readonly findId: (written: DocumentObject) => string | undefined;
}

/**
 * Writes the document of a resolved merge. Objects keep their ids, new objects get new ones. Throws `key_taken` for
 * duplicate keys, and `too_large` for too many roles.
 */
export function writeMergedDocument(
  ours: ModelDocument,
  { triples, verdicts }: MergeState,
  resolution: Resolution,
  nextId: () => string,
): MergedDocument {
  const ids = new Map<Triple, string>();
  const findSlot = (triple: Triple, name: string): Slot | undefined =>
    verdicts.listSlots(triple).find((slot) => slot.name === name);
  const valueIn = (triple: Triple, name: string): unknown => {
    const slot = findSlot(triple, name);
    return slot && resolution.getValue(triple, slot);
  };
  const keys = new Map<Triple, string>();
  const getKey = (triple: Triple): string => {
    const key = keys.get(triple) ?? String(triple.above ? valueIn(triple, "key") : ours.key);
    keys.set(triple, key);
    return key;
  };
  const getId = (triple: Triple): string => {
    const known = ids.get(triple) ?? (isMoved(triple) ? nextId() : (triple.ours?.id ?? nextId()));
    ids.set(triple, known);
    return known;
  };
  /** A business key belongs to its entity. For another entity, it becomes a new key. */
  const isMoved = (triple: Triple): boolean => {
    const slot = triple.as?.objectType === "businessKey" ? findSlot(triple, "entity") : undefined;
    return (
      slot !== undefined &&
      resolution.chooseSide(triple, slot) === "theirs" &&
      verdicts.getVerdict(triple, slot) !== "same"
    );
  };
  const findPresent = (name: string): Triple | undefined => {
    const triple = triples.getByName(name);
    return triple && resolution.isPresent(triple) ? triple : undefined;
  };
  const toRefs = (name: string): readonly string[] => {
    const triple = name.startsWith("#") ? findPresent(name) : undefined;
    if (triple) return [`key:${getKey(triple)}`];
    return name.startsWith("#") ? [] : [name];
  };

  const writeObject = (triple: Triple): Record<string, unknown> & { readonly key: string } => {
    const document: Record<string, unknown> & { readonly key: string } = { id: getId(triple), key: getKey(triple) };
    const slots = Map.groupBy(verdicts.listSlots(triple), ({ member }) => member);
    for (const [member, field] of Object.entries(triple.fields)) {
      const isList = field.is === "nested" || field.is === "children";
      const value = isList ? writeList(triple, member, field) : writeMember(triple, field, slots.get(member) ?? []);
      if (value !== undefined) document[member] = value;
    }
    return document;
  };

  const writeMember = (triple: Triple, field: Field, slots: readonly Slot[]): unknown => {
    const [slot] = slots;
    if (!slot) return undefined;
    if (slot.property !== undefined) {
      const properties = slots.map((one) => [one.property, resolution.getValue(triple, one)] as const);
      const defined = properties.filter(([, value]) => value !== undefined);
      return defined.length > 0 ? Object.fromEntries(defined) : undefined;
    }
    const value = resolution.getValue(triple, slot);
    if (value === undefined) return undefined;
    if (field.is === "ref") return toRefs(String(value))[0];
    if (field.is === "refs") return (value as readonly string[]).flatMap(toRefs);
    if (field.is === "tags") return omitEmpty((value as readonly string[]).flatMap(toRefs).sort());
    return field.is === "pairs" ? writePairs(triple, value as Pairs) : value;
  };

  const writePairs = (triple: Triple, pairs: Pairs): unknown => {
    const roles = [...(triple.lists.get("roles") ?? [])].filter(resolution.isPresent);
    roles.sort((a, b) => (getKey(a) < getKey(b) ? -1 : 1));
    if (roles.length !== 2) return undefined;
    return omitEmpty(
      pairs.flatMap((pair) => {
        const sides = roles.map(({ name }) => pair.find(([role]) => role === name)?.[1]);
        const refs = sides.flatMap((name) => (name === undefined ? [] : toRefs(name)));
        return refs.length === 2 ? [refs] : [];
      }),
    );
  };

  const writeList = (triple: Triple, member: string, field: Field): unknown => {
    const list = triple.lists.get(member)?.filter(resolution.isPresent);
    if (!list) return undefined;
    if (field.is === "nested" && list.length > field.count.most) {
      const { noun, most, nouns } = field.count;
      throw new Problem(
        "too_large",
        `${getKey(triple)} would have ${list.length} ${nouns}; ${noun} may have at most ${most}`,
      );
    }
    rejectDuplicateKeys(list, member, getKey);
    const order = field.is === "children" && field.moved && findSlot(triple, member);
    if (!order) return list.map(writeObject).sort(compareByKey);
    return mergeOrder(triple, list, resolution.chooseSide(triple, order)).map(writeObject);
  };

  const { version, authority, tagGroups, $schema } = ours;
  // The type of a document follows from its fields.
  const document = writeObject(triples.model) as unknown as ModelDocument;
  return {
    target: { ...document, $schema, version, authority, tagGroups },
    findId: (object) => {
      const triple = triples.findTriple(object);
      return triple && resolution.isPresent(triple) ? getId(triple) : undefined;
    },
  };
}

type Pairs = readonly (readonly (readonly [role: string, attribute: string])[])[];

function omitEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** Sorts objects like one side. Objects of the other side only keep the position after their predecessor. */
function mergeOrder(holder: Triple, list: readonly Triple[], side: "ours" | "theirs"): readonly Triple[] {
  const other = side === "ours" ? "theirs" : "ours";
  const on = (where: "ours" | "theirs"): readonly Triple[] => {
    const places = new Map(getList(holder[where], list[0]?.member ?? "").map((object, i) => [object, i]));
    const getPosition = (one: Triple): number => places.get(one[where] as DocumentObject) ?? 0;
    return list.filter((one) => one[where]).sort((a, b) => getPosition(a) - getPosition(b));
  };
  const followers = new Map<Triple | undefined, Triple[]>();
  let last: Triple | undefined;
  for (const one of on(other)) {
    if (one[side]) last = one;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  // Objects that people inserted come before objects that the source inserted at the same position.
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

function rejectDuplicateKeys(list: readonly Triple[], member: string, getKey: (triple: Triple) => string): void {
  const first = new Map<string, Triple>();
  for (const triple of list) {
    const key = getKey(triple);
    const other = first.get(key);
    first.set(key, triple);
    if (!other) continue;
    const renamed = [triple, other].find(({ ours, base }) => (ours ?? base)?.key !== key);
    const cause = renamed
      ? `the source renames ${JSON.stringify((renamed.ours ?? renamed.base)?.key)} to it`
      : "the source adds another object with this key";
    throw new Problem(
      "key_taken",
      `Key conflict in ${member}: ${JSON.stringify(key)} is in the model, and ${cause}. Rename one of the two.`,
    );
  }
}
