import { KINDS, type KindName } from "../../domain/kinds.ts";
import { type Change, createChange, deleteChange } from "../../domain/model/changes.ts";
import { type AnyObject, getOwnerId, type TagIds } from "../../domain/model/objects.ts";
import { isSameValue } from "../../domain/text/json-values.ts";

/** The net change of one object. `before` is its state in the table, `after` its state after the batch. */
interface NetChange {
  readonly before?: AnyObject;
  readonly after?: AnyObject;
  readonly hasDependents: boolean;
}

/** The net effect of any number of changes on the objects of one ledger. */
export class StagedObjects {
  /** Ids of the objects that the batch created and removed again. */
  readonly deadIds = new Set<string>();
  readonly #changes = new Map<string, NetChange>();
  readonly #deleted = new Set<string>();
  /** The existing objects in the places of keys that the batch takes over. */
  readonly #orphans = new Map<string, AnyObject>();
  readonly #byKey = new Map<string, AnyObject>();
  readonly #byScope = new Map<string, Map<string, AnyObject>>();
  readonly #owned = new Map<string, Set<string>>();

  stage(change: Change): void {
    if (change.does === "delete") {
      this.#stageDelete(change.before, change.hasDependents);
      return;
    }
    const { after, replaces } = change;
    if (replaces) this.#orphans.set(toObjectPath(after), replaces);
    const entry = this.#changes.get(after.id);
    const before = entry ? entry.before : change.does === "update" ? change.before : undefined;
    this.#set(after.id, { ...(before && { before }), after, hasDependents: false });
  }

  has(id: string): boolean {
    return this.#changes.has(id);
  }

  get(id: string): AnyObject | undefined {
    return this.#changes.get(id)?.after;
  }

  findByKey(kind: KindName, owner: string | undefined, key: string): AnyObject | undefined {
    return this.#byKey.get(toKeyPath(kind, owner, key));
  }

  listKind(kind: KindName, owner: string | undefined): readonly AnyObject[] {
    if (KINDS[kind].owned && owner === undefined) return this.listAll().filter((object) => object.kind === kind);
    return [...(this.#byScope.get(toScopePath(kind, owner))?.values() ?? [])];
  }

  listAll(): readonly AnyObject[] {
    return [...this.#changes.values()].flatMap(({ after }) => after ?? []);
  }

  countObjects(): number {
    return this.#changes.size;
  }

  isGone(id: string | undefined): boolean {
    return id !== undefined && this.#deleted.has(id);
  }

  isNew(id: string): boolean {
    const change = this.#changes.get(id);
    return change?.after !== undefined && change.before === undefined;
  }

  /** Returns a change for each object that differs from the table. Links to the tags in `deadTags` are removed. */
  listChanges(deadTags: ReadonlySet<string>): readonly Change[] {
    const all = [...this.#changes.values()];
    // A model that is deleted takes all its objects with it.
    const root = all.find(({ before, after }) => before?.kind === "model" && !after);
    return (root ? [root] : all).flatMap((change) => this.#toChanges(change, deadTags));
  }

  #toChanges(change: NetChange, deadTags: ReadonlySet<string>): readonly Change[] {
    const { before, hasDependents } = change;
    const after = change.after && removeTagLinks(change.after, deadTags);
    if (!after) return before ? [deleteChange(before, hasDependents)] : [];
    const orphan = this.#orphans.get(toObjectPath(after));
    if (!before) return [createChange(after, orphan)];
    if (isSameValue(before, after)) return [];
    const moves = toObjectPath(before) !== toObjectPath(after);
    return [{ does: "update", before, after, ...(moves && orphan && { replaces: orphan }) }];
  }

  #stageDelete(object: AnyObject, hasDependents: boolean): void {
    const { id } = object;
    const entry = this.#changes.get(id);
    const before = entry ? entry.before : object;
    this.#deleted.add(id);
    if (before) this.#set(id, { before, hasDependents });
    else this.#vanish(id);
    // A model that the batch created takes everything with it; for an existing one, `listChanges` leaves out the rest.
    if (!before && object.kind === "model") for (const one of [...this.#changes.keys()]) this.#vanish(one);
    this.#removeOwned(id);
  }

  #set(id: string, change: NetChange | undefined): void {
    this.#removeFromIndexes(id);
    if (!change) {
      this.#changes.delete(id);
      return;
    }
    this.#changes.set(id, change);
    const { after } = change;
    if (!after) return;
    this.#byKey.set(toObjectPath(after), after);
    const owner = getOwnerId(after);
    getOrCreate(this.#byScope, toScopePath(after.kind, owner), () => new Map()).set(id, after);
    if (owner !== undefined) getOrCreate(this.#owned, owner, () => new Set()).add(id);
  }

  #removeFromIndexes(id: string): void {
    const last = this.get(id);
    if (!last) return;
    const path = toObjectPath(last);
    const owner = getOwnerId(last);
    if (this.#byKey.get(path)?.id === id) this.#byKey.delete(path);
    this.#byScope.get(toScopePath(last.kind, owner))?.delete(id);
    this.#owned.get(owner ?? "")?.delete(id);
  }

  /** Removes the objects of an owner. Created ones vanish; existing ones are left to the sweeper. */
  #removeOwned(owner: string): void {
    for (const id of [...(this.#owned.get(owner) ?? [])]) {
      const before = this.#changes.get(id)?.before;
      if (!before) this.#vanish(id);
      else this.#set(id, getOwnerId(before) === owner ? undefined : { before, hasDependents: false });
      this.#removeOwned(id);
    }
  }

  #vanish(id: string): void {
    this.deadIds.add(id);
    this.#set(id, undefined);
  }
}

/** Removes links to tags that the batch created and deleted: nothing would sweep them. */
function removeTagLinks(object: AnyObject, deadTags: ReadonlySet<string>): AnyObject {
  if (deadTags.size === 0) return object;
  // Kinds that cannot have tags have neither field.
  const { tags, globalTags, ...others } = object as AnyObject & TagIds;
  const keep = (ids: readonly string[] | undefined) => ids?.filter((id) => !deadTags.has(id));
  const links = Object.entries({ tags: keep(tags), globalTags: keep(globalTags) });
  // An object with fewer tags is of the same kind.
  return { ...others, ...Object.fromEntries(links.filter(([, ids]) => ids && ids.length > 0)) } as AnyObject;
}

function toScopePath(kind: KindName, owner: string | undefined) {
  return KINDS[kind].owned ? `${kind} ${owner}` : kind;
}

function toKeyPath(kind: KindName, owner: string | undefined, key: string) {
  return kind === "model" ? kind : `${toScopePath(kind, owner)} ${key}`;
}

function toObjectPath(object: AnyObject) {
  return toKeyPath(object.kind, getOwnerId(object), object.key);
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const hit = map.get(key);
  if (hit !== undefined) return hit;
  const value = create();
  map.set(key, value);
  return value;
}
