import type { AnyObject, KindName } from "../../domain/objects.ts";
import { objectsPartition } from "../keys.ts";
import type { Finding } from "./finding.ts";
import type { Ground } from "./ground.ts";

/** A field that holds the id of another object, or a list of them. */
interface Reference {
  readonly kind: KindName;
  readonly field: string;
  readonly names: KindName;
  /** True where the object named has to be owned by the one that names it. */
  readonly own?: true;
}

/** Every reference between objects. */
const REFERENCES: readonly Reference[] = [
  { kind: "attribute", field: "owner", names: "entity" },
  { kind: "attribute", field: "type", names: "type" },
  { kind: "entity", field: "primaryKey", names: "attribute", own: true },
];

/** References that lead nowhere, by the log; what they should name only a person can tell. */
export function brokenReferences({ model, head, objects, byId }: Ground): Finding[] {
  const pk = objectsPartition(model, head.generation);
  const findings: Finding[] = [];
  for (const [sk, object] of objects) {
    for (const reference of REFERENCES) {
      if (reference.kind !== object.kind) continue;
      const place = { pk, sk };
      const ids = idsIn(object, reference.field);
      for (const id of ids) {
        const named = byId.get(id);
        if (named && fits(object, named, reference)) continue;
        const of = reference.own ? "its own" : "the model's";
        const sentence = `the ${reference.field} of ${sk} names ${id}, which is no ${reference.names} of ${of}`;
        findings.push({ code: "ref-dangling", place, sentence });
      }
      if (new Set(ids).size < ids.length) {
        const sentence = `the ${reference.field} of ${sk} names an object twice`;
        findings.push({ code: "primary-key-repeated", place, sentence });
      }
    }
  }
  return findings;
}

function idsIn(object: AnyObject, field: string): readonly string[] {
  const fields: Readonly<Record<string, unknown>> = { ...object };
  const value = fields[field];
  // The fields of the table above hold ids.
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]) as readonly string[];
}

function fits(object: AnyObject, named: AnyObject, { names, own }: Reference): boolean {
  return named.kind === names && (!own || ("owner" in named && named.owner === object.id));
}
