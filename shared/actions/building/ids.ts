import * as z from "zod/mini";
import { type Field, internal, type NestedField } from "../../domain/fields/field.ts";
import { fieldsOfKind } from "../../domain/fields/model-fields.ts";
import type { KindName } from "../../domain/kinds.ts";
import { UUID_PATTERN } from "../../domain/refs.ts";
import { type AnsweredRow, declareExpanding, type NamedById, type NameOf } from "../contract/expanded-members.ts";

/** Kinds of objects that people know by a name, because they have no key to write. */
const BY_NAME: ReadonlySet<KindName> = new Set<KindName>(["actor", "api_token"]);

/** The way in which the member beside one that holds ids tells of them. */
type Tells = "ByKey" | "Name";

/** The objects that the ids in a member of a row name. */
interface Ids {
  readonly kinds: readonly KindName[];
  /** The owner of attributes, by the row. */
  readonly ownerIn?: (row: AnsweredRow) => unknown;
  /** The owners of the first and the second of each pair, where the member holds pairs. */
  readonly ownersIn?: (row: AnsweredRow) => readonly unknown[];
}

const declared = new WeakMap<object, Ids>();

declare const tells: unique symbol;

/** A schema of ids, beside which `expand=keys` shows keys or names. */
export type IdSchema<T, B extends Tells> = z.ZodMiniType<T> & { readonly [tells]: B };

type Named<N extends KindName> = N extends "actor" | "api_token" ? "Name" : "ByKey";

function ids<T, B extends Tells>(schema: z.ZodMiniType<T>, of: Ids, text: string): IdSchema<T, B> {
  const described = schema.check(z.describe(text));
  declared.set(described, of);
  // The mark is for the compiler alone.
  return described as z.ZodMiniType<T> as IdSchema<T, B>;
}

/** The schema of a member that holds the id of an object of a kind, bare or as `id:<uuid>`. */
export function idOf<N extends KindName>(kind: N, text: string): IdSchema<string, Named<N>> {
  return ids(z.string(), { kinds: [kind] }, text);
}

/** The schema of a member that holds ids of objects of a kind in a list; attributes are those of the owner in the row. */
export function idsOf<N extends KindName>(
  kind: N,
  text: string,
  ownerIn?: Ids["ownerIn"],
): IdSchema<readonly string[], Named<N>> {
  return ids(z.array(z.string()), { kinds: [kind], ...(ownerIn && { ownerIn }) }, text);
}

/** The schema of a member that holds pairs of ids of objects of a kind, whose owners are told by the row. */
export function idPairsOf<N extends KindName>(
  kind: N,
  text: string,
  ownersIn: NonNullable<Ids["ownersIn"]>,
): IdSchema<readonly (readonly string[])[], Named<N>> {
  return ids(z.array(idPair()), { kinds: [kind], ownersIn }, text);
}

const idPair = () => z.array(z.string()).check(z.length(2));

type Inner<S> = S extends z.ZodMiniOptional<infer I> ? I : S;

/** The name of the member beside one with this name and schema; never where that holds no ids. */
type BesideName<K extends string, S> =
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
export type Beside<M> = {
  [K in keyof M & string as BesideName<K, M[K]>]: z.ZodMiniOptional<z.ZodMiniType<z.output<Inner<M[K]>>>>;
};

/** The members of an object, behind each that holds ids the one that tells keys or names. */
export function withBeside(members: Readonly<Record<string, z.core.$ZodType>>): z.core.$ZodLooseShape {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, schema]) => {
      const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
      const of = declared.get(inner);
      return of ? [[member, schema], besideOf(member, inner, of)] : [[member, schema]];
    }),
  );
}

function besideOf(member: string, schema: z.core.$ZodType, of: Ids): [string, z.core.$ZodType] {
  const isName = of.kinds.some((kind) => BY_NAME.has(kind));
  const name = isName ? nameBeside(member) : `${member}ByKey`;
  const isList = schema._zod.def.type !== "string";
  const text = isName
    ? `With \`expand=keys\` the name of \`${member}\`.`
    : `With \`expand=keys\` what \`${member}\` names, by key.`;
  const keys = of.ownersIn ? z.array(idPair()) : isList ? z.array(z.string()) : z.string();
  const beside = z.optional((keys as z.ZodMiniType).check(z.describe(text)));
  declareExpanding(beside, (row, nameOf) => {
    const { [member]: value } = row;
    if (of.ownersIn) return pairsByKey(value, of.kinds, of.ownersIn(row), nameOf);
    const owner = of.ownerIn?.(row);
    const named = { kinds: of.kinds, ...(typeof owner === "string" && { owner: bareId(owner) }) };
    return isName ? nameOfOne(value, named, nameOf) : byKey(value, named, nameOf);
  });
  return [name, beside];
}

/** `actorName` for `actor` and `actorId`. */
function nameBeside(member: string): string {
  return member === "id" ? "name" : `${member.replace(/Id$/, "")}Name`;
}

