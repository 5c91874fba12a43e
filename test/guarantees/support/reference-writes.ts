import type { RefChange, RefWrite } from "./reference-action.ts";
import { Refusal } from "./reference-problem.ts";
import type { RefModel } from "./reference-state.ts";

type Subject = { readonly id: string; readonly key: string };

/** A write to an existing model; without changes it leaves everything as it is. */
export function written(model: RefModel, subject: Subject, changes: readonly RefChange[], apply: () => void): RefWrite {
  const { id, key } = subject;
  return {
    does: "write",
    subject: { id, key },
    model: { id: model.id, revision: model.revision },
    changes,
    apply: () => {
      apply();
      model.revision += 1;
    },
  };
}

/** A change of one object's fields; none when every value is there already. `undefined` clears a field. */
export function fieldsSet<O extends Subject>(
  model: RefModel,
  kind: RefChange["kind"],
  object: O,
  fields: Partial<Record<keyof O & string, unknown>>,
): RefWrite {
  const moved = Object.entries(fields).some(([name, value]) => Reflect.get(object, name) !== value);
  const key = typeof fields.key === "string" ? fields.key : object.key;
  const subject = { id: object.id, key };
  const changes = moved ? [{ change: "update" as const, kind, id: object.id, key }] : [];
  return written(model, subject, changes, () => Object.assign(object, fields));
}

/** Another key for an object, unique among its siblings. */
export function keySet<O extends Subject>(
  model: RefModel,
  kind: RefChange["kind"],
  object: O,
  siblings: Iterable<Subject>,
  value: unknown,
): RefWrite {
  requireFree(siblings, value, object);
  return fieldsSet(model, kind, object, { key: value } as Partial<Record<keyof O & string, unknown>>);
}

/** `key_taken` when a sibling has the key. */
export function requireFree(siblings: Iterable<Subject>, key: unknown, self?: Subject): void {
  for (const one of siblings) {
    if (one.key === key && one.id !== self?.id) throw new Refusal("key_taken", { mentions: [String(key)] });
  }
}
