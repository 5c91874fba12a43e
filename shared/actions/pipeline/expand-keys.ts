import type * as z from "zod/mini";
import { KINDS, type KindName } from "../../domain/kinds.ts";
import type { Attribute, ObjectByKind } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Action, Reading } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { type AnsweredRow, getExpander, type ObjectReference, type LookUpName } from "../contract/expanded-members.ts";
import type { Store } from "../contract/store.ts";
import { IDENTITY_LEDGER, type ReadView } from "../contract/view.ts";

/** A reading with the members that `expand=keys` adds: keys and names beside the ids that its answer shows. */
export async function expandKeys(action: Action, reading: Reading, sources: NameSources): Promise<Reading> {
  const schema = action.output.schema();
  const wanted: ObjectReference[] = [];
  // The first round only asks for names, so that they are read together.
  expanded(schema, reading.body, (named) => {
    wanted.push(named);
    return undefined;
  });
  const nameOf = await namesOf(wanted, sources);
  // The form of the body is that of the schema, with some more members.
  return { ...reading, body: expanded(schema, reading.body, nameOf) } as Reading;
}

/** A value of a schema with all its rows expanded. */
function expanded(schema: z.core.$ZodType, value: unknown, nameOf: LookUpName): unknown {
  // Every schema is of one of these types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional") return expanded(def.innerType, value, nameOf);
  if (def.type === "array" && Array.isArray(value)) return value.map((one) => expanded(def.element, one, nameOf));
  if (def.type === "object" && isRow(value)) return expandedRow(def.shape, value, nameOf);
  return value;
}

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null;
}

/** A row with each member that is only expanded where the schema has it. */
function expandedRow(shape: z.core.$ZodShape, row: AnsweredRow, nameOf: LookUpName): AnsweredRow {
  const shown: Record<string, unknown> = {};
  for (const [member, schema] of Object.entries(shape)) {
    const expanding = getExpander(schema);
    const value = expanding ? expanding(row, nameOf) : expanded(schema, row[member], nameOf);
    if (value !== undefined) shown[member] = value;
  }
  // A row may have members that no schema tells.
  return { ...shown, ...without(row, shown) };
}

function without(row: AnsweredRow, shown: AnsweredRow): AnsweredRow {
  return Object.fromEntries(Object.entries(row).filter(([member]) => !Object.hasOwn(shown, member)));
}

/** The ledgers in which names are looked up for one answer, and the caller that they are shown to. */
export interface NameSources {
  /** The ledger that the call addresses; undefined where it addresses none. */
  readonly view: ReadView | undefined;
  readonly tags: () => Promise<ReadView>;
  /** The ledger of users, actors and roles at its newest revision; names in it may change without an entity tag. */
  readonly accounts: () => Promise<ReadView>;
  /** Opens a model, as far as it is shown to the caller. */
  readonly open: Store["open"];
  readonly call: Call;
}

/** Up to so many objects of a kind are looked up one by one. */
const FEW = 3;
/** The rows of a list that cost no more than looking up one id. */
const ROWS_PER_ID = 4;
/** The rows of the list of all attributes that cost no more than the attributes of one owner. */
const ROWS_PER_OWNER = 40;
/** Look-ups at the same time. */
const LANES = 8;

/** Looks up the names of all these objects, each at most once, and answers how to get them. */
async function namesOf(wanted: readonly ObjectReference[], sources: NameSources): Promise<LookUpName> {
  const wantedOf = new Map<KindName, Map<string, string | undefined>>();
  for (const { kinds, id, owner } of wanted) {
    for (const kind of kinds) {
      const ids = wantedOf.get(kind) ?? new Map<string, string | undefined>();
      wantedOf.set(kind, ids.set(id, ids.get(id) ?? owner));
    }
  }
  const looking = [...wantedOf].map(async ([kind, ids]) => [kind, await namesOfKind(kind, ids, sources)] as const);
  const found = new Map(await Promise.all(looking));
  return ({ kinds, id }) => kinds.map((kind) => found.get(kind)?.get(id)).find((name) => name !== undefined);
}

/** Names of objects of a kind by id; of attributes each id comes with its owner where that is known. */
async function namesOfKind(
  kind: KindName,
  ids: ReadonlyMap<string, string | undefined>,
  sources: NameSources,
): Promise<ReadonlyMap<string, string>> {
  if (kind === "model") return modelKeys([...ids.keys()], sources);
  const { ledger } = KINDS[kind];
  if (ledger === "identity") return accountNames(kind, [...ids.keys()], sources);
  if (ledger === "tags") return keysOfTags(kind, [...ids.keys()], await sources.tags());
  const { view } = sources;
  // Of a deleted model nothing is there any more.
  if (!view || view.deleted) return new Map();
  return keysOf(kind === "attribute" ? await attributes(view, ids) : await objectsOf(view, kind, [...ids.keys()]));
}

