import type { Action } from "../../../shared/actions/define-action.ts";
import { addressedKinds } from "../../../shared/actions/payload.ts";
import { chainOf, type Known, kindMade, type PayloadJson, type WorldState } from "./payloads.ts";

/** What is known of a world, kept up with the answers of its writes. */
export interface Knowledge extends WorldState {
  /** Takes in what a write answered that changed something. */
  learn(action: Action, payload: PayloadJson, answer: { readonly id: string; readonly key: string }): void;
}

/** Knowledge of an empty world. */
export function createKnowledge(values: NonNullable<WorldState["values"]>): Knowledge {
  let objects: readonly Known[] = [];
  return {
    get objects() {
      return objects;
    },
    get values() {
      return { ...keysOf(objects), ...values };
    },
    learn: (action, payload, { id, key }) => {
      const made = kindMade(action);
      if (made) {
        const within = made.parent && addressedIn(action, payload, objects);
        if (!made.parent || within) objects = [...objects, { kind: made, id, key, within }];
      } else if (action.intent === "delete") {
        objects = objects.filter((known) => chainOf(known).every((outer) => outer.id !== id));
      } else {
        objects = renamed(objects, id, key);
      }
    },
  };
}

/** Keys that are taken, by the type of the parameter that gives one. */
function keysOf(objects: readonly Known[]): Record<string, readonly string[]> {
  const keys: Record<string, string[]> = {};
  for (const { kind, key } of objects) {
    const type = `${kind.name.charAt(0).toUpperCase()}${kind.name.slice(1)}Key`;
    keys[type] = [...(keys[type] ?? []), key];
  }
  return keys;
}

/** The innermost object that a payload names. */
function addressedIn(action: Action, payload: PayloadJson, objects: readonly Known[]): Known | undefined {
  let inner: Known | undefined;
  for (const kind of addressedKinds(action)) {
    const ref = String(payload[kind.refParameter]);
    inner = objects.find(
      (known) =>
        known.kind.name === kind.name &&
        known.within === (kind.parent ? inner : undefined) &&
        (ref === `key:${known.key}` || ref.toLowerCase() === `id:${known.id}`),
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
