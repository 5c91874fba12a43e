import type { Action } from "../../../../shared/actions/contract/action.ts";
import { listAddressedKinds } from "../../../../shared/actions/contract/action-parameters.ts";
import type { KindName } from "../../../../shared/domain/kinds.ts";
import { ACTIONS } from "../../../support/actions.ts";
import { chainOf, type Known, kindMade, type PayloadJson, refsOf, type WorldState } from "../payloads.ts";

export type Knowledge = ReturnType<typeof createKnowledge>;

interface Written {
  readonly id: string;
  readonly key: string;
  readonly changed?: boolean;
  readonly results?: readonly Written[];
}

/** Creates the known state of an empty world, which `learn` updates by the answers of writes. */
export function createKnowledge(values: NonNullable<WorldState["values"]>) {
  let objects: readonly Known[] = [];
  /** Refs of the roles of all relationships. */
  let roles: readonly string[] = [];
  /** Records the answer of a write that changed something. */
  const learn = (action: Action, payload: PayloadJson, { id, key, results }: Written) => {
    if (results) {
      const entries = payload.actions as readonly (Entry | undefined)[];
      for (const [i, result] of results.entries()) {
        const entry = entries[i];
        const done = ACTIONS.find(({ group, name }) => group === entry?.group && name === entry.action);
        if (done && entry && result.changed) learn(done, entry.payload ?? {}, result);
      }
      return;
    }
    const made = kindMade(action);
    const keys = [payload.roleKey, payload.roleAKey, payload.roleBKey].filter((one) => one !== undefined);
    roles = [...new Set([...roles, ...keys.map((one) => `key:${one}`)])];
    if (made) {
      const isInside = made.parent !== undefined || made.owned;
      const within = isInside ? addressedIn(action, payload, objects) : undefined;
      if (!isInside || within) objects = [...objects, { kind: made, id, key, within }];
    } else if (action.intent === "delete")
      objects = objects.filter((known) => chainOf(known).every((outer) => outer.id !== id));
    else objects = renamed(objects, id, key);
  };
  return {
    get objects() {
      return objects;
    },
    get values() {
      return { ...keysOf(objects), RelationshipRoleRef: roles, ...values };
    },
    learn,
  };
}

interface Entry {
  readonly group: string;
  readonly action: string;
  readonly payload?: PayloadJson;
}

const KEY_TYPES: { readonly [K in KindName]?: string } = {
  business_key: "BusinessKeyKey",
  tag: "TagKey",
  global_tag: "TagKey",
  tag_group: "TagGroupKey",
};

function keysOf(objects: readonly Known[]): Record<string, readonly string[]> {
  const keys: Record<string, string[]> = {};
  for (const { kind, key } of objects) {
    const type = KEY_TYPES[kind.name] ?? `${kind.name.charAt(0).toUpperCase()}${kind.name.slice(1)}Key`;
    keys[type] = [...(keys[type] ?? []), key];
  }
  return keys;
}

function addressedIn(action: Action, payload: PayloadJson, objects: readonly Known[]): Known | undefined {
  let inner: Known | undefined;
  for (const kind of listAddressedKinds(action)) {
    const ref = String(payload[kind.refParameter]);
    inner = objects.find(
      (known) =>
        known.kind.refType === kind.refType &&
        (kind.ledger === "tags" || known.within === (kind.parent ? inner : undefined)) &&
        (refsOf(known).includes(ref) || ref.toLowerCase() === `id:${known.id}`),
    );
    if (!inner) return undefined;
  }
  return inner;
}

/** The same objects, one of them under another key; those inside it stay inside it. */
function renamed(objects: readonly Known[], id: string, key: string): readonly Known[] {
  const again = new Map<Known, Known>();
  const renew = (known: Known): Known => {
    const done = again.get(known);
    if (done) return done;
    const fresh = { ...known, key: known.id === id ? key : known.key, within: known.within && renew(known.within) };
    again.set(known, fresh);
    return fresh;
  };
  return objects.map(renew);
}
