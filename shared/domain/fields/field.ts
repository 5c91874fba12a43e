import type { ChangeRule, ObjectType } from "../differences.ts";
import type { KindName } from "../kinds.ts";
import type { KeyPair } from "../refs.ts";
import { type Properties, properties } from "../values/properties.ts";
import type { ValueType } from "../values/value-type.ts";

/** The sorts of objects that members of documents refer to. */
export type RefTarget = "type" | "entity";

/** Traits of any field. `T` is its value in a stored object, `D` in a document; `R` is true where it is never absent. */
interface Common<T, D, R extends boolean> {
  /** False where an object may be without it, so that it can be cleared. */
  readonly required: R;
  /** One sentence for the schemas, or "" where the name says all. */
  readonly text: string;
  /** The effect of a change of the field on those who rely on the object; cosmetic where absent. */
  readonly change?: ChangeRule;
  /** True where a search for text looks into it. */
  readonly searched?: true;
  /** True where it tells where an object came from rather than what it is, which comparisons leave out. */
  readonly provenance?: true;
  /** Carry types only; never there. */
  readonly stored?: T;
  readonly written?: D;
}

/** A value that reads, documents and the store write alike. */
export interface PlainField<T = unknown, R extends boolean = boolean> extends Common<T, T, R> {
  readonly is: "value";
  readonly type: ValueType<unknown>;
  /** The value that an import gives it where a document has none. */
  readonly missing?: T;
}

/**
 * A JSON object that is kept as its canonical text, so that the store takes any of it; its members are compared one by one
 * unless it has a rule for a change of the whole.
 */
export interface JsonField<T = unknown> extends Common<string, T, false> {
  readonly is: "json";
  readonly type: ValueType<unknown>;
}

/** The id of another object of the model; documents write it as `key:<key>`, reads as `id:<uuid>`. */
export interface RefField extends Common<string, string, true> {
  readonly is: "ref";
  readonly to: RefTarget;
}

/** Ids of attributes of an entity, in an order that means something. */
export interface RefsField extends Common<readonly string[], readonly string[], true> {
  readonly is: "refs";
  /** The owner of the attributes: the object itself, or the entity that this member of it refers to. */
  readonly of: "itself" | "entity";
  readonly count: Count;
}

/**
 * Pairs of attributes: the first of each is one of the entity in the first of two nested objects, the second of that in the
 * second. Attributes that were deleted may still be named in the store; every reader skips their pairs.
 */
export interface PairsField extends Common<readonly KeyPair[], readonly KeyPair[], false> {
  readonly is: "pairs";
  /** The member that holds the two objects. */
  readonly of: "roles";
  readonly count: Count;
}

/** How many members a list may have, with the words for a sentence about it. */
export interface Count {
  readonly least: number;
  readonly most: number;
  /** The holder of the list, such as "a primary key". */
  readonly noun: string;
  /** Its members, such as "attributes". */
  readonly nouns: string;
}

/** The links to tags: two lists of ids in the store (`tags`, `globalTags`), one list of refs in a document. */
export interface TagsField extends Common<readonly string[], readonly string[], false> {
  readonly is: "tags";
}

/** Objects that live inside the object and have keys and ids of their own. */
export interface NestedField<T = unknown, D = unknown, F extends Fields = Fields>
  extends Common<readonly T[], readonly D[], true>,
    Parts<F> {
  readonly is: "nested";
  readonly compared: ComparisonTerms;
  readonly count: Count;
}

/** Objects of their own that documents write inside the object they belong to. */
export interface ChildrenField<D = unknown> extends Common<never, readonly D[], true>, Parts {
  readonly is: "children";
  /** The kind of its objects; those of tag groups and of their tags are no objects of the model. */
  readonly kind: KindName;
  /** Absent where a comparison leaves them out. */
  readonly compared?: ComparisonTerms;
  /** The effect of another order among those that both sides have; absent where their order says nothing. */
  readonly moved?: ChangeRule;
}

/** The sort of objects in a list inside a document. */
interface Parts<F extends Fields = Fields> {
  /** The name of the sort in schemas. */
  readonly called: string;
  readonly key: ValueType<string>;
  readonly fields: F;
}

/** A member that only the service itself reads. */
export interface InternalField<T = unknown, R extends boolean = boolean> extends Common<T, never, R> {
  readonly is: "internal";
  /** The kinds of the objects whose ids it holds, for the history, which tells of it too. */
  readonly names?: readonly KindName[];
}

/** How a comparison names a nested object or a child, and the member of its location that holds the key. */
export interface ComparisonTerms {
  readonly objectType: ObjectType;
  readonly location: string;
}

/** One member of a kind of object, as plain data that every reader, writer and check loops over. */
export type Field =
  | PlainField
  | JsonField
  | RefField
  | RefsField
  | PairsField
  | TagsField
  | NestedField
  | ChildrenField
  | InternalField;

/** The fields of a kind beside id, key and revision, in the order of documents. */
export type Fields = Readonly<Record<string, Field>>;

