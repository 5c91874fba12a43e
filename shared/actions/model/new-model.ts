import { type Change, create } from "../../domain/change.ts";
import type { AnyObject, Model } from "../../domain/objects.ts";
import type { Decision } from "../contract/decision.ts";
import type { Store } from "../contract/store.ts";

/** The decision to make a model of new objects, the model first, as a generation that is published at the end. */
export function newModel(objects: Iterable<AnyObject>, store: Store, named: Partial<Model> = {}): Decision {
  let root: Model | undefined;
  const others: Change[] = [];
  for (const object of objects) {
    if (object.kind === "model") root = { ...object, ...named };
    else others.push(create(object));
  }
  if (!root) throw new Error("no model is among the objects of a model");
  return {
    subject: { id: root.id, key: root.key },
    begins: store.begin(root.id, root.key),
    changes: [create(root), ...others],
    release: root.version,
    publish: true,
  };
}
