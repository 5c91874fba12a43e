import { KINDS, type KindName } from "../../domain/kinds.ts";
import { type Change, createChange, deleteChange } from "../../domain/model/changes.ts";
import { type AnyObject, getOwnerId, type Tagged } from "../../domain/model/objects.ts";
import { isSameValue } from "../../domain/text/json-values.ts";

/**
 * The net change of one object: `before` as it is in the table, `after` as it will be, each absent where there is none.
 */
interface NetChange {
  readonly before?: AnyObject;
  readonly after?: AnyObject;
  readonly hasDependents: boolean;
}

/** The net effect of changes on the objects of one ledger, whatever their order and number. */
export interface StagedObjects {
  /** Folds one more change in. */
  stage(change: Change): void;
  /** True for an object that a change concerns, which the table no longer shows as it is. */
  has(id: string): boolean;
  /** A staged object by id. */
  get(id: string): AnyObject | undefined;
  /** The staged object at a key. */
  findByKey(kind: KindName, owner: string | undefined, key: string): AnyObject | undefined;
  /** The staged objects of a kind, of one owner where one is given. */
  listKind(kind: KindName, owner: string | undefined): readonly AnyObject[];
  listAll(): readonly AnyObject[];
  /** How many objects changes concern. */
  countObjects(): number;
  /** True for an object that was deleted. */
  isGone(id: string | undefined): boolean;
  /** True for an object that the batch made. */
  isNew(id: string): boolean;
  /** Ids of objects that the batch made and removed again. */
  readonly vanished: ReadonlySet<string>;
  /** One change per object that ends otherwise than it began; tags of these ids are taken off. */
  listChanges(deadTags: ReadonlySet<string>): readonly Change[];
}

/** A set of staged objects, empty at first. */
export function createStagedObjects(): StagedObjects {
  const net = new Map<string, NetChange>();
  const places = new Map<string, AnyObject>();
  const scopes = new Map<string, Map<string, AnyObject>>();
  const owned = new Map<string, Set<string>>();
  const orphans = new Map<string, AnyObject>();
  const gone = new Set<string>();
  const vanished = new Set<string>();

  /** Gives an object its net change; `undefined` takes away the one it had. */
  const settle = (id: string, change: NetChange | undefined): void => {
    const last = net.get(id)?.after;
    if (last) {
      if (places.get(placeOf(last))?.id === id) places.delete(placeOf(last));
      scopes.get(scopeOf(last))?.delete(id);
      owned.get(getOwnerId(last) ?? "")?.delete(id);
    }
    if (!change) {
      net.delete(id);
      return;
    }
    net.set(id, change);
    const { after } = change;
    if (!after) return;
    places.set(placeOf(after), after);
    inner(scopes, scopeOf(after), () => new Map()).set(id, after);
    const owner = getOwnerId(after);
    if (owner !== undefined) inner(owned, owner, () => new Set()).add(id);
  };

  /**
   * Removes the objects of an owner with it: those made here vanish, those that were there before are left to the
   * sweeper.
   */
  const takeOwned = (owner: string): void => {
    for (const id of [...(owned.get(owner) ?? [])]) {
      const before = net.get(id)?.before;
      if (!before) vanish(id);
      else settle(id, getOwnerId(before) === owner ? undefined : { before, hasDependents: false });
      takeOwned(id);
    }
  };

  const vanish = (id: string): void => {
    vanished.add(id);
    settle(id, undefined);
  };

  const all = (): AnyObject[] => [...net.values()].flatMap(({ after }) => after ?? []);

  return {
    stage: (change) => {
      if (change.does === "delete") {
        const { id } = change.before;
        const known = net.get(id);
        const before = known ? known.before : change.before;
        gone.add(id);
        if (before) settle(id, { before, hasDependents: change.hasDependents });
        else vanish(id);
        // A model that was made here takes everything with it; of one that was there before, `changes` tells no more.
        if (!before && change.before.kind === "model") for (const one of [...net.keys()]) vanish(one);
        takeOwned(id);
        return;
      }
      const { after, replaces } = change;
      if (replaces) orphans.set(placeOf(after), replaces);
      const known = net.get(after.id);
      const before = known ? known.before : change.does === "update" ? change.before : undefined;
      settle(after.id, { ...(before && { before }), after, hasDependents: false });
    },
    has: (id) => net.has(id),
    get: (id) => net.get(id)?.after,
    findByKey: (kind, owner, key) => places.get(placeAt(kind, owner, key)),
    listKind: (kind, owner) => {
      if (KINDS[kind].owned && owner === undefined) return all().filter((object) => object.kind === kind);
      return [...(scopes.get(scopeAt(kind, owner))?.values() ?? [])];
    },
    listAll: all,
    countObjects: () => net.size,
    isGone: (id) => id !== undefined && gone.has(id),
    isNew: (id) => net.get(id)?.after !== undefined && net.get(id)?.before === undefined,
    vanished,
    listChanges: (deadTags) => {
      const root = [...net.values()].find(({ before, after }) => before?.kind === "model" && !after);
      // A model that is removed takes all its objects with it.
      const ends = root ? [root] : [...net.values()];
      return ends.flatMap((change) => changeOf(change, deadTags, orphans));
    },
  };
}

function changeOf(
  change: NetChange,
  deadTags: ReadonlySet<string>,
  orphans: ReadonlyMap<string, AnyObject>,
): readonly Change[] {
  const { before, hasDependents } = change;
  const after = change.after && withoutTags(change.after, deadTags);
  if (!after) return before ? [deleteChange(before, hasDependents)] : [];
  const orphan = orphans.get(placeOf(after));
  if (!before) return [createChange(after, orphan)];
  if (isSameValue(before, after)) return [];
  const moves = placeOf(before) !== placeOf(after);
  return [{ does: "update", before, after, ...(moves && orphan && { replaces: orphan }) }];
}

/** An object without its links to tags that the batch removed again: no deletion would ever sweep those links. */
function withoutTags(object: AnyObject, dead: ReadonlySet<string>): AnyObject {
  if (dead.size === 0) return object;
  // Kinds that cannot be marked have neither field.
  const { tags, globalTags, ...others } = object as AnyObject & Tagged;
  const left = { tags: tags?.filter((id) => !dead.has(id)), globalTags: globalTags?.filter((id) => !dead.has(id)) };
  const kept = Object.entries(left).filter(([, ids]) => ids && ids.length > 0);
  // An object with fewer tags is of the same kind.
  return { ...others, ...Object.fromEntries(kept) } as AnyObject;
}

function scopeAt(kind: KindName, owner: string | undefined): string {
  return KINDS[kind].owned ? `${kind} ${owner}` : kind;
}

function placeAt(kind: KindName, owner: string | undefined, key: string): string {
  return kind === "model" ? kind : `${scopeAt(kind, owner)} ${key}`;
}

function scopeOf(object: AnyObject): string {
  return scopeAt(object.kind, getOwnerId(object));
}

function placeOf(object: AnyObject): string {
  return placeAt(object.kind, getOwnerId(object), object.key);
}

function inner<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
