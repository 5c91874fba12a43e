import * as z from "zod/mini";
import { type Field, internalField, type NestedField } from "../../domain/fields/field.ts";
import { getFieldsOfKind } from "../../domain/fields/model-fields.ts";
import type { KindName } from "../../domain/kinds.ts";
import { UUID_PATTERN } from "../../domain/refs.ts";
import {
  type AnsweredRow,
  declareExpandedMember,
  type LookUpName,
  type ObjectReference,
} from "../contract/expanded-members.ts";

/** Kinds of objects that people know by a name, because they have no key to write. */
const KINDS_WITH_NAME: ReadonlySet<KindName> = new Set<KindName>(["actor", "api_token"]);

/** The way in which the member beside one that holds ids tells of them. */
type NameForm = "ByKey" | "Name";

/** The objects that the ids in a member of a row name. */
interface Ids {
  readonly kinds: readonly KindName[];
  /** The owner of attributes, by the row. */
  readonly ownerIn?: (row: AnsweredRow) => unknown;
  /** The owners of the first and the second of each pair, where the member holds pairs. */
  readonly ownersIn?: (row: AnsweredRow) => readonly unknown[];
}

const idSchemas = new WeakMap<object, Ids>();

declare const tells: unique symbol;

/** A schema of ids, beside which `expand=keys` shows keys or names. */
export type IdSchema<T, B extends NameForm> = z.ZodMiniType<T> & { readonly [tells]: B };

type Named<N extends KindName> = N extends "actor" | "api_token" ? "Name" : "ByKey";

function createIdSchema<T, B extends NameForm>(schema: z.ZodMiniType<T>, of: Ids, text: string): IdSchema<T, B> {
  const described = schema.check(z.describe(text));
  idSchemas.set(described, of);
  // The mark is for the compiler alone.
  return described as z.ZodMiniType<T> as IdSchema<T, B>;
}

/** The schema of a member that holds the id of an object of a kind, bare or as `id:<uuid>`. */
export function idSchema<N extends KindName>(kind: N, text: string): IdSchema<string, Named<N>> {
  return createIdSchema(z.string(), { kinds: [kind] }, text);
}

/** The schema of a member that holds ids of objects of a kind in a list; attributes are those of the owner in the row. */
export function idsSchema<N extends KindName>(
  kind: N,
  text: string,
  ownerIn?: Ids["ownerIn"],
): IdSchema<readonly string[], Named<N>> {
  return createIdSchema(z.array(z.string()), { kinds: [kind], ...(ownerIn && { ownerIn }) }, text);
}

/** The schema of a member that holds pairs of ids of objects of a kind, whose owners are told by the row. */
export function idPairsSchema<N extends KindName>(
  kind: N,
  text: string,
  ownersIn: NonNullable<Ids["ownersIn"]>,
): IdSchema<readonly (readonly string[])[], Named<N>> {
  return createIdSchema(z.array(idPair()), { kinds: [kind], ownersIn }, text);
}

const idPair = () => z.array(z.string()).check(z.length(2));

type Inner<S> = S extends z.ZodMiniOptional<infer I> ? I : S;

/** The name of the member beside one with this name and schema; never where that holds no ids. */
type NameMemberOf<K extends string, S> =
  Inner<S> extends { readonly [tells]: infer B }
    ? B extends "ByKey"
      ? `${K}ByKey`
      : K extends "id"
        ? "name"
        : K extends `${infer Stem}Id`
          ? `${Stem}Name`
          : `${K}Name`
    : never;

/** The members that stand beside those of `M` that hold ids. */
export type NameMembers<M> = {
  [K in keyof M & string as NameMemberOf<K, M[K]>]: z.ZodMiniOptional<z.ZodMiniType<z.output<Inner<M[K]>>>>;
};

/** The members of an object, behind each that holds ids the one that tells keys or names. */
export function addNameMembers(members: Readonly<Record<string, z.core.$ZodType>>): z.core.$ZodLooseShape {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, schema]) => {
      const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
      const of = idSchemas.get(inner);
      return of ? [[member, schema], createNameMember(member, inner, of)] : [[member, schema]];
    }),
  );
}

function createNameMember(member: string, schema: z.core.$ZodType, of: Ids): [string, z.core.$ZodType] {
  const isName = of.kinds.some((kind) => KINDS_WITH_NAME.has(kind));
  const name = isName ? toNameMember(member) : `${member}ByKey`;
  const isList = schema._zod.def.type !== "string";
  const text = isName
    ? `With \`expand=keys\` the name of \`${member}\`.`
    : `With \`expand=keys\` what \`${member}\` names, by key.`;
  const keys = of.ownersIn ? z.array(idPair()) : isList ? z.array(z.string()) : z.string();
  const beside = z.optional((keys as z.ZodMiniType).check(z.describe(text)));
  declareExpandedMember(beside, (row, nameOf) => {
    const { [member]: value } = row;
    if (of.ownersIn) return replacePairsByKeys(value, of.kinds, of.ownersIn(row), nameOf);
    const owner = of.ownerIn?.(row);
    const named = { kinds: of.kinds, ...(typeof owner === "string" && { owner: parseId(owner) }) };
    return isName ? lookUpName(value, named, nameOf) : replaceIdsByKeys(value, named, nameOf);
  });
  return [name, beside];
}

