import { type Change, createChange, deleteChange, updateChanges } from "./changes.ts";
import { compareByKey, listObjects, type ModelContent } from "./content.ts";
import { type AnyObject, getOwnerId, type Model, type Tagged } from "./objects.ts";

/** A part of an object that cannot come back as it was. */
export interface RestoreLoss {
  /** The object it is about. */
  readonly id: string;
  readonly detail: string;
}

/** The changes that bring a model back to an earlier state, and the losses that remain. */
export interface Restoration {
  readonly changes: readonly Change[];
  readonly losses: readonly RestoreLoss[];
}

/** The events outside of the model since the state to come back to. */
export interface RestoreContext {
  /** True when the key the model had then belongs to another model. */
  readonly keyTaken: boolean;
  /** Ids of global tags that objects were linked to then and that are gone. */
  readonly lostTags: ReadonlySet<string>;
}

/** Finds the changes from one state of a model to an earlier one, object by object; equal objects are not kept. */
export interface Restorer {
  /** Takes an object of the earlier state, of which each comes once, in any order. */
  add(then: AnyObject): void;
  /** The model then, once all is taken. */
  getModel(): Model;
  /** Ids of the global tags that objects were linked to then. */
  listGlobalTagIds(): readonly string[];
  /**
   * The changes that lead to the earlier state. Objects come back under their ids; the version stays, because it names the
   * highest release. A member that can no longer be as it was stays as it is, and is a loss.
   */
  finish(since: RestoreContext): Restoration;
}

/** An object of the earlier state with its changes, if there are any. */
interface Taken {
  readonly object: AnyObject;
  readonly changes: readonly Change[];
}

/** Begins with the state that the model is in. */
export function createRestorer(current: ModelContent): Restorer {
  const now = new Map(listObjects(current).map((object) => [object.id, object]));
  const kept = new Set<string>();
  /** The entities and relationships of the earlier state, by id. */
  const owners = new Map<string, AnyObject>();
  const changed: Taken[] = [];
  const tagged: AnyObject[] = [];
  let model: Model | undefined;

  const take = (then: AnyObject): void => {
    kept.add(then.id);
    if (then.kind === "model") {
      model = then;
      return;
    }
    const before = now.get(then.id);
    const changes = before ? replaceMembers(before, then) : [createChange(then)];
    // Of two equal objects one is enough.
    const object = before && changes.length === 0 ? before : then;
    if (object === then) changed.push({ object, changes });
    if (getGlobalTagIds(object).length > 0) tagged.push(object);
    if (then.kind === "entity" || then.kind === "relationship") owners.set(then.id, object);
  };

  const modelThen = (): Model => {
    if (!model) throw new Error(`the model ${current.model.id} was not in its earlier state`);
    return model;
  };

  return {
    add: take,
    getModel: modelThen,
    listGlobalTagIds: () => [...new Set([modelThen(), ...tagged].flatMap(getGlobalTagIds))],
    finish: (since) => {
      const losses: RestoreLoss[] = [];
      const root = restoreModel(modelThen(), current.model, since, losses);
      const order = createComparator(owners);
      const lived = (object: AnyObject): boolean =>
        owners.has(getOwnerId(object) ?? "") || getOwnerId(object) === undefined;
      losses.push(...listLostTagLinks(root, since));
      for (const object of tagged.filter(lived).sort(order)) losses.push(...listLostTagLinks(object, since));
      const back = changed.filter(({ object }) => lived(object)).sort((a, b) => order(a.object, b.object));
      const gone = [...now.values()].filter((object) => !kept.has(object.id) || !lived(object));
      return {
        changes: [
          ...replaceMembers(current.model, root),
          ...back.flatMap(({ changes }) => changes),
          ...gone.map((object) => deleteChange(object, false)),
        ],
        losses,
      };
    },
  };
}

/** The kinds in the order in which a restoration tells of them. */
const KIND_ORDER = ["type", "entity", "relationship", "business_key", "tag", "attribute"];

/** The order of a model's content: kind after kind by key, and attributes owner after owner as they were made. */
function createComparator(owners: ReadonlyMap<string, AnyObject>): (a: AnyObject, b: AnyObject) => number {
  const sorted = [...owners.values()].sort((a, b) => rankKind(a) - rankKind(b) || compareByKey(a, b));
  const places = new Map(sorted.map(({ id }, i) => [id, i]));
  return (a, b) => {
    if (a.kind !== "attribute" || b.kind !== "attribute") return rankKind(a) - rankKind(b) || compareByKey(a, b);
    return (places.get(a.owner) ?? 0) - (places.get(b.owner) ?? 0) || a.order - b.order;
  };
}

function rankKind({ kind }: AnyObject): number {
  return KIND_ORDER.indexOf(kind);
}

/** Ids of the global tags that an object is linked to; kinds that cannot have tags have none. */
function getGlobalTagIds(object: AnyObject): readonly string[] {
  return (object as Tagged).globalTags ?? [];
}

/** The loss of links to tags that are gone; the links stay in the object, where every reader skips them. */
function listLostTagLinks(object: AnyObject, { lostTags }: RestoreContext): readonly RestoreLoss[] {
  const count = getGlobalTagIds(object).filter((id) => lostTags.has(id)).length;
  if (count === 0) return [];
  const detail = `${object.kind} ${object.key}: ${count} global tag(s) it was marked with are gone`;
  return [{ id: object.id, detail }];
}

function restoreModel(then: Model, current: Model, { keyTaken }: RestoreContext, losses: RestoreLoss[]): Model {
  const loses = (detail: string): number => losses.push({ id: then.id, detail });
  if (then.version !== current.version) {
    loses(`the version stays ${current.version}: it was ${then.version} then, and versions never go back`);
  }
  if (keyTaken) loses(`the key stays ${current.key}: another model has ${then.key} now`);
  return { ...then, version: current.version, key: keyTaken ? current.key : then.key };
}

/** The update from one state of an object to another; members that the other does not have are cleared. */
function replaceMembers(before: AnyObject, after: AnyObject): readonly Change[] {
  const { kind: _k, id: _i, revision: _r, ...fields } = after;
  const cleared = Object.keys(before).filter((name) => !(name in after));
  return updateChanges<AnyObject>(before, {
    ...Object.fromEntries(cleared.map((name) => [name, undefined])),
    ...fields,
  });
}
