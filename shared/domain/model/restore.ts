import { type Change, create, remove, update } from "./changes.ts";
import { byKey, type ModelContent, objectsOf } from "./content.ts";
import { type AnyObject, type Model, ownerOf, type Tagged } from "./objects.ts";

/** A part of an object that cannot come back as it was. */
export interface Loss {
  /** The object it is about. */
  readonly id: string;
  readonly detail: string;
}

/** The changes that bring a model back to an earlier state, and the losses that remain. */
export interface Restoration {
  readonly changes: readonly Change[];
  readonly losses: readonly Loss[];
}

/** The events outside of the model since the state to come back to. */
export interface Since {
  /** True when the key the model had then belongs to another model. */
  readonly keyTaken: boolean;
  /** Ids of global tags that objects were linked to then and that are gone. */
  readonly lostTags: ReadonlySet<string>;
}

/** Finds the changes from one state of a model to an earlier one, object by object; equal objects are not kept. */
export interface Restoring {
  /** Takes an object of the earlier state, of which each comes once, in any order. */
  take(then: AnyObject): void;
  /** The model then, once all is taken. */
  model(): Model;
  /** Ids of the global tags that objects were linked to then. */
  globalTags(): readonly string[];
  /**
   * The changes that lead to the earlier state. Objects come back under their ids; the version stays, because it names the
   * highest release. A member that can no longer be as it was stays as it is, and is a loss.
   */
  end(since: Since): Restoration;
}

/** An object of the earlier state with its changes, if there are any. */
interface Taken {
  readonly object: AnyObject;
  readonly changes: readonly Change[];
}

/** Begins with the state that the model is in. */
export function beginRestoration(current: ModelContent): Restoring {
  const now = new Map(objectsOf(current).map((object) => [object.id, object]));
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
    const changes = before ? replaced(before, then) : [create(then)];
    // Of two equal objects one is enough.
    const object = before && changes.length === 0 ? before : then;
    if (object === then) changed.push({ object, changes });
    if (globalTagsOf(object).length > 0) tagged.push(object);
    if (then.kind === "entity" || then.kind === "relationship") owners.set(then.id, object);
  };

  const modelThen = (): Model => {
    if (!model) throw new Error(`the model ${current.model.id} was not in its earlier state`);
    return model;
  };

  return {
    take,
    model: modelThen,
    globalTags: () => [...new Set([modelThen(), ...tagged].flatMap(globalTagsOf))],
    end: (since) => {
      const losses: Loss[] = [];
      const root = modelBack(modelThen(), current.model, since, losses);
      const order = orderBy(owners);
      const lived = (object: AnyObject): boolean => owners.has(ownerOf(object) ?? "") || ownerOf(object) === undefined;
      losses.push(...lostTagLinks(root, since));
      for (const object of tagged.filter(lived).sort(order)) losses.push(...lostTagLinks(object, since));
      const back = changed.filter(({ object }) => lived(object)).sort((a, b) => order(a.object, b.object));
      const gone = [...now.values()].filter((object) => !kept.has(object.id) || !lived(object));
      return {
        changes: [
          ...replaced(current.model, root),
          ...back.flatMap(({ changes }) => changes),
          ...gone.map((object) => remove(object, false)),
        ],
        losses,
      };
    },
  };
}

/** The kinds in the order in which a restoration tells of them. */
const KINDS = ["type", "entity", "relationship", "business_key", "tag", "attribute"];

/** The order of a model's content: kind after kind by key, and attributes owner after owner as they were made. */
function orderBy(owners: ReadonlyMap<string, AnyObject>): (a: AnyObject, b: AnyObject) => number {
  const sorted = [...owners.values()].sort((a, b) => rank(a) - rank(b) || byKey(a, b));
  const places = new Map(sorted.map(({ id }, i) => [id, i]));
  return (a, b) => {
    if (a.kind !== "attribute" || b.kind !== "attribute") return rank(a) - rank(b) || byKey(a, b);
    return (places.get(a.owner) ?? 0) - (places.get(b.owner) ?? 0) || a.order - b.order;
  };
}

function rank({ kind }: AnyObject): number {
  return KINDS.indexOf(kind);
}

/** Ids of the global tags that an object is linked to; kinds that cannot have tags have none. */
function globalTagsOf(object: AnyObject): readonly string[] {
  return (object as Tagged).globalTags ?? [];
}

/** The loss of links to tags that are gone; the links stay in the object, where every reader skips them. */
function lostTagLinks(object: AnyObject, { lostTags }: Since): readonly Loss[] {
  const count = globalTagsOf(object).filter((id) => lostTags.has(id)).length;
  if (count === 0) return [];
  const detail = `${object.kind} ${object.key}: ${count} global tag(s) it was marked with are gone`;
  return [{ id: object.id, detail }];
}

function modelBack(then: Model, current: Model, { keyTaken }: Since, losses: Loss[]): Model {
  const loses = (detail: string): number => losses.push({ id: then.id, detail });
  if (then.version !== current.version) {
    loses(`the version stays ${current.version}: it was ${then.version} then, and versions never go back`);
  }
  if (keyTaken) loses(`the key stays ${current.key}: another model has ${then.key} now`);
  return { ...then, version: current.version, key: keyTaken ? current.key : then.key };
}

/** The update from one state of an object to another; members that the other does not have are cleared. */
function replaced(before: AnyObject, after: AnyObject): readonly Change[] {
  const { kind: _k, id: _i, revision: _r, ...fields } = after;
  const cleared = Object.keys(before).filter((name) => !(name in after));
  return update<AnyObject>(before, { ...Object.fromEntries(cleared.map((name) => [name, undefined])), ...fields });
}
