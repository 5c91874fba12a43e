import type { KindName } from "../../../../shared/domain/kinds.ts";
import type { RefPast } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { imagesOf } from "./images.ts";
import type { RefMarked, RefModel, RefRole } from "./objects.ts";
import { byKey } from "./state.ts";

/** One object. Its slots are JSON texts: its members, each property, tag and role by itself, and `""` while it exists. */
export interface Piece {
  readonly kind: KindName;
  readonly slots: ReadonlyMap<string, string>;
}

/** A whole model, object by object. */
export type Pieces = ReadonlyMap<string, Piece>;

type Entries = readonly (readonly [part: string, value: unknown])[];

const asSet = (ids: readonly string[]): Entries => ids.map((id) => [id, true]);
/** The members whose parts are slots. */
const PARTS: Readonly<Record<string, (value: never) => Entries>> = {
  properties: (all: object) => Object.entries(all),
  tags: asSet,
  globalTags: asSet,
  roles: (all: readonly RefRole[]) => all.map((role) => [role.id, role]),
};
const NEVER_UNDONE: ReadonlySet<string> = new Set(["version", "authority"]);

const taken = new WeakMap<RefModel, Pieces>();

/** Takes a model to pieces; none of a model that is not there. */
export function piecesOf(model: RefModel | undefined): Pieces {
  const known = model && taken.get(model);
  if (known || !model) return known ?? new Map();
  const pieces = new Map<string, Piece>();
  for (const [id, { kind, members }] of imagesOf(model)) {
    const slots = Object.entries(members).flatMap(([name, value]): [string, string][] => {
      if (NEVER_UNDONE.has(name)) return [];
      const parts = Object.hasOwn(PARTS, name) ? PARTS[name]?.(value as never) : undefined;
      return parts ? parts.map(([part, one]) => [`${name}.${part}`, jsonOf(one)]) : [[name, jsonOf(value)]];
    });
    pieces.set(id, { kind, slots: new Map([["", "true"], ...slots]) });
  }
  taken.set(model, pieces);
  return pieces;
}

/** The roles of a relationship, in the order in which they were made: that of their first appearance. */
export function rolesIn(id: string, { slots }: Piece, past: RefPast): readonly RefRole[] {
  const order = new Set(past.flatMap(({ model }) => [...(piecesOf(model).get(id)?.slots.keys() ?? [])]));
  return [...order].flatMap((name) => (name.startsWith("roles.") && slots.has(name) ? readSlot(slots, name) : []));
}

export function readSlot<T>(slots: Piece["slots"], name: string): T[] {
  const text = slots.get(name);
  return text === undefined ? [] : [JSON.parse(text)].flat();
}

/** Puts a model together; its revision, version and authority stay. */
export function modelOfPieces(pieces: Pieces, past: RefPast, now: RefModel): RefModel {
  const all = [...pieces].map(([id, piece]) => ({ kind: piece.kind, object: { id, ...membersOf(id, piece, past) } }));
  // Its members are those of its kind.
  const list = <T>(kind: KindName) => all.flatMap((one) => (one.kind === kind ? [one.object as unknown as T] : []));
  const attributes = list<Owned>("attribute").sort((a, b) => a.order - b.order || byKey(a, b));
  const within = <T extends RefModel["entities"][number] | RefModel["relationships"][number]>(holder: T): T => ({
    ...holder,
    attributes: attributes.filter(({ owner }) => owner === holder.id).map(({ owner: _, ...one }) => one),
  });
  const [own] = list<RefModel>("model");
  if (!own) throw new Error("an undo leaves the model");
  return {
    ...{ ...own, revision: now.revision, version: now.version, authority: now.authority },
    types: list("type"),
    entities: list<RefModel["entities"][number]>("entity").map(within),
    relationships: list<RefModel["relationships"][number]>("relationship").map(within),
    businessKeys: list("business_key"),
    localTags: list("tag"),
  };
}

type Owned = RefModel["entities"][number]["attributes"][number] & { readonly owner: string };

const MARKED: ReadonlySet<KindName> = new Set<KindName>(["model", "entity", "relationship", "attribute"]);
const NO_MARKS: RefMarked = { tags: [], globalTags: [] };

function membersOf(id: string, piece: Piece, past: RefPast): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = { ...(MARKED.has(piece.kind) && NO_MARKS) };
  const properties: Record<string, unknown> = {};
  for (const [name, text] of [...piece.slots].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [member = "", ...rest] = name.split(".");
    const part = rest.join(".");
    if (member === "properties") properties[part] = JSON.parse(text);
    else if (member === "tags" || member === "globalTags") members[member] = [...(members[member] as string[]), part];
    else if (member !== "" && member !== "roles") members[member] = JSON.parse(text);
  }
  if (Object.keys(properties).length > 0) members.properties = properties;
  if (typeof members.key !== "string") throw new Error(`an undo leaves ${id} without a key`);
  if (piece.kind === "relationship") members.roles = rolesIn(id, piece, past);
  return members;
}
