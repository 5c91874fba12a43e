import type * as z from "zod/mini";
import { KINDS, type KindName } from "../../domain/kinds.ts";
import type { Attribute, ObjectByKind, Type } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Action, Reading } from "../contract/action.ts";
import type { ExpansionName } from "../contract/action-parameters.ts";
import type { Call } from "../contract/call.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import {
  type AnsweredRow,
  getExpander,
  getIdConverter,
  type LookUpName,
  type LookUps,
  type LookUpType,
  type ObjectReference,
} from "../contract/expanded-members.ts";
import type { Store } from "../contract/store.ts";
import { IDENTITY_LEDGER, type ReadView } from "../contract/view.ts";

/**
 * Expands the answer of a read: with `keys`, adds keys and names next to its ids, and logical types; with `refs`, answers its ids as
 * refs `id:<uuid>`.
 */
export async function expandReading(
  action: Action,
  reading: Reading,
  expansions: ReadonlySet<ExpansionName>,
  sources: NameSources,
): Promise<Reading> {
  const schema = action.output.schema();
  const convertIds = expansions.has("refs");
  const lookUps = expansions.has("keys") ? await prepareLookUps(schema, reading.body, sources) : undefined;
  // The body has the form of the schema, with additional members.
  return { ...reading, body: expandValue(schema, reading.body, { lookUps, convertIds }, {}) } as Reading;
}

/** Looks up the names of all objects whose ids are in an answer, and the types of its attributes. */
async function prepareLookUps(schema: z.core.$ZodType, body: unknown, sources: NameSources): Promise<LookUps> {
  const references: ObjectReference[] = [];
  let hasTypes = false;
  // The first round only collects the ids, so that their names are read together.
  const lookUps: LookUps = {
    nameOf: (reference) => {
      references.push(reference);
      return undefined;
    },
    typeOf: () => {
      hasTypes = true;
      return undefined;
    },
  };
  expandValue(schema, body, { lookUps, convertIds: false }, {});
  const [{ nameOf, types }, createTypeLookUp] = await Promise.all([
    findNames(references, sources),
    hasTypes ? prepareTypes(sources) : undefined,
  ]);
  return { nameOf, typeOf: createTypeLookUp?.(types) ?? (() => undefined) };
}

/** Reads the dialect of the model, and returns the function that looks up the logical types of attributes. */
async function prepareTypes({ view }: NameSources): Promise<((types: readonly Type[]) => LookUpType) | undefined> {
  if (!view || view.deleted) return undefined;
  const [{ properties }, { createTypeResolver }] = await Promise.all([
    view.readModel(),
    import("../../domain/types/stored-types.ts"),
  ]);
  return (types) => {
    const resolve = createTypeResolver(types, properties);
    // Rows of attributes have these members.
    return (row) => resolve(row as unknown as Parameters<typeof resolve>[0]);
  };
}

interface Expanding {
  readonly lookUps: LookUps | undefined;
  readonly convertIds: boolean;
}

function expandValue(schema: z.core.$ZodType, value: unknown, how: Expanding, row: AnsweredRow): unknown {
  const convert = how.convertIds && value !== undefined ? getIdConverter(schema) : undefined;
  if (convert) return convert(value, row);
  // Every schema is of one of these types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional") return expandValue(def.innerType, value, how, row);
  if (def.type === "array" && Array.isArray(value)) return value.map((one) => expandValue(def.element, one, how, row));
  if (def.type === "object" && isRow(value)) return expandRow(def.shape, value, how);
  return value;
}

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null;
}

function expandRow(shape: z.core.$ZodShape, row: AnsweredRow, how: Expanding): AnsweredRow {
  const { lookUps } = how;
  const declaredMembers: Record<string, unknown> = {};
  for (const [member, schema] of Object.entries(shape)) {
    const expand = lookUps && getExpander(schema);
    const value = expand ? expand(row, lookUps) : expandValue(schema, row[member], how, row);
    if (value !== undefined) declaredMembers[member] = value;
  }
  // A row may have members that the schema does not declare.
  return { ...declaredMembers, ...omitMembers(row, declaredMembers) };
}

function omitMembers(row: AnsweredRow, others: AnsweredRow): AnsweredRow {
  return Object.fromEntries(Object.entries(row).filter(([member]) => !Object.hasOwn(others, member)));
}

/** The ledgers in which the names of one answer are looked up, and the caller who sees them. */
export interface NameSources {
  readonly view: ReadView | undefined;
  readonly tags: () => Promise<ReadView>;
  /** Newest users, actors and roles; their names may change without a new entity tag. */
  readonly accounts: () => Promise<ReadView>;
  readonly open: Store["open"];
  readonly call: Call;
}

/** Up to this number, objects of a kind are looked up one by one. */
const FEW = 3;
/** Number of list rows that cost as much as looking up one id. */
const ROWS_PER_ID = 4;
/** Rows of the list of all attributes that cost as much as those of one owner. */
const ROWS_PER_OWNER = 40;
const PARALLEL = 8;

interface FoundNames {
  readonly nameOf: LookUpName;
  readonly types: readonly Type[];
}