interface FieldOptions<T>
  extends Pick<PlainField<T>, "missing">,
    Pick<Common<T, T, boolean>, "change" | "searched" | "provenance"> {}

/** A value that is never absent. */
export function requiredField<T>(
  type: ValueType<T>,
  text = "",
  traits: FieldOptions<NoInfer<T>> = {},
): PlainField<T, true> {
  return { is: "value", required: true, type, text, ...traits };
}

/** A value that an object may be without. */
export function optionalField<T>(
  type: ValueType<T>,
  text = "",
  traits: FieldOptions<NoInfer<T>> = {},
): PlainField<T, false> {
  return { is: "value", required: false, type, text, ...traits };
}

/** A JSON object that an object may be without; it is kept as text. */
export function jsonField<T>(
  type: ValueType<T>,
  text: string,
  traits: Pick<JsonField<T>, "change"> = {},
): JsonField<T> {
  return { is: "json", required: false, type, text, ...traits };
}

/** The field of every kind whose objects can have named JSON values beside their fixed fields. */
export const propertyFields: { readonly properties: JsonField<Properties> } = {
  properties: jsonField<Properties>(properties, "Named JSON values beside the fixed fields."),
};

/** A ref to a type or an entity of the model. */
export function refField(to: RefTarget, text: string, change?: ChangeRule): RefField {
  return { is: "ref", required: true, to, text, ...(change && { change }) };
}

/** A list of refs to attributes of an entity. */
export function attributeRefsField(traits: Omit<RefsField, "is" | "required">): RefsField {
  return { is: "refs", required: true, ...traits };
}

/** A list of pairs of attributes, which is absent where it is empty. */
export function attributePairsField(traits: Omit<PairsField, "is" | "required">): PairsField {
  return { is: "pairs", required: false, ...traits };
}

/** The two fields of every kind that can have tags. */
export const tagFields: {
  readonly tags: TagsField;
  readonly globalTags: InternalField<readonly string[], false>;
} = {
  tags: { is: "tags", required: false, text: "" },
  globalTags: { is: "internal", required: false, text: "", names: ["global_tag"] },
};

/** A list of objects that live inside the object. */
export function nestedField<F extends Fields>(
  traits: Omit<NestedField, "is" | "required"> & { readonly fields: F },
): NestedField<NestedObject<F>, DocumentOf<F>, F> {
  // The phantom types alone are narrower than those of the traits.
  return { is: "nested", required: true, ...traits } as NestedField<NestedObject<F>, DocumentOf<F>, F>;
}

/** A list of objects that belong to the object. */
export function childrenField<F extends Fields>(
  traits: Omit<ChildrenField, "is" | "required"> & { readonly fields: F },
): ChildrenField<DocumentOf<F>> {
  return { is: "children", required: true, ...traits } as ChildrenField<DocumentOf<F>>;
}

/** A member that is never shown; the kinds are those of the objects whose ids it holds. */
export function internalField<T>(text: string, ...names: KindName[]): InternalField<T, true> {
  return { is: "internal", required: true, text, ...(names.length > 0 && { names }) };
}

type StoredValue<F> = F extends { readonly stored?: infer T } ? Exclude<T, undefined> : never;
type WrittenValue<F> = F extends { readonly written?: infer D } ? Exclude<D, undefined> : never;

/** Members of `F` that have a value in that form, by whether they may be absent. */
type Present<F extends Fields, V extends "stored" | "written", R extends boolean> = {
  [M in keyof F]: F[M] extends { readonly required: R }
    ? [V extends "stored" ? StoredValue<F[M]> : WrittenValue<F[M]>] extends [never]
      ? never
      : M
    : never;
}[keyof F];

/** The members of a stored object that has these fields. */
export type StoredMembers<F extends Fields> = {
  readonly [M in Present<F, "stored", true>]: StoredValue<F[M]>;
} & { readonly [M in Present<F, "stored", false>]?: StoredValue<F[M]> };

/** An object inside another one. */
type NestedObject<F extends Fields> = { readonly id: string; readonly key: string } & StoredMembers<F>;

/** Members of objects of documents that only say which object of a model is meant; no model keeps them. */
export interface ObjectIdentity {
  /** The id of the object in the model that the document was exported from; refs inside the document use it too. */
  readonly id?: string;
  /** The key that the object had before. */
  readonly renamedFrom?: string;
}

/** What a reader notes of an object of a source for whoever makes a model what the source says; no model keeps it. */
export interface ReaderNotes {
  /** Members that stand in the document for want of others, because the source says nothing of them. */
  readonly leftOut?: readonly string[];
  /** Members that the source says are to have no value. */
  readonly cleared?: readonly string[];
}

/** The object of a document that has these fields. */
export type DocumentOf<F extends Fields> = ObjectIdentity &
  ReaderNotes & { readonly key: string } & {
    readonly [M in Present<F, "written", true>]: WrittenValue<F[M]>;
  } & { readonly [M in Present<F, "written", false>]?: WrittenValue<F[M]> };