function keysOf(objects: readonly { readonly id: string; readonly key: string }[]): ReadonlyMap<string, string> {
  return new Map(objects.map(({ id, key }) => [id, key]));
}

/** Objects of a kind by their ids: from a short list, and what that lacks one by one. */
async function objectsOf<N extends KindName>(
  view: ReadView,
  kind: N,
  ids: readonly string[],
): Promise<readonly ObjectByKind[N][]> {
  const limit = ids.length * ROWS_PER_ID;
  const listed = ids.length > FEW ? (await view.list(kind, undefined, { limit })).items : [];
  const isListed = new Set(listed.map(({ id }) => id));
  const others = ids.filter((id) => !isListed.has(id));
  const found = await mapConcurrently(others, LANES, (value) => view.find(kind, { scheme: "id", value }));
  return [...listed, ...found.filter((one) => one !== undefined)];
}

/** Attributes by their ids and owners: from a short list, and what that lacks among those of its owner. */
async function attributes(view: ReadView, ownerOf: ReadonlyMap<string, string | undefined>): Promise<readonly Attribute[]> {
  // Without an owner only a look at the whole model tells.
  if ([...ownerOf.values()].includes(undefined)) {
    return [...(await view.readObjects())].filter((one) => one.kind === "attribute");
  }
  const owners = (ids: Iterable<string>) => [...new Set([...ids].flatMap((id) => ownerOf.get(id) ?? []))];
  const all = owners(ownerOf.keys());
  const limit = all.length * ROWS_PER_OWNER;
  const listed = all.length > FEW ? (await view.list("attribute", undefined, { limit })).items : [];
  const isListed = new Set(listed.map(({ id }) => id));
  const others = owners([...ownerOf.keys()].filter((id) => !isListed.has(id)));
  const found = await mapConcurrently(others, LANES, async (owner) => (await view.list("attribute", owner)).items);
  return [...listed, ...found.flat()].filter(({ id, owner }) => ownerOf.get(id) === owner);
}

/** Keys of tag groups, and of global tags as refs write them: `<group>/<tag>`. */
async function keysOfTags(kind: KindName, ids: readonly string[], tags: ReadView): Promise<ReadonlyMap<string, string>> {
  if (kind === "tag_group") return keysOf(await objectsOf(tags, kind, ids));
  const found = await objectsOf(tags, "global_tag", ids);
  const groups = keysOf(await objectsOf(tags, "tag_group", [...new Set(found.map(({ owner }) => owner))]));
  return new Map(
    found.flatMap(({ id, key, owner }) => {
      const group = groups.get(owner);
      return group === undefined ? [] : [[id, `${group}/${key}`] as const];
    }),
  );
}

/** Names of actors and API tokens, and keys of roles: for administrators, who may list them, and of the caller. */
async function accountNames(
  kind: KindName,
  ids: readonly string[],
  { view, accounts, call: { principal } }: NameSources,
): Promise<ReadonlyMap<string, string>> {
  const own = principal && ids.includes(principal.actorId) ? [[principal.actorId, principal.fullname] as const] : [];
  const others = ids.filter((id) => id !== principal?.actorId);
  if (others.length === 0 || !principal?.permissions.has("admin")) return new Map(own);
  const ledger = view?.ledgerId === IDENTITY_LEDGER ? view : await accounts();
  const found = await objectsOf(ledger, kind, others);
  return new Map([...own, ...found.map((one) => [one.id, nameOfAccount(one)] as const)]);
}

function nameOfAccount(one: ObjectByKind[KindName]): string {
  if (one.kind === "actor") return one.fullname;
  return one.kind === "api_token" ? one.name : one.key;
}

/** Keys of the models that are shown to the caller. */
async function modelKeys(ids: readonly string[], { open }: NameSources): Promise<ReadonlyMap<string, string>> {
  const found = await mapConcurrently(ids, LANES, async (value) => {
    try {
      return (await open({ scheme: "id", value })).modelKey;
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") return undefined;
      throw error;
    }
  });
  return new Map(ids.flatMap((id, i) => (found[i] === undefined ? [] : [[id, found[i]] as const])));
}