const ID = new RegExp(`^(?:id:)?(${UUID_PATTERN})$`);

function bareId(written: string): string | undefined {
  return ID.exec(written)?.[1]?.toLowerCase();
}

function nameOfOne(value: unknown, of: Omit<NamedById, "id">, nameOf: NameOf): string | undefined {
  const id = typeof value === "string" ? bareId(value) : undefined;
  return id === undefined ? undefined : nameOf({ ...of, id });
}

/**
 * A value that holds ids with refs `key:<key>` in their place; in a list, what has no key stays as `id:<uuid>`, so that
 * the list is as long as the one beside it.
 */
export function byKey(value: unknown, of: Omit<NamedById, "id">, nameOf: NameOf): unknown {
  if (Array.isArray(value)) return value.map((one) => byKey(one, of, nameOf) ?? refOf(one));
  const name = nameOfOne(value, of, nameOf);
  return name === undefined ? undefined : `key:${name}`;
}

/** Pairs of ids with refs `key:<key>` in their place, the first and the second of each of an owner of its own. */
function pairsByKey(value: unknown, kinds: readonly KindName[], owners: readonly unknown[], nameOf: NameOf): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.map((pair: readonly unknown[]) =>
    pair.map((one, i) => byKey(one, { kinds, owner: bareId(String(owners[i])) }, nameOf) ?? refOf(one)),
  );
}

function refOf(value: unknown): unknown {
  const id = typeof value === "string" ? bareId(value) : undefined;
  return id === undefined ? value : `id:${id}`;
}

/** A field, as far as it tells which ids it holds. */
type Holding = Exclude<Field, NestedField> | { readonly is: "nested"; readonly fields: Holdings };
type Holdings = { readonly [member: string]: Holding };

const scopedRole: Holdings = {
  role: internal("Id of the role.", "role"),
  models: internal("The pattern of its models, which may be an id.", "model"),
};

/** The fields that hold ids of kinds whose objects are in no model. */
const OUTSIDE_MODELS: Readonly<Record<string, Holdings>> = {
  actor: { roles: internal("Ids of its roles.", "role"), scopedRoles: { is: "nested", fields: scopedRole } },
  api_token: { owner: internal("Id of the actor it stands for.", "actor") },
};

/** The member beside an image of a change that tells the keys of what the image names by id. */
export function imageByKey(image: "before" | "after"): z.ZodMiniOptional<z.ZodMiniType<AnsweredRow>> {
  const text = `With \`expand=keys\` the members of \`${image}\` that hold ids, by the keys there are now.`;
  const schema = z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));
  return declareExpanding(schema, (row, nameOf) => {
    // A change tells the kind of its object.
    const kind = row.kind as KindName;
    const fields = fieldsOfKind(kind) ?? OUTSIDE_MODELS[kind] ?? {};
    const members = row[image];
    return isRow(members) ? keysIn(members, fields, { ...members, id: row.id }, nameOf) : undefined;
  });
}

/** The members of an image that hold ids, by key; undefined where there are none. `row` tells the owner of attributes. */
function keysIn(image: AnsweredRow, fields: Holdings, row: AnsweredRow, nameOf: NameOf): AnsweredRow | undefined {
  const shown = Object.entries(image).flatMap(([member, value]) => {
    const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
    const keys = field && value !== null ? valueByKey(value, field, row, nameOf) : undefined;
    return keys === undefined ? [] : [[member, keys] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function valueByKey(value: unknown, field: Holding, row: AnsweredRow, nameOf: NameOf): unknown {
  switch (field.is) {
    case "ref":
      return byKey(value, { kinds: [field.to] }, nameOf);
    case "refs":
      return attributesByKey(value, field.of === "itself" ? row.id : row.entity, nameOf);
    case "pairs":
      return attributesByKey(value, undefined, nameOf);
    case "tags":
      return byKey(value, { kinds: ["tag"] }, nameOf);
    case "internal":
      return field.names && byKey(value, { kinds: field.names }, nameOf);
    case "nested":
      return Array.isArray(value) ? value.map((one) => nestedByKey(one, field.fields, row, nameOf)) : undefined;
    default:
      return undefined;
  }
}

/** Attributes by key. Those of an entity that is gone are still stored for a while, but no object any more. */
function attributesByKey(value: unknown, owner: unknown, nameOf: NameOf): unknown {
  if (typeof owner !== "string") return byKey(value, { kinds: ["attribute"] }, nameOf);
  const isThere = nameOf({ kinds: ["entity"], id: owner }) !== undefined;
  const keys = byKey(value, { kinds: ["attribute"], owner }, nameOf);
  return isThere ? keys : undefined;
}

/** An object inside an image, whole but for its id. */
function nestedByKey(value: unknown, fields: Holdings, row: AnsweredRow, nameOf: NameOf): unknown {
  if (!isRow(value)) return value;
  const { id: _, ...members } = value;
  return { ...members, ...keysIn(members, fields, row, nameOf) };
}

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
