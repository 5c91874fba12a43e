import type { RefTag } from "../reference/objects.ts";
import { globalTags } from "../reference/tag-links.ts";
import type { Surroundings } from "./surroundings.ts";

const NOT_TAG_REFS: readonly unknown[] = [
  ...["a", "key:", "id:1", "key:a b", "key:a/b/c", "key:/a", "key:model/x/a"],
  5,
  {},
];
const UNKNOWN = { local: ["key:none", "key:a"], global: ["key:none/a", "key:global/a/none"] } as const;

type Scope = keyof typeof UNKNOWN;

/** A ref to a tag of one of these scopes, in any of the forms there are; now and then to none, or none at all. */
export function aTagRef({ chance, ids, model, state }: Surroundings, scopes: readonly Scope[]): unknown {
  if (chance.happens(0.03)) return chance.pick([...NOT_TAG_REFS, ...(scopes.length === 1 ? otherForms(scopes) : [])]);
  const local = scopes.includes("local") ? (model?.localTags ?? []) : [];
  const global = scopes.includes("global") ? globalTags(state.tags) : [];
  const all = [...local.map((tag) => () => localRef(tag)), ...global.map((tag) => () => globalRef(tag))];
  if (all.length > 0 && chance.happens(0.93)) return chance.pick(all)();
  if (ids.length > 0 && chance.happens(0.5)) return `id:${chance.pick(ids)}`;
  return chance.pick(scopes.flatMap((scope) => UNKNOWN[scope]));

  function localRef({ id, key }: RefTag): string {
    const home = chance.happens(0.9) ? model?.id : chance.pick([...state.models.keys()]);
    return chance.pick([`id:${id}`, `key:${key}`, `key:${key}`, `key:model/${home}/${key}`]);
  }

  function globalRef({ id, shown }: RefTag & { readonly shown: string }): string {
    return chance.pick([`id:${id}`, `key:${shown}`, `key:${shown}`, `key:global/${shown}`]);
  }
}

/** Refs of the scope that is not asked for. */
function otherForms([scope]: readonly Scope[]): readonly string[] {
  return scope === "local" ? ["key:a/b", "key:global/a/b"] : ["key:a"];
}