/** `actorName` for `actor` and `actorId`. */
function toNameMember(member: string): string {
  return member === "id" ? "name" : `${member.replace(/Id$/, "")}Name`;
}

const ID = new RegExp(`^(?:id:)?(${UUID_PATTERN})$`);

function parseId(written: string): string | undefined {
  return ID.exec(written)?.[1]?.toLowerCase();
}

function lookUpName(value: unknown, of: Omit<ObjectReference, "id">, nameOf: LookUpName): string | undefined {
  const id = typeof value === "string" ? parseId(value) : undefined;
  return id === undefined ? undefined : nameOf({ ...of, id });
}

/**
 * A value that holds ids with refs `key:<key>` in their place; in a list, what has no key stays as `id:<uuid>`, so that
 * the list is as long as the one beside it.
 */
export function replaceIdsByKeys(value: unknown, of: Omit<ObjectReference, "id">, nameOf: LookUpName): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIdsByKeys(one, of, nameOf) ?? toIdRef(one));
  const name = lookUpName(value, of, nameOf);
  return name === undefined ? undefined : `key:${name}`;
}

/** Pairs of ids with refs `key:<key>` in their place, the first and the second of each of an owner of its own. */
function replacePairsByKeys(
  value: unknown,
  kinds: readonly KindName[],
  owners: readonly unknown[],
  nameOf: LookUpName,
): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.map((pair: readonly unknown[]) =>
    pair.map((one, i) => replaceIdsByKeys(one, { kinds, owner: parseId(String(owners[i])) }, nameOf) ?? toIdRef(one)),
  );
}

function toIdRef(value: unknown): unknown {
  const id = typeof value === "string" ? parseId(value) : undefined;
  return id === undefined ? value : `id:${id}`;
}

/** A field, as far as it tells which ids it holds. */
type IdField = Exclude<Field, NestedField> | { readonly is: "nested"; readonly fields: IdFields };
type IdFields = { readonly [member: string]: IdField };

const scopedRole: IdFields = {
  role: internalField("Id of the role.", "role"),
  models: internalField("The pattern of its models, which may be an id.", "model"),
};

/** The fields that hold ids of kinds whose objects are in no model. */
const OUTSIDE_MODELS: Readonly<Record<string, IdFields>> = {
  actor: { roles: internalField("Ids of its roles.", "role"), scopedRoles: { is: "nested", fields: scopedRole } },
  api_token: { owner: internalField("Id of the actor it stands for.", "actor") },
};

/** The member beside an image of a change that tells the keys of what the image names by id. */
export function createImageByKeySchema(image: "before" | "after"): z.ZodMiniOptional<z.ZodMiniType<AnsweredRow>> {
  const text = `With \`expand=keys\` the members of \`${image}\` that hold ids, by the keys there are now.`;
  const schema = z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));
  return declareExpandedMember(schema, (row, nameOf) => {
    // A change tells the kind of its object.
    const kind = row.kind as KindName;
    const fields = getFieldsOfKind(kind) ?? OUTSIDE_MODELS[kind] ?? {};
    const members = row[image];
    return isObject(members) ? listKeys(members, fields, { ...members, id: row.id }, nameOf) : undefined;
  });
}

/** The members of an image that hold ids, by key; undefined where there are none. `row` tells the owner of attributes. */
function listKeys(image: AnsweredRow, fields: IdFields, row: AnsweredRow, nameOf: LookUpName): AnsweredRow | undefined {
  const shown = Object.entries(image).flatMap(([member, value]) => {
    const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
    const keys = field && value !== null ? replaceValueByKeys(value, field, row, nameOf) : undefined;
    return keys === undefined ? [] : [[member, keys] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function replaceValueByKeys(value: unknown, field: IdField, row: AnsweredRow, nameOf: LookUpName): unknown {
  switch (field.is) {
    case "ref":
      return replaceIdsByKeys(value, { kinds: [field.to] }, nameOf);
    case "refs":
      return replaceAttributesByKeys(value, field.of === "itself" ? row.id : row.entity, nameOf);
    case "pairs":
      return replaceAttributesByKeys(value, undefined, nameOf);
    case "tags":
      return replaceIdsByKeys(value, { kinds: ["tag"] }, nameOf);
    case "internal":
      return field.names && replaceIdsByKeys(value, { kinds: field.names }, nameOf);
    case "nested":
      return Array.isArray(value) ? value.map((one) => replaceNestedByKeys(one, field.fields, row, nameOf)) : undefined;
    default:
      return undefined;
  }
}

/** Attributes by key. Those of an entity that is gone are still stored for a while, but no object any more. */
function replaceAttributesByKeys(value: unknown, owner: unknown, nameOf: LookUpName): unknown {
  if (typeof owner !== "string") return replaceIdsByKeys(value, { kinds: ["attribute"] }, nameOf);
  const isThere = nameOf({ kinds: ["entity"], id: owner }) !== undefined;
  const keys = replaceIdsByKeys(value, { kinds: ["attribute"], owner }, nameOf);
  return isThere ? keys : undefined;
}

/** An object inside an image, whole but for its id. */
function replaceNestedByKeys(value: unknown, fields: IdFields, row: AnsweredRow, nameOf: LookUpName): unknown {
  if (!isObject(value)) return value;
  const { id: _, ...members } = value;
  return { ...members, ...listKeys(members, fields, row, nameOf) };
}

function isObject(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
