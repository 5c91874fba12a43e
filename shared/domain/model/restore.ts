import { type Change, createChange, deleteChange, updateChanges } from "./changes.ts";
import { compareByKey, listObjects, type ModelContent } from "./content.ts";
import type { AnyObject, Model, TagIds } from "./objects.ts";

/** Part of an object that cannot be restored. */
export interface RestoreLoss {
  readonly id: string;
  readonly detail: string;
}

interface RestoreContext {
  readonly keyTaken: boolean;
  readonly lostTags: ReadonlySet<string>;
}

interface Edit {
  readonly object: AnyObject;
  readonly changes: readonly Change[];
}

/** Computes the changes to an earlier state, object by object. */
export type Restorer = ReturnType<typeof createRestorer>;

/** Creates a restorer for the current state of a model. */
export function createRestorer(current: ModelContent) {
  const now = new Map(listObjects(current).map((object) => [object.id, object]));
  const restoredIds = new Set<string>();
  const owners: AnyObject[] = [];
  const edits: Edit[] = [];
  const holders: AnyObject[] = [];
  let model: Model | undefined;

  const add = (pastObject: AnyObject) => {
    restoredIds.add(pastObject.id);
    if (pastObject.kind === "model") {
      model = pastObject;
      return;
    }
    const before = now.get(pastObject.id);
    const changes = before ? replaceMembers(before, pastObject) : [createChange(pastObject)];
    // Keep only one of two equal objects.
    const object = before && changes.length === 0 ? before : pastObject;
    if (object === pastObject) edits.push({ object, changes });
    if (getGlobalTagIds(object).length > 0) holders.push(object);
    if (pastObject.kind === "entity" || pastObject.kind === "relationship") owners.push(object);
  };

  const getModel = (): Model => {
    if (!model) throw new Error(`model ${current.model.id} is missing in its earlier state`);
    return model;
  };

  return {
    add,
    getModel,
    listGlobalTagIds: () => [...new Set([getModel(), ...holders].flatMap(getGlobalTagIds))],
    /** Returns the changes to the earlier state. The version stays: it names the highest release. Reports losses. */
    finish: (since: RestoreContext) => {
      const losses: RestoreLoss[] = [];
      const root = restoreModel(getModel(), current.model, since, losses);
      const order = createComparator(owners);
      losses.push(...listLostTagLinks(root, since.lostTags));
      for (const object of holders.sort(order)) losses.push(...listLostTagLinks(object, since.lostTags));
      const restorations = edits.sort((a, b) => order(a.object, b.object));
      const removals = [...now.values()].filter((object) => !restoredIds.has(object.id));
      return {
        changes: [
          ...replaceMembers(current.model, root),
          ...restorations.flatMap(({ changes }) => changes),
          ...removals.map((object) => deleteChange(object, false)),
        ],
        losses,
      };
    },
  };
}

const KIND_ORDER = ["type", "entity", "relationship", "business_key", "tag", "attribute"];

function createComparator(owners: readonly AnyObject[]): (a: AnyObject, b: AnyObject) => number {
  const list = owners.toSorted((a, b) => rankKind(a) - rankKind(b) || compareByKey(a, b));
  const ranks = new Map(list.map(({ id }, i) => [id, i]));
  return (a, b) => {
    if (a.kind !== "attribute" || b.kind !== "attribute") return rankKind(a) - rankKind(b) || compareByKey(a, b);
    return (ranks.get(a.owner) ?? 0) - (ranks.get(b.owner) ?? 0) || a.order - b.order;
  };
}

function rankKind({ kind }: AnyObject) {
  return KIND_ORDER.indexOf(kind);
}

/** Returns the ids of the global tags that an object links to. */
export function getGlobalTagIds(object: AnyObject): readonly string[] {
  return (object as TagIds).globalTags ?? [];
}

/** Returns the loss of an object that links to deleted global tags. */
export function listLostTagLinks(object: AnyObject, lostTags: ReadonlySet<string>): readonly RestoreLoss[] {
  const count = getGlobalTagIds(object).filter((id) => lostTags.has(id)).length;
  if (count === 0) return [];
  const detail = `${object.kind} ${object.key}: ${count} of its global tag(s) were deleted`;
  return [{ id: object.id, detail }];
}

function restoreModel(pastModel: Model, current: Model, { keyTaken }: RestoreContext, losses: RestoreLoss[]): Model {
  const addLoss = (detail: string) => losses.push({ id: pastModel.id, detail });
  if (pastModel.version !== current.version) {
    addLoss(`the version stays ${current.version}: it was ${pastModel.version} then, and versions never go back`);
  }
  if (keyTaken) addLoss(`the key stays ${current.key}: another model has ${pastModel.key} now`);
  return { ...pastModel, version: current.version, key: keyTaken ? current.key : pastModel.key };
}

function replaceMembers(before: AnyObject, after: AnyObject): readonly Change[] {
  const { kind: _k, id: _i, revision: _r, ...fields } = after;
  const names = Object.keys(before).filter((name) => !(name in after));
  return updateChanges<AnyObject>(before, {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...fields,
  });
}
