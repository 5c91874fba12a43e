import { checkCount } from "../apply/parts.ts";
import { type DocumentObject, getList } from "../compare/document-members.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Field } from "../fields/field.ts";
import { compareByKey } from "../model/content.ts";
import { Problem } from "../problems.ts";
import type { MergeState, Resolution } from "./resolve.ts";
import type { Triple, Triples } from "./triples.ts";
import type { Slot, Verdicts } from "./values.ts";

export interface MergedDocument {
  readonly target: ModelDocument;
  /** Returns the id of an object of any of the three documents; undefined if it is not in the model. */
  readonly findId: (object: DocumentObject) => string | undefined;
}

/** Writer of one merged document, with the ids and keys of its objects so far. */
export class MergeWriter {
  readonly #ours: ModelDocument;
  readonly #triples: Triples;
  readonly #verdicts: Verdicts;
  readonly #resolution: Resolution;
  readonly #nextId: () => string;
  readonly #ids = new Map<Triple, string>();
  readonly #keys = new Map<Triple, string>();

  constructor(ours: ModelDocument, { triples, verdicts }: MergeState, resolution: Resolution, nextId: () => string) {
    this.#ours = ours;
    this.#triples = triples;
    this.#verdicts = verdicts;
    this.#resolution = resolution;
    this.#nextId = nextId;
  }

  /** Writes the document of a merge. Throws `key_taken` for equal keys, `too_large` for too many roles. */
  write(): MergedDocument {
    const { version, authority, tagGroups, $schema } = this.#ours;
    // The type of a document follows from its fields.
    const document = this.#writeObject(this.#triples.model) as unknown as ModelDocument;
    return {
      target: { ...document, $schema, version, authority, tagGroups },
      findId: (object) => {
        const triple = this.#triples.findTriple(object);
        return triple && this.#resolution.isPresent(triple) ? this.#getId(triple) : undefined;
      },
    };
  }

