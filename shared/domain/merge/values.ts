import { says, valueIn, type Written } from "../apply/parts.ts";
import type { ModelDocument } from "../document.ts";
import type { Field, PairsField } from "../fields/field.ts";
import type { KeyPair } from "../key-pairs.ts";
import type { Documents, Side, Triple, Triples } from "./triples.ts";

/** One thing that a source and people can each change of an object: a member, a property, or the order of a list. */
export interface Slot {
  /** The member as callers name it, such as `description` or `properties.owner`. */
  readonly name: string;
  /** The member of the document. */
  readonly member: string;
  readonly field: Field | undefined;
  /** The property, of a member whose properties stand each for itself. */
  readonly property?: string;
}

/** The members of a model that no merge changes. */
const KEPT: ReadonlySet<string> = new Set(["version", "authority"]);

/** Everything of an object that can be changed, beside the objects in it. */
export function slotsOf(triple: Triple): readonly Slot[] {
  const { fields, above } = triple;
  const key: readonly Slot[] = above ? [{ name: "key", member: "key", field: undefined }] : [];
  return [
    ...key,
    ...Object.entries(fields).flatMap(([member, field]): readonly Slot[] => {
      if (field.is === "internal" || field.is === "nested" || (!above && KEPT.has(member))) return [];
      if (field.is === "children") return field.moved ? [{ name: member, member, field }] : [];
      if (field.is !== "json" || field.change) return [{ name: member, member, field }];
      return propertiesOf(triple, member).map((property) => ({
        name: `${member}.${property}`,
        member,
        field,
        property,
      }));
    }),
  ];
}

function propertiesOf({ base, ours, theirs }: Triple, member: string): readonly string[] {
  const names = [base, ours, theirs].flatMap((one) => Object.keys((valueIn(one, member) ?? {}) as object));
  return [...new Set(names)].sort();
}

/** True where the document of a side says something of a slot. */
export function saysOf(triple: Triple, side: Side, { member, property }: Slot): boolean {
  const written = triple[side];
  if (!written || member === "key") return written !== undefined;
  if (property === undefined) return says(written, member);
  return valueOfProperty(written, member, property) !== undefined || (written.cleared?.includes(member) ?? false);
}

function valueOfProperty(written: Written, member: string, property: string): unknown {
  const all = (valueIn(written, member) ?? {}) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(all, property) ? all[property] : undefined;
}

/** The value of a slot as its document has it. */
export function shownOf(triple: Triple, side: Side, { member, field, property }: Slot): unknown {
  const written = triple[side];
  if (!written) return undefined;
  if (property !== undefined) return valueOfProperty(written, member, property);
  if (field?.is !== "children") return valueIn(written, member);
  return ((valueIn(written, member) ?? []) as readonly Written[]).map(({ key }) => `key:${key}`);
}

/** Reads the values of slots, in which the names of triples stand for refs, so that they can be held against each other. */
export interface Values {
  readonly of: (triple: Triple, side: Side, slot: Slot) => unknown;
}

/** The triples that the refs of one document name. */
interface Named {
  readonly type: ReadonlyMap<string, string>;
  readonly entity: ReadonlyMap<string, string>;
  readonly tag: ReadonlyMap<string, string>;
  /** The names of attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Reads the values of three documents. Links to tags of groups that `hasGlobalTag` does not know count as not there. */
export function valuesOf(
  { base, ours, theirs }: Documents,
  triples: Triples,
  hasGlobalTag: (ref: string) => boolean,
): Values {
  const named: Readonly<Record<Side, Named | undefined>> = {
    base: base && namedIn(base.document, triples),
    ours: namedIn(ours, triples),
    theirs: namedIn(theirs, triples),
  };
  return {
    of: (triple, side, slot) => {
      const written = triple[side];
      const names = named[side];
      const value = shownOf(triple, side, slot);
      if (!written || !names) return undefined;
      if (slot.field?.is === "tags") return tagsOf((value ?? []) as readonly string[], names, hasGlobalTag);
      return value === undefined ? undefined : identified(value, slot, written, names, triples);
    },
  };
}

function namedIn({ types, entities, localTags }: ModelDocument, { of }: Triples): Named {
  const names = (list: readonly Written[]) => new Map(list.map((one) => [`key:${one.key}`, of(one)?.name ?? one.key]));
  return {
    type: names(types),
    entity: names(entities),
    tag: names(localTags),
    attributes: new Map(entities.map(({ key, attributes }) => [`key:${key}`, names(attributes)])),
  };
}

function tagsOf(refs: readonly string[], { tag }: Named, hasGlobalTag: (ref: string) => boolean): readonly string[] {
  return refs.flatMap((ref) => (ref.includes("/") ? (hasGlobalTag(ref) ? [ref] : []) : (tag.get(ref) ?? []))).sort();
}

function identified(
  value: unknown,
  { member, field }: Slot,
  written: Written,
  names: Named,
  triples: Triples,
): unknown {
  switch (field?.is) {
    case "ref":
      return names[field.to].get(String(value)) ?? value;
    case "refs": {
      const entity = field.of === "itself" ? `key:${written.key}` : String(valueIn(written, field.of));
      return (value as readonly string[]).map((ref) => names.attributes.get(entity)?.get(ref) ?? ref);
    }
    case "pairs":
      return pairsOf(value as readonly KeyPair[], field, written, names, triples);
    case "children":
      return ((valueIn(written, member) ?? []) as readonly Written[]).map((one) => triples.of(one)?.name);
    default:
      return value;
  }
}

/** Pairs as lists of a role and the attribute of its entity, in no order that a key of a role would give them. */
function pairsOf(
  pairs: readonly KeyPair[],
  { of }: PairsField,
  written: Written,
  { attributes }: Named,
  triples: Triples,
): unknown {
  const roles = (valueIn(written, of) ?? []) as readonly Written[];
  return pairs.map((pair) =>
    roles
      .map((role, i) => {
        const ref = pair[i] ?? "";
        return [triples.of(role)?.name ?? role.key, attributes.get(String(valueIn(role, "entity")))?.get(ref) ?? ref];
      })
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

/** The names of the triples in a value. */
export function namesIn(value: unknown, field: Field | undefined): readonly string[] {
  if (field?.is === "ref") return [String(value)];
  if (field?.is !== "refs" && field?.is !== "pairs" && field?.is !== "tags") return [];
  return ([value] as unknown[])
    .flat(Number.POSITIVE_INFINITY)
    .filter((one) => typeof one === "string" && one.startsWith("#")) as string[];
}
