import type { ObjectType, RuleName } from "../differences.ts";
import type { KindName } from "../kinds.ts";
import type { KeyPair } from "../refs.ts";
import { type Properties, properties } from "../values/properties.ts";
import type { ValueType } from "../values/value-type.ts";

/** Kinds of objects that refs in documents name. */
export type RefTarget = "type" | "entity";

/** Members of all fields. `T` is stored, `D` is in documents; `R` is true if the value is never absent. */
interface FieldBase<T, D, R extends boolean> {
  /** False if the value may be absent and can be cleared. */
  readonly required: R;
  /** Description for the schemas; "" if the name is enough. */
  readonly text: string;
  /** Rule for changes of the value; without one, they are documentation only. */
  readonly change?: RuleName;
  readonly searched?: true;
  /** True if it contains the origin of an object, which comparisons ignore. */
  readonly provenance?: true;
  /** For types only; never set. */
  readonly stored?: T;
  readonly written?: D;
}

/** Value with the same form in reads, documents and the store. */
export interface PlainField<T = unknown, R extends boolean = boolean> extends FieldBase<T, T, R> {
  readonly is: "value";
  readonly type: ValueType<unknown>;
  readonly missing?: T;
}

/** JSON object, stored as canonical text. */
export interface JsonField<T = unknown> extends FieldBase<string, T, false> {
  /** With a rule for changes, the value is compared as a whole; without one, its members are. */
  readonly is: "json";
  readonly type: ValueType<unknown>;
}

/** Id of another object of the model; `key:<key>` in documents, `id:<uuid>` in reads. */
export interface RefField extends FieldBase<string, string, true> {
  readonly is: "ref";
  readonly to: RefTarget;
}

/** Ids of attributes of an entity, in a meaningful order. */
export interface RefsField extends FieldBase<readonly string[], readonly string[], true> {
  readonly is: "refs";
  /** Owner of the attributes: the object itself, or the entity in this member. */
  readonly of: "itself" | "entity";
  readonly count: Count;
}

/** Pairs of attributes of the entities of two nested objects. */
export interface PairsField extends FieldBase<readonly KeyPair[], readonly KeyPair[], false> {
  readonly is: "pairs";
  /** Member with the two nested objects. */
  readonly of: "roles";
  readonly count: Count;
}

/** Minimum and maximum length of a list, with words for messages. */
export interface Count {
  readonly least: number;
  readonly most: number;
  readonly noun: string;
  readonly nouns: string;
}

/** Links to tags: two lists of ids in the store (`tags`, `globalTags`), one list of refs in documents. */
export interface TagsField extends FieldBase<readonly string[], readonly string[], false> {
  readonly is: "tags";
}

/** Objects stored inside the object, with their own keys and ids. */
export interface NestedField<T = unknown, D = unknown, F extends Fields = Fields>
  extends FieldBase<readonly T[], readonly D[], true>,
    Parts<F> {
  readonly is: "nested";
  readonly terms: ComparisonTerms;
  readonly count: Count;
}

/** Separate objects that documents contain inside their owner. */
export interface ChildrenField<D = unknown> extends FieldBase<never, readonly D[], true>, Parts {
  readonly is: "children";
  /** Kind of the objects. Tag groups and their tags do not belong to the model. */
  readonly kind: KindName;
  readonly terms?: ComparisonTerms;
  /** Rule for a changed order of the common objects; absent if the order has no meaning. */
  readonly move?: RuleName;
}

interface Parts<F extends Fields = Fields> {
  readonly noun: string;
  readonly key: ValueType<string>;
  readonly fields: F;
}

/** Member that only the service reads. */
export interface InternalField<T = unknown, R extends boolean = boolean> extends FieldBase<T, never, R> {
  readonly is: "internal";
  /** Kinds of the objects whose ids it contains, for the history. */
  readonly names?: readonly KindName[];
}

/** Object type in comparisons, and the location member with the key. */
export interface ComparisonTerms {
  readonly objectType: ObjectType;
  readonly location: string;
}

/** Field of a kind, as plain data. Readers, writers and checks loop over fields. */
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

/** Fields of a kind except id, key and revision, in the order of documents. */
export type Fields = Readonly<Record<string, Field>>;

interface FieldOptions<T>
  extends Pick<PlainField<T>, "missing">,
    Pick<FieldBase<T, T, boolean>, "change" | "searched" | "provenance"> {}

