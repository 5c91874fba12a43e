import { jsonOf } from "./constraints.ts";
import type { Named, RefEntity } from "./objects.ts";
import { Refusal } from "./problem.ts";
import type { Ledger, RefChange, RefWrite } from "./write-result.ts";

type Moving = Ledger & { revision: number };

/** A write to an existing model, or to the tags of all; without changes it leaves everything as it is. */
export function written(ledger: Moving, subject: Named, changes: readonly RefChange[], apply: () => void): RefWrite {
  const { id, key } = subject;
  return {
    does: "write",
    subject: { id, key },
    ledger: { id: ledger.id, revision: ledger.revision },
    changes,
    apply: () => {
      apply();
      ledger.revision += 1;
    },
  };
}

export function made(ledger: Moving, kind: RefChange["kind"], object: Named, apply: () => void): RefWrite {
  const { id, key } = object;
  return written(ledger, object, [{ change: "create", kind, id, key }], apply);
}

export function removed(ledger: Moving, kind: RefChange["kind"], object: Named, apply: () => void): RefWrite {
  const { id, key } = object;
  return written(ledger, object, [{ change: "delete", kind, id, key }], apply);
}

/** Takes an object out of its list. */
export const drop = <T>(list: T[], one: T) => list.splice(list.indexOf(one), 1);

type RemovedRow = Named & {
  readonly kind: string;
  readonly attributes?: readonly string[];
  readonly remains?: boolean;
};

/** Returns a deletion that lists the objects it removed: keys first, objects of one kind by their keys. */
export function listRemoved(write: RefWrite, ...rows: readonly RemovedRow[]): RefWrite {
  return { ...write, extra: { ...write.extra, removed: { count: rows.length, items: rows.slice(0, 1_000) } } };
}

/** Rows of objects that went, in the order of their keys. */
export function gone(kind: string, objects: readonly Named[]): readonly RemovedRow[] {
  return objects.map(({ id, key }) => ({ kind, id, key })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The row of a primary key that lost some of its attributes, or all. */
export function primaryKeyGone({ id, key, primaryKey }: RefEntity, lost: readonly Named[]): readonly RemovedRow[] {
  const attributes = primaryKey.flatMap((one) => lost.filter((a) => a.id === one).map((a) => a.key));
  if (attributes.length === 0) return [];
  const remains = attributes.length < primaryKey.length && { remains: true };
  return [{ kind: "primary_key", id, key, attributes, ...remains }];
}

/** A change of one object's fields; none when every value is there already. `undefined` clears a field. */
export function fieldsSet<O extends Named>(
  ledger: Moving,
  kind: RefChange["kind"],
  object: O,
  fields: Partial<Record<keyof O & string, unknown>>,
): RefWrite {
  const moved = Object.entries(fields).some(([name, value]) => !isSame(Reflect.get(object, name), value));
  const key = typeof fields.key === "string" ? fields.key : object.key;
  const subject = { id: object.id, key };
  const changes = moved ? [{ change: "update" as const, kind, id: object.id, key }] : [];
  return written(ledger, subject, changes, () => Object.assign(object, fields));
}

/** Another key for an object, unique among its siblings. */
export function keySet<O extends Named>(
  ledger: Moving,
  kind: RefChange["kind"],
  object: O,
  siblings: Iterable<Named>,
  value: unknown,
): RefWrite {
  requireFree(siblings, value, object);
  return fieldsSet(ledger, kind, object, { key: value } as Partial<Record<keyof O & string, unknown>>);
}

/** `key_taken` when a sibling has the key. */
export function requireFree(siblings: Iterable<Named>, key: unknown, self?: Named): void {
  const isTaken = Array.from(siblings).some((one) => one.key === key && one.id !== self?.id);
  if (isTaken) throw new Refusal("key_taken", { mentions: [String(key)] });
}

function isSame(a: unknown, b: unknown) {
  return a === b || (typeof a === "object" && jsonOf(a) === jsonOf(b));
}
