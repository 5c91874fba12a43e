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
  { chance }: Pick<Surroundings, "chance">,
  make: (name: string) => unknown,
): void {
  const has = (name: string) => values[name] !== undefined && values[name] !== null && values[name] !== "";
  const name = chance.pick(["version", "revision"]);
  if (has("version") && has("revision") && !chance.happens(0.03)) Reflect.deleteProperty(values, name);
  const isMissing = action.name === "model_restore" && !has("version") && !has("revision");
  if (isMissing && !chance.happens(0.04)) values[name] = make(name);
}
