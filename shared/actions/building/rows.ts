import * as z from "zod/mini";
import type {
  ChildrenField,
  Field,
  Fields,
  InternalField,
  JsonField,
  NestedField,
  PairsField,
  RefField,
  RefsField,
  TagsField,
} from "../../domain/fields/field.ts";
import type { AnyObject, Relationship, TagIds } from "../../domain/model/objects.ts";
import type { KeyPair } from "../../domain/refs.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import type { AnsweredRow } from "../contract/expanded-members.ts";
import type { ReadView } from "../contract/view.ts";
import { createNamedSchema, describeList } from "./answers.ts";
import { createIdPairsSchema, createIdSchema, createIdsSchema, createOwnIdSchema } from "./ids.ts";
import { createTagMember, prepareTags, type ShownTag } from "./tags.ts";

type ShownMember<F extends Fields, R extends boolean> = {
  [M in keyof F]: F[M] extends InternalField | ChildrenField | TagsField
    ? never
    : F[M] extends { readonly required: R; readonly stored?: unknown }
      ? M
      : never;
}[keyof F];

type ValueOf<F> = F extends NestedField
  ? readonly Row<F["fields"]>[]
  : F extends JsonField<infer T>
    ? T
    : F extends { readonly stored?: infer T }
      ? Exclude<T, undefined>
      : never;

type KeyMembers<F extends Fields> = {
  readonly [M in keyof F & string as F[M] extends RefField | RefsField | PairsField ? `${M}ByKey` : never]?: ValueOf<
    F[M]
  >;
};

/** Row of an object in reads: refs as `id:<uuid>`, without owned objects and tags. */
export type Row<F extends Fields> = { readonly id: string; readonly key: string } & {
  readonly [M in ShownMember<F, true>]: ValueOf<F[M]>;
} & { readonly [M in ShownMember<F, false>]?: ValueOf<F[M]> } & KeyMembers<F>;

type TaggedRow<F extends Fields> = Row<F> &
  (F extends { readonly tags: TagsField } ? { readonly tags: readonly ShownTag[] } : unknown);

/** Members of the schema of a row. */
export type RowShape<F extends Fields> = {
  [M in keyof TaggedRow<F>]-?: undefined extends TaggedRow<F>[M]
    ? z.ZodMiniOptional<z.ZodMiniType<Exclude<TaggedRow<F>[M], undefined>>>
    : z.ZodMiniType<TaggedRow<F>[M]>;
};

/** Rows of a kind: their schema, and the conversion of objects. */
export interface KindRows<S extends z.ZodMiniType, O = RowSource> {
  readonly schema: () => S;
  /** Reads what the rows of some objects need, and returns the function that converts each to a row. */
  readonly prepare: (
    objects: readonly O[],
    view: ReadView,
    tags: () => Promise<ReadView>,
  ) => Promise<(object: O) => unknown>;
}

type RowSource = Pick<AnyObject, "id" | "key"> & TagIds;

/**
 * Creates the rows of a kind with these fields and other members; `noun` is their name in the OpenAPI document.
 */
export function createKindRows<F extends Fields, M extends z.core.$ZodLooseShape = unknown & Record<never, never>>(
  noun: string,
  fields: F,
  createOtherMembers?: () => M,
): KindRows<z.ZodMiniObject<RowShape<F> & M>> {
  return {
    // The types of rows already contain the keys of refs.
    schema: () =>
      createNamedSchema(noun, {
        ...createRowShape(noun, fields),
        ...createOtherMembers?.(),
      }) as z.ZodMiniType as z.ZodMiniObject<RowShape<F> & M>,
    prepare: async (objects, view, tags) => {
      const pairFilter = fields.keyPairs?.is === "pairs" ? await createPairFilter(objects, view) : undefined;
      const tagsShown = fields.tags?.is === "tags" ? await prepareTags(objects, view, tags) : undefined;
      return (object) => ({ ...toRow(pairFilter?.(object) ?? object, fields), ...tagsShown?.(object) });
    },
  };
}

