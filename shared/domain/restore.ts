import { type Change, create, remove, update } from "./change.ts";
import { type ModelContent, objectsOf } from "./content.ts";
import type { AnyObject, Model, Tagged } from "./objects.ts";

/** What cannot come back as it was. */
export interface Loss {
  /** The object it is about. */
  readonly id: string;
  readonly detail: string;
}

/** What brings a model back to an earlier state. */
export interface Restoration {
  readonly changes: readonly Change[];
  readonly losses: readonly Loss[];
}

/** What has happened outside of the model since. */
export interface Since {
  /** True when the key the model had then belongs to another model. */
  readonly keyTaken: boolean;
  /** Ids of global tags that marked something then and are gone. */
  readonly lostTags: ReadonlySet<string>;
}

/**
 * The changes that lead from one state of a model to an earlier one of it. Objects come back under their ids; the version
 * stays, because it names the highest release. What has become impossible since is left as it is and told of.
 */
export function restoration(current: ModelContent, past: ModelContent, since: Since): Restoration {
  const losses: Loss[] = [];
  const now = new Map(objectsOf(current).map((object) => [object.id, object]));
  const wanted = objectsOf(past).map((object) =>
    object.kind === "model" ? modelThen(object, current.model, since, losses) : object,
  );
  for (const object of wanted) losses.push(...lostMarks(object, since));
  const kept = new Set(wanted.map(({ id }) => id));
  const gone = [...now.values()].filter(({ id }) => !kept.has(id));
  return {
    changes: [
      ...wanted.flatMap((object): readonly Change[] => {
        const before = now.get(object.id);
        return before ? replaced(before, object) : [create(object)];
      }),
      ...gone.map((object) => remove(object, false)),
    ],
    losses,
  };
}

/** Marks that lead nowhere any more; they stay in the object, where every reader skips them. */
function lostMarks(object: AnyObject, { lostTags }: Since): readonly Loss[] {
  // Kinds that cannot be marked have no global tags.
  const { globalTags = [] } = object as Tagged;
  const count = globalTags.filter((id) => lostTags.has(id)).length;
  if (count === 0) return [];
  const detail = `${object.kind} ${object.key}: ${count} global tag(s) it was marked with are gone`;
  return [{ id: object.id, detail }];
}

function modelThen(then: Model, current: Model, { keyTaken }: Since, losses: Loss[]): Model {
  const loses = (detail: string): number => losses.push({ id: then.id, detail });
  if (then.version !== current.version) {
    loses(`the version stays ${current.version}: it was ${then.version} then, and versions never go back`);
  }
  if (keyTaken) loses(`the key stays ${current.key}: another model has ${then.key} now`);
  return { ...then, version: current.version, key: keyTaken ? current.key : then.key };
}

/** The update from one state of an object to another; what the other does not have is cleared. */
function replaced(before: AnyObject, after: AnyObject): readonly Change[] {
  const { kind: _k, id: _i, revision: _r, ...fields } = after;
  const cleared = Object.keys(before).filter((name) => !(name in after));
  return update<AnyObject>(before, { ...Object.fromEntries(cleared.map((name) => [name, undefined])), ...fields });
}