async function findNames(references: readonly ObjectReference[], sources: NameSources): Promise<FoundNames> {
  const types: Type[] = [];
  const wantedOf = new Map<KindName, Map<string, string | undefined>>();
  for (const { kinds, id, owner } of references) {
    for (const kind of kinds) {
      const ids = wantedOf.get(kind) ?? new Map<string, string | undefined>();
      wantedOf.set(kind, ids.set(id, ids.get(id) ?? owner));
    }
  }
  const keepTypes = (objects: readonly Type[]) => void types.push(...objects);
  const lookups = [...wantedOf].map(
    async ([kind, ids]) => [kind, await findNamesOfKind(kind, ids, sources, keepTypes)] as const,
  );
  const names = new Map(await Promise.all(lookups));
  const nameOf: LookUpName = ({ kinds, id }) =>
    kinds.map((kind) => names.get(kind)?.get(id)).find((name) => name !== undefined);
  return { nameOf, types };
}

/** Returns the names of objects of a kind by id. For attributes, `ids` maps each id to its owner if that is known. */
async function findNamesOfKind(
  kind: KindName,
  ids: ReadonlyMap<string, string | undefined>,
  sources: NameSources,
  keepTypes: (objects: readonly Type[]) => void,
): Promise<ReadonlyMap<string, string>> {
  if (kind === "model") return findModelKeys([...ids.keys()], sources);
  const { ledger } = KINDS[kind];
  if (ledger === "identity") return findAccountNames(kind, [...ids.keys()], sources);
  if (ledger === "tags") return findTagKeys(kind, [...ids.keys()], await sources.tags());
  const { view } = sources;
  // A deleted model has no objects.
  if (!view || view.deleted) return new Map();
  if (kind === "attribute") return toKeys(await findAttributes(view, ids));
  const objects = await findObjects(view, kind, [...ids.keys()]);
  if (kind === "type") keepTypes(objects as readonly Type[]);
  return toKeys(objects);
}

function toKeys(objects: readonly { readonly id: string; readonly key: string }[]): ReadonlyMap<string, string> {
  return new Map(objects.map(({ id, key }) => [id, key]));
}

async function findObjects<N extends KindName>(
  view: ReadView,
  kind: N,
  ids: readonly string[],
): Promise<readonly ObjectByKind[N][]> {
  const limit = ids.length * ROWS_PER_ID;
  const items = ids.length > FEW ? (await view.list(kind, undefined, { limit })).items : [];
  const isListed = new Set(items.map(({ id }) => id));
  const others = ids.filter((id) => !isListed.has(id));
  const hits = await mapConcurrently(others, PARALLEL, (value) => view.find(kind, { scheme: "id", value }));
  return [...items, ...hits.filter((one) => one !== undefined)];
}

/** Finds attributes in a short list, and missing ones in the lists of their owners. */
async function findAttributes(
  view: ReadView,
  ownerOf: ReadonlyMap<string, string | undefined>,
): Promise<readonly Attribute[]> {
  // Without an owner the whole model has to be read.
  if ([...ownerOf.values()].includes(undefined)) {
    return [...(await view.readObjects())].filter((one) => one.kind === "attribute");
  }
  const owners = (ids: Iterable<string>) => [...new Set([...ids].flatMap((id) => ownerOf.get(id) ?? []))];
  const all = owners(ownerOf.keys());
  const limit = all.length * ROWS_PER_OWNER;
  const items = all.length > FEW ? (await view.list("attribute", undefined, { limit })).items : [];
  const isListed = new Set(items.map(({ id }) => id));
  const others = owners([...ownerOf.keys()].filter((id) => !isListed.has(id)));
  const lists = await mapConcurrently(others, PARALLEL, async (owner) => (await view.list("attribute", owner)).items);
  return [...items, ...lists.flat()].filter(({ id, owner }) => ownerOf.get(id) === owner);
}

/** Keys of tag groups, and of global tags as refs write them: `<group>/<tag>`. */
async function findTagKeys(
  kind: KindName,
  ids: readonly string[],
  tags: ReadView,
): Promise<ReadonlyMap<string, string>> {
  if (kind === "tag_group") return toKeys(await findObjects(tags, kind, ids));
  const objects = await findObjects(tags, "global_tag", ids);
  const groups = toKeys(await findObjects(tags, "tag_group", [...new Set(objects.map(({ owner }) => owner))]));
  return new Map(
    objects.flatMap(({ id, key, owner }) => {
      const group = groups.get(owner);
      return group === undefined ? [] : [[id, `${group}/${key}`] as const];
    }),
  );
}

/** Names of actors and API tokens, and keys of roles: for administrators, who may list them, and of the caller. */
async function findAccountNames(
  kind: KindName,
  ids: readonly string[],
  { view, accounts, call: { principal } }: NameSources,
): Promise<ReadonlyMap<string, string>> {
  const own = principal && ids.includes(principal.actorId) ? [[principal.actorId, principal.fullname] as const] : [];
  const others = ids.filter((id) => id !== principal?.actorId);
  if (others.length === 0 || !principal?.permissions.has("admin")) return new Map(own);
  const ledger = view?.ledgerId === IDENTITY_LEDGER ? view : await accounts();
  const objects = await findObjects(ledger, kind, others);
  return new Map([...own, ...objects.map((one) => [one.id, getAccountName(one)] as const)]);
}

function getAccountName(one: ObjectByKind[KindName]) {
  if (one.kind === "actor") return one.fullname;
  return one.kind === "api_token" ? one.name : one.key;
}

async function findModelKeys(ids: readonly string[], { open }: NameSources): Promise<ReadonlyMap<string, string>> {
  const keys = await mapConcurrently(ids, PARALLEL, async (value) => {
    try {
      return (await open({ scheme: "id", value })).modelKey;
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") return undefined;
      throw error;
    }
  });
  return new Map(ids.flatMap((id, i) => (keys[i] === undefined ? [] : [[id, keys[i]] as const])));
}
