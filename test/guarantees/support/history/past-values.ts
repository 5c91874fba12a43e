import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { RefPast } from "../reference/commits.ts";
import type { RefModel } from "../reference/objects.ts";
import type { RefState } from "../reference/state.ts";
import type { Surroundings } from "./surroundings.ts";

const pastOf = ({ state, model }: Surroundings): RefPast => (model && state.past.get(model.id)) ?? [];

export function aRevision(s: Surroundings): unknown {
  const { chance } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>([0, -1, 1.5, "1", true]);
  const newest = s.model?.revision ?? 1;
  return chance.happens(0.06) ? newest + 1 : 1 + chance.below(newest);
}

/** Some of the newest revisions, mostly few; now and then one that is not there yet. */
export function someRevisions(s: Surroundings): unknown {
  const { chance } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>([[], [0], 1, ["1"], Array(101).fill(1)]);
  const newest = s.model?.revision ?? 1;
  const reach = chance.happens(0.5) ? Math.min(newest, 6) : newest;
  const some = Array.from({ length: 1 + chance.below(4) }, () =>
    Math.max(newest - chance.below(reach), chance.happens(0.9) ? Math.min(2, newest) : 1),
  );
  return chance.happens(0.04) ? [...some, newest + 1] : some;
}

/** A request that made a commit of the model, mostly. */
export function aRequest(s: Surroundings): unknown {
  const { chance } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>([" ", "x".repeat(129), 7]);
  const requests = pastOf(s).map(({ requestId }) => requestId);
  return requests.length > 0 && chance.happens(0.95) ? chance.pick(requests.slice(-8)) : "step-never";
}

const runsIn = (s: Surroundings) => [...new Set(pastOf(s).flatMap(({ run }) => run ?? []))];

/** A run that has commits in the model, mostly. */
export function aRun(s: Surroundings): unknown {
  const { chance, state } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>(["key:a", "id:1", 5, `id:${s.ids[0]}`]);
  const here = runsIn(s);
  const runs = here.length > 0 && chance.happens(0.95) ? here : [...state.runs.keys()];
  return `id:${runs.length > 0 ? chance.pick(runs) : "00000000-0000-7000-8000-000000000000"}`;
}

/** One or two lists of what to take back. */
export function aSelection(s: Surroundings): unknown {
  const { chance, state } = s;
  if (chance.happens(0.04))
    return chance.pick<unknown>([{}, [], { kinds: [] }, { kinds: ["role"] }, { colour: ["a"] }]);
  const past = pastOf(s);
  const keys = past.flatMap(({ changes }) => changes.map(({ key }) => key));
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    objects: [anObjectId(s), anObjectId(s)],
    kinds: ["entity", "attribute", "type", "relationship", "model", "tag", "business_key"],
    paths: ["*", "left", "left.*", "right.x", ...keys, ...keys.map((key) => `${key}.*`)],
    members: ["key", "name", "description", "properties", "properties.a", "tags", "roles", "order", "optional"],
    authors: past.map(({ actor }) => actor),
    runs: [...state.runs.keys()],
  };
  const names = ["paths", "members", ...Object.keys(lists)].filter((name) => (lists[name]?.length ?? 0) > 0);
  const some = Array.from({ length: 1 + chance.below(2) }, () => chance.pick(names));
  const listOf = (name: string) => Array.from({ length: 1 + chance.below(3) }, () => chance.pick(lists[name] ?? []));
  return Object.fromEntries(some.map((name) => [name, listOf(name)]));
}

/** The models that have most behind them, which is what is looked back at. */
export function oftenChanged(models: readonly RefModel[]): readonly RefModel[] {
  const most = Math.max(...models.map(({ revision }) => revision));
  return models.filter(({ revision }) => revision * 2 > most);
}

/** A version the model has, mostly; of a model without a past as good as any. */
export function aReleasedVersion(s: Surroundings, otherwise: () => unknown): unknown {
  const versions = pastOf(s).flatMap(({ release }) => release ?? []);
  if (versions.length === 0 || s.chance.happens(0.07)) return otherwise();
  return s.chance.happens(0.5) ? versions.at(-1) : s.chance.pick(versions);
}

/** A version that comes after the one the model has, mostly. */
export function aNextVersion(s: Surroundings, otherwise: () => unknown): unknown {
  const [, major, minor = 0] = /^(\d+)\.(\d+)/.exec(s.model?.version ?? "") ?? [];
  return major !== undefined && s.chance.happens(0.6) ? `${major}.${Number(minor) + 1}.0` : otherwise();
}

/** The id of an object that is in the model, or was; now and then of one that never was. */
export function anObjectId(s: Surroundings): unknown {
  const { chance, ids } = s;
  if (chance.happens(0.04)) return chance.pick<unknown>(["1", "id:1", 7, {}]);
  const touched = pastOf(s).flatMap(({ changes }) => changes.map(({ id }) => id));
  if (touched.length > 0 && chance.happens(0.9)) return chance.pick(touched);
  return ids.length > 0 ? chance.pick(ids) : "00000000-0000-7000-8000-000000000000";
}

export function deletedModels({ past }: RefState): readonly RefModel[] {
  return [...past.values()].flatMap((commits) => {
    const last = commits.at(-1)?.model ? undefined : commits.at(-2)?.model;
    return last ? [{ ...last, revision: commits.length }] : [];
  });
}

/** Mostly names one moment, where an action takes a version or a revision; `make` makes a value for one of them. */
export function goTogether(
  action: Action,
  values: Record<string, unknown>,
  s: Surroundings,
  make: (name: string) => unknown,
): void {
  const { chance } = s;
  const has = (name: string) => values[name] !== undefined && values[name] !== null && values[name] !== "";
  const name = chance.pick(["version", "revision"]);
  if (has("version") && has("revision") && !chance.happens(0.03)) Reflect.deleteProperty(values, name);
  const isMissing = action.name === "model_restore" && !has("version") && !has("revision");
  if (isMissing && !chance.happens(0.04)) values[name] = make(name);
  if (action.name !== "model_undo") return;
  // Plans are given where a dry run is repeated.
  for (const rare of ["plan", "select", "except"]) if (!chance.happens(0.15)) Reflect.deleteProperty(values, rare);
  if (chance.happens(0.03)) return;
  const selections = ["runRef", "revisions", "request", "since"];
  for (const one of selections) Reflect.deleteProperty(values, one);
  const ofRuns = runsIn(s).length > 0 || chance.happens(0.1) ? ["runRef", "runRef", "runRef"] : [];
  const chosen = chance.pick([...ofRuns, "revisions", "revisions", "request", "since"]);
  values[chosen] = make(chosen);
}