/** Creates the members of the row schema for these fields. `noun` is the name of the schema. */
export function createRowShape<F extends Fields>(noun: string, fields: F): RowShape<F> {
  const words = noun.replace(/\B[A-Z]/g, " $&").toLowerCase();
  const shape: Record<string, z.ZodMiniType> = { id: createOwnIdSchema(`Id of the ${words}.`), key: z.string() };
  for (const [member, field] of Object.entries(fields)) {
    const schema = createFieldSchema(field);
    if (schema) shape[member] = field.required ? schema : z.optional(schema);
  }
  // The type of a row follows from its fields.
  return { ...shape, ...(fields.tags?.is === "tags" && createTagMember()) } as unknown as RowShape<F>;
}

const OWNERS: Readonly<Record<RefsField["of"], (row: AnsweredRow) => unknown>> = {
  itself: ({ id }) => id,
  entity: ({ entity }) => entity,
};

function listEntities(member: unknown): readonly unknown[] {
  return Array.isArray(member) ? member.map((one: AnsweredRow) => one.entity) : [];
}

function createFieldSchema(field: Field): z.ZodMiniType | undefined {
  switch (field.is) {
    case "value":
    case "json":
      return field.type.schema();
    case "ref":
      return createIdSchema(field.to, `Ref \`id:<uuid>\` of its ${field.to}.`);
    case "refs":
      return createIdsSchema("attribute", field.text, OWNERS[field.of]);
    case "pairs":
      return createIdPairsSchema("attribute", field.text, (row) => listEntities(row[field.of]));
    case "nested":
      return describeList(createNamedSchema(field.noun, createRowShape(field.noun, field.fields)), field.text);
    default:
      return undefined;
  }
}

/** Converts an object to a row, without its tags. */
export function toRow<F extends Fields>(object: RowSource, fields: F): Row<F> {
  const row: Record<string, unknown> = { id: object.id, key: object.key };
  for (const [member, field] of Object.entries(fields)) {
    // An object has the members that its fields declare.
    const value = toRowValue((object as unknown as Readonly<Record<string, unknown>>)[member], field);
    if (value !== undefined) row[member] = value;
  }
  return row as unknown as Row<F>;
}

function toRowValue(value: unknown, field: Field): unknown {
  if (value === undefined) return undefined;
  switch (field.is) {
    case "value":
      return value;
    case "json":
      return parseStoredJson(value as string);
    case "ref":
      return `id:${value}`;
    case "refs":
      return (value as readonly string[]).map((id) => `id:${id}`);
    case "pairs":
      return (value as readonly KeyPair[] | undefined)?.map((pair) => pair.map((id) => `id:${id}`));
    case "nested":
      return (value as readonly { id: string; key: string }[]).map((inner) => toRow(inner, field.fields));
    default:
      return undefined;
  }
}

type PairHolder = Pick<AnyObject, "id" | "key"> & Partial<Pick<Relationship, "roles" | "keyPairs">>;

/** Returns the function that removes pairs with deleted attributes. Costs one read for each joined entity. */
async function createPairFilter(
  relationships: readonly PairHolder[],
  view: ReadView,
): Promise<<O extends PairHolder>(object: O) => O> {
  const holders = relationships.filter(({ keyPairs }) => keyPairs);
  const entities = new Set(holders.flatMap(({ roles = [] }) => roles.map(({ entity }) => entity)));
  const lists = await Promise.all([...entities].map((id) => view.list("attribute", id)));
  const liveIds = new Set(lists.flatMap(({ items }) => items.map(({ id }) => id)));
  return (object) => {
    if (!object.keyPairs) return object;
    const { keyPairs, ...others } = object;
    const pairs = keyPairs.filter((pair) => pair.every((id) => liveIds.has(id)));
    // The member is absent without pairs.
    return (pairs.length > 0 ? { ...object, keyPairs: pairs } : others) as typeof object;
  };
}