  #findSlot(triple: Triple, name: string): Slot | undefined {
    return this.#verdicts.listSlots(triple).find((slot) => slot.name === name);
  }

  #readSlot(triple: Triple, name: string): unknown {
    const slot = this.#findSlot(triple, name);
    return slot && this.#resolution.getValue(triple, slot);
  }

  #getKey(triple: Triple): string {
    const key = this.#keys.get(triple) ?? String(triple.above ? this.#readSlot(triple, "key") : this.#ours.key);
    this.#keys.set(triple, key);
    return key;
  }

  #getId(triple: Triple): string {
    const id = this.#ids.get(triple) ?? (this.#isMoved(triple) ? this.#nextId() : (triple.ours?.id ?? this.#nextId()));
    this.#ids.set(triple, id);
    return id;
  }

  /** A business key belongs to its entity. For another entity, it becomes a new key. */
  #isMoved(triple: Triple): boolean {
    const slot = triple.as?.objectType === "businessKey" ? this.#findSlot(triple, "entity") : undefined;
    return (
      slot !== undefined &&
      this.#resolution.chooseSide(triple, slot) === "theirs" &&
      this.#verdicts.getVerdict(triple, slot) !== "same"
    );
  }

  #findPresent(name: string): Triple | undefined {
    const triple = this.#triples.getByName(name);
    return triple && this.#resolution.isPresent(triple) ? triple : undefined;
  }

  #toRefs(name: string): readonly string[] {
    const triple = name.startsWith("#") ? this.#findPresent(name) : undefined;
    if (triple) return [`key:${this.#getKey(triple)}`];
    return name.startsWith("#") ? [] : [name];
  }

  #writeObject(triple: Triple): Record<string, unknown> & { readonly key: string } {
    const document: Record<string, unknown> & { readonly key: string } = {
      id: this.#getId(triple),
      key: this.#getKey(triple),
    };
    const slots = Map.groupBy(this.#verdicts.listSlots(triple), ({ member }) => member);
    for (const [member, field] of Object.entries(triple.fields)) {
      const isList = field.is === "nested" || field.is === "children";
      const value = isList
        ? this.#writeList(triple, member, field)
        : this.#writeMember(triple, field, slots.get(member) ?? []);
      if (value !== undefined) document[member] = value;
    }
    return document;
  }

  #writeMember(triple: Triple, field: Field, slots: readonly Slot[]): unknown {
    const [slot] = slots;
    if (!slot) return undefined;
    if (slot.property !== undefined) {
      const properties = slots.map((one) => [one.property, this.#resolution.getValue(triple, one)] as const);
      const entries = properties.filter(([, value]) => value !== undefined);
      return entries.length > 0 ? Object.fromEntries(entries) : undefined;
    }
    const value = this.#resolution.getValue(triple, slot);
    if (value === undefined) return undefined;
    if (field.is === "ref") return this.#toRefs(String(value))[0];
    if (field.is === "refs") return (value as readonly string[]).flatMap((name) => this.#toRefs(name));
    if (field.is === "tags")
      return omitEmpty((value as readonly string[]).flatMap((name) => this.#toRefs(name)).sort());
    return field.is === "pairs" ? this.#writePairs(triple, value as Pairs) : value;
  }

  #writePairs(triple: Triple, pairs: Pairs): unknown {
    const roles = [...(triple.lists.get("roles") ?? [])].filter(this.#resolution.isPresent);
    roles.sort((a, b) => (this.#getKey(a) < this.#getKey(b) ? -1 : 1));
    if (roles.length !== 2) return undefined;
    return omitEmpty(
      pairs.flatMap((pair) => {
        const sides = roles.map(({ name }) => pair.find(([role]) => role === name)?.[1]);
        const refs = sides.flatMap((name) => (name === undefined ? [] : this.#toRefs(name)));
        return refs.length === 2 ? [refs] : [];
      }),
    );
  }

  #writeList(triple: Triple, member: string, field: Field): unknown {
    const list = triple.lists.get(member)?.filter(this.#resolution.isPresent);
    if (!list) return undefined;
    checkCount(this.#getKey(triple), list.length, field);
    rejectDuplicateKeys(list, member, (one) => this.#getKey(one));
    const order = field.is === "children" && field.move && this.#findSlot(triple, member);
    if (!order) return list.map((one) => this.#writeObject(one)).sort(compareByKey);
    return mergeOrder(triple, list, this.#resolution.chooseSide(triple, order)).map((one) => this.#writeObject(one));
  }
}

type Pairs = readonly (readonly (readonly [role: string, attribute: string])[])[];

function omitEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** Sorts like one side. Objects only on the other side stay after their predecessor. */
function mergeOrder(holder: Triple, list: readonly Triple[], side: "ours" | "theirs"): readonly Triple[] {
  const other = side === "ours" ? "theirs" : "ours";
  const sortBySide = (sideName: "ours" | "theirs"): readonly Triple[] => {
    const indexes = new Map(getList(holder[sideName], list[0]?.member ?? "").map((object, i) => [object, i]));
    const getPosition = (one: Triple) => indexes.get(one[sideName] as DocumentObject) ?? 0;
    return list.filter((one) => one[sideName]).sort((a, b) => getPosition(a) - getPosition(b));
  };
  const followers = new Map<Triple | undefined, Triple[]>();
  let last: Triple | undefined;
  for (const one of sortBySide(other)) {
    if (one[side]) last = one;
    else followers.set(last, [...(followers.get(last) ?? []), one]);
  }
  // Objects that people inserted come before objects that the source inserted at the same position.
  const waits = side === "ours";
  const result: Triple[] = [];
  let waiting = followers.get(undefined) ?? [];
  for (const one of sortBySide(side)) {
    if (!waits || one[other]) result.push(...waiting.splice(0));
    result.push(one);
    if (one[other]) waiting = [...(followers.get(one) ?? [])];
    if (!waits) result.push(...waiting.splice(0));
  }
  return [...result, ...waiting];
}

function rejectDuplicateKeys(list: readonly Triple[], member: string, getKey: (triple: Triple) => string) {
  const first = new Map<string, Triple>();
  for (const triple of list) {
    const key = getKey(triple);
    const other = first.get(key);
    first.set(key, triple);
    if (!other) continue;
    const oldKey = [triple, other].map(({ ours, base }) => (ours ?? base)?.key ?? key).find((one) => one !== key);
    const cause =
      oldKey === undefined
        ? "the source adds another object with this key"
        : `the source renames ${JSON.stringify(oldKey)} to it`;
    throw new Problem(
      "key_taken",
      `Key conflict in ${member}: ${JSON.stringify(key)} is in the model, and ${cause}. Rename one of the two.`,
    );
  }
}
