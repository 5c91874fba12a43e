import type { Kind } from "../domain/kinds.ts";
import type { KindName } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import type { View } from "./store.ts";

/** Where an object of an owned kind lives: its owner's id, and its key for the sentence. */
interface Owner {
  readonly id: string;
  readonly key: string;
}

/** `key_taken` when the model, or the owner, already has an object of the kind with that key. */
export async function refuseTakenKey<N extends KindName>(
  view: View,
  kind: Kind<N>,
  key: string,
  owner?: Owner,
): Promise<void> {
  if (!(await view.find(kind.name, { scheme: "key", value: key }, owner?.id))) return;
  const scope = owner ? owner.key : `the model ${view.modelKey}`;
  throw new Problem("key_taken", `there is already a ${kind.noun} with the key ${key} in ${scope}; choose another key`);
}
