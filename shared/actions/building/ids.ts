import * as z from "zod/mini";
import type { KindName } from "../../domain/kinds.ts";
import { UUID_PATTERN } from "../../domain/refs.ts";
import {
  type AnsweredRow,
  declareExpandedMember,
  declareIdMember,
  type LookUpName,
  type ObjectReference,
} from "../contract/expanded-members.ts";

const KINDS_WITH_NAME: ReadonlySet<KindName> = new Set<KindName>(["actor", "api_token"]);

type NameForm = "ByKey" | "Name";

interface Ids {
  readonly kinds: readonly KindName[];
  /** True for patterns of model keys, of which only `id:<uuid>` is an id. */
  readonly isPattern?: true;
  readonly getOwner?: (row: AnsweredRow) => unknown;
  readonly getOwners?: (row: AnsweredRow) => readonly unknown[];
}

const idSchemas = new WeakMap<object, Ids>();

declare const tells: unique symbol;

/** Schema of ids that gets an additional member with `expand=keys`. */
export type IdSchema<T, B extends NameForm> = z.ZodMiniType<T> & { readonly [tells]: B };

type Form<N extends KindName> = N extends "actor" | "api_token" ? "Name" : "ByKey";

function registerIdSchema<T, B extends NameForm>(schema: z.ZodMiniType<T>, ids: Ids, text: string): IdSchema<T, B> {
  const idSchema = schema.check(z.describe(text));
  idSchemas.set(idSchema, ids);
  if (!ids.isPattern) declareIdMember(idSchema, toIdRefs);
  // The mark is for types only.
  return idSchema as z.ZodMiniType<T> as IdSchema<T, B>;
}

/** Creates the schema of a member with the id of an object whose key, if it has one, is in the same row. */
export function createOwnIdSchema(text: string): z.ZodMiniString {
  return declareIdMember(z.string().check(z.describe(text)), toIdRefs);
}

/** Creates the schema of a member with an id of a kind, bare or as `id:<uuid>`. */
export function createIdSchema<N extends KindName>(kind: N, text: string): IdSchema<string, Form<N>> {
  return registerIdSchema(z.string(), { kinds: [kind] }, text);
}

/** Creates the schema of a member with a list of ids of a kind. Attributes belong to the owner in the row. */
export function createIdsSchema<N extends KindName>(
  kind: N,
  text: string,
  ownerIn?: Ids["getOwner"],
): IdSchema<readonly string[], Form<N>> {
  return registerIdSchema(z.array(z.string()), { kinds: [kind], ...(ownerIn && { getOwner: ownerIn }) }, text);
}

/** Creates the schema of a member with pairs of ids of a kind, whose owners are in the row. */
export function createIdPairsSchema<N extends KindName>(
  kind: N,
  text: string,
  ownersIn: NonNullable<Ids["getOwners"]>,
): IdSchema<readonly (readonly string[])[], Form<N>> {
  return registerIdSchema(z.array(createIdPairSchema()), { kinds: [kind], getOwners: ownersIn }, text);
}

/** Creates the schema of a member with a pattern of model keys, or the ref of one model. */
export function createPatternSchema(text: string): IdSchema<string, "ByKey"> {
  return registerIdSchema(z.string(), { kinds: ["model"], isPattern: true }, text);
}

/** Creates the schema of a member with a list of patterns of model keys. */
export function createPatternsSchema(text: string): IdSchema<readonly string[], "ByKey"> {
  return registerIdSchema(z.array(z.string()), { kinds: ["model"], isPattern: true }, text);
}

const createIdPairSchema = () => z.array(z.string()).check(z.length(2));

type Inner<S> = S extends z.ZodMiniOptional<infer I> ? I : S;

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

/** Additional members for the members of `M` with ids. */
export type NameMembers<M> = {
  [K in keyof M & string as NameMemberOf<K, M[K]>]: z.ZodMiniOptional<z.ZodMiniType<z.output<Inner<M[K]>>>>;
};

/** Adds members with keys or names after members with ids. */
export function addNameMembers(members: Readonly<Record<string, z.core.$ZodType>>): z.core.$ZodLooseShape {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, schema]) => {
      const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
      const ids = idSchemas.get(inner);
      return ids ? [[member, schema], createNameMember(member, inner, ids)] : [[member, schema]];
    }),
  );
}

function createNameMember(member: string, schema: z.core.$ZodType, ids: Ids): [string, z.core.$ZodType] {
  const isName = ids.kinds.some((kind) => KINDS_WITH_NAME.has(kind));
  const name = isName ? toNameMember(member) : `${member}ByKey`;
  const isList = schema._zod.def.type !== "string";
  const text = isName
    ? `With \`expand=keys\`, the name of \`${member}\`.`
    : `With \`expand=keys\`, \`${member}\` by refs \`key:<key>\`.`;
  const keys = ids.getOwners ? z.array(createIdPairSchema()) : isList ? z.array(z.string()) : z.string();
  const nameSchema = z.optional((keys as z.ZodMiniType).check(z.describe(text)));
  declareExpandedMember(nameSchema, (row, { nameOf }) => {
    const { [member]: value } = row;
    if (ids.isPattern) return replacePatternsByKeys(value, nameOf);
    if (ids.getOwners) return replacePairsByKeys(value, ids.kinds, ids.getOwners(row), nameOf);
    const owner = ids.getOwner?.(row);
    const reference = { kinds: ids.kinds, ...(typeof owner === "string" && { owner: parseId(owner) }) };
    return isName ? lookUpName(value, reference, nameOf) : replaceIdsByKeys(value, reference, nameOf);
  });
  return [name, nameSchema];
}

/** Returns the name member of an id member, such as `actorName` for `actor` and `actorId`. */
function toNameMember(member: string) {
  return member === "id" ? "name" : `${member.replace(/Id$/, "")}Name`;
}

const ID = new RegExp(`^(?:id:)?(${UUID_PATTERN})$`);

function parseId(text: string): string | undefined {
  return ID.exec(text)?.[1]?.toLowerCase();
}

function lookUpName(value: unknown, target: Omit<ObjectReference, "id">, nameOf: LookUpName): string | undefined {
  const id = typeof value === "string" ? parseId(value) : undefined;
  return id === undefined ? undefined : nameOf({ ...target, id });
}

/** Replaces ids in a value by refs `key:<key>`. In lists, an id without a key stays as `id:<uuid>`. */
export function replaceIdsByKeys(value: unknown, target: Omit<ObjectReference, "id">, nameOf: LookUpName): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIdsByKeys(one, target, nameOf) ?? toIdRef(one));
  const name = lookUpName(value, target, nameOf);
  return name === undefined ? undefined : `key:${name}`;
}

/** Replaces the ids of models in patterns by keys; undefined for a single pattern that is not the id of a visible model. */
export function replacePatternsByKeys(value: unknown, nameOf: LookUpName): unknown {
  if (Array.isArray(value)) return value.map((one) => replacePatternsByKeys(one, nameOf) ?? one);
  return String(value).startsWith("id:") ? replaceIdsByKeys(value, { kinds: ["model"] }, nameOf) : undefined;
}

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

/** Returns the ref `id:<uuid>` of an id; other values as they are. */
export function toIdRef(value: unknown): unknown {
  const id = typeof value === "string" ? parseId(value) : undefined;
  return id === undefined ? value : `id:${id}`;
}

/** Returns the refs of an id, or of a list of ids. */
export function toIdRefs(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toIdRefs) : toIdRef(value);
}