/** Defines a required value. */
export function requireField<T>(
  type: ValueType<T>,
  text = "",
  options: FieldOptions<NoInfer<T>> = {},
): PlainField<T, true> {
  return { is: "value", required: true, type, text, ...options };
}

/** Defines an optional value. */
export function allowField<T>(
  type: ValueType<T>,
  text = "",
  options: FieldOptions<NoInfer<T>> = {},
): PlainField<T, false> {
  return { is: "value", required: false, type, text, ...options };
}

/** Defines an optional JSON object, stored as text. */
export function defineJsonField<T>(
  type: ValueType<T>,
  text: string,
  options: Pick<JsonField<T>, "change"> = {},
): JsonField<T> {
  return { is: "json", required: false, type, text, ...options };
}

export const propertyFields: { readonly properties: JsonField<Properties> } = {
  properties: defineJsonField<Properties>(properties, "Named JSON values, in addition to the fixed fields."),
};

/** Defines a required ref to a type or entity. */
export function defineRefField(to: RefTarget, text: string, change?: RuleName): RefField {
  return { is: "ref", required: true, to, text, ...(change && { change }) };
}

/** Defines a list of refs to attributes of an entity. */
export function defineAttributeRefs(options: Omit<RefsField, "is" | "required">): RefsField {
  return { is: "refs", required: true, ...options };
}

/** Defines a list of pairs of attributes; an empty list is absent. */
export function defineAttributePairs(options: Omit<PairsField, "is" | "required">): PairsField {
  return { is: "pairs", required: false, ...options };
}

export const tagFields: {
  readonly tags: TagsField;
  readonly globalTags: InternalField<readonly string[], false>;
} = {
  tags: { is: "tags", required: false, text: "" },
  globalTags: { is: "internal", required: false, text: "", names: ["global_tag"] },
};

/** Defines a list of nested objects. */
export function defineNestedField<F extends Fields>(
  options: Omit<NestedField, "is" | "required"> & { readonly fields: F },
): NestedField<NestedObject<F>, DocumentOf<F>, F> {
  // Only the phantom types are narrower.
  return { is: "nested", required: true, ...options } as NestedField<NestedObject<F>, DocumentOf<F>, F>;
}

/** Defines a list of child objects. */
export function defineChildrenField<F extends Fields>(
  options: Omit<ChildrenField, "is" | "required"> & { readonly fields: F },
): ChildrenField<DocumentOf<F>> {
  return { is: "children", required: true, ...options } as ChildrenField<DocumentOf<F>>;
}

/** Defines a member that is never returned. `names` are the kinds of its ids. */
export function defineInternalField<T>(text: string, ...names: KindName[]): InternalField<T, true> {
  return { is: "internal", required: true, text, ...(names.length > 0 && { names }) };
}

type StoredValue<F> = F extends { readonly stored?: infer T } ? Exclude<T, undefined> : never;
type WrittenValue<F> = F extends { readonly written?: infer D } ? Exclude<D, undefined> : never;

type Present<F extends Fields, V extends "stored" | "written", R extends boolean> = {
  [M in keyof F]: F[M] extends { readonly required: R }
    ? [V extends "stored" ? StoredValue<F[M]> : WrittenValue<F[M]>] extends [never]
      ? never
      : M
    : never;
}[keyof F];

export type StoredMembers<F extends Fields> = {
  readonly [M in Present<F, "stored", true>]: StoredValue<F[M]>;
} & { readonly [M in Present<F, "stored", false>]?: StoredValue<F[M]> };

type NestedObject<F extends Fields> = { readonly id: string; readonly key: string } & StoredMembers<F>;

/** Members that identify an object of a document. Models do not store them. */
export interface ObjectIdentity {
  /** Id of the object in the exported model; refs inside the document use it as well. */
  readonly id?: string;
  readonly renamedFrom?: string;
}

/** Notes of a reader about an object of a source, for merging it into a model. */
export interface ReaderNotes {
  /** Members with default values, because the source does not specify them. */
  readonly leftOut?: readonly string[];
  readonly cleared?: readonly string[];
  /** The object is not in the source. This JSON pointer is of the first ref to it, which expects it in the model. */
  readonly expectedBy?: string;
}

export type DocumentOf<F extends Fields> = ObjectIdentity &
  ReaderNotes & { readonly key: string } & {
    readonly [M in Present<F, "written", true>]: WrittenValue<F[M]>;
  } & { readonly [M in Present<F, "written", false>]?: WrittenValue<F[M]> };
