import type { KindName } from "../kinds.ts";
import { type AnyObject, getOwnerId } from "../model/objects.ts";
import { matchesWildcards } from "../refs.ts";
import type { UndoSelection } from "../values/undo-selection.ts";

/** Commit of a change, as far as a selection asks for it. */
interface Origin {
  readonly actor?: string;
  readonly run?: string;
}

/** Place of a change: an object with the objects that own it, and a slot of it; "" for its existence. */
interface ChangedSlot {
  readonly id: string;
  readonly owner: string | undefined;
  readonly kind: KindName;
  /** Keys of the object and its owner, now or last. */
  readonly path: string;
  readonly slot: string;
}

/** Tests whether a change of a commit is selected. */
export type ChangeTest = (object: AnyObject, slot: string, origin: Origin) => boolean;

/** Creates the test of what `select` has and `except` does not. `last` has each object as it is, or was last. */
export function createChangeTest(
  last: ReadonlyMap<string, AnyObject>,
  { select, except }: { readonly select?: UndoSelection | undefined; readonly except?: UndoSelection | undefined },
): ChangeTest {
  if (!select && !except) return () => true;
  return ({ id, kind, ...object }, slot, origin) => {
    const owner = getOwnerId({ id, kind, ...object } as AnyObject);
    const place = { id, owner, kind, path: formatPath(last.get(id), last), slot };
    return (!select || fits(select, place, origin)) && !(except && fits(except, place, origin));
  };
}

/** Returns the keys of an object and of the entity or relationship of an attribute, such as `customer.email`. */
function formatPath(object: AnyObject | undefined, last: ReadonlyMap<string, AnyObject>): string {
  const owner = object?.kind === "attribute" ? last.get(object.owner) : undefined;
  return `${owner ? `${owner.key}.` : ""}${object?.key ?? ""}`;
}

function fits(selection: UndoSelection, { id, owner = id, kind, path, slot }: ChangedSlot, origin: Origin): boolean {
  const { objects, paths, members, authors, runs } = selection;
  const kinds: readonly KindName[] | undefined = selection.kinds;
  return (
    (!objects || objects.includes(id) || objects.includes(owner)) &&
    (!kinds || kinds.includes(kind)) &&
    (!paths || paths.some((pattern) => matchesWildcards(pattern, path))) &&
    (!members || members.some((member) => slot === member || slot.startsWith(`${member}.`))) &&
    (!authors || authors.includes(origin.actor ?? "")) &&
    (!runs || runs.includes(origin.run ?? ""))
  );
}
