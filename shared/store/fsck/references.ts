import type { KindName } from "../../domain/kind-names.ts";
import { type AnyObject, ownerOf } from "../../domain/objects.ts";
import { objectsPartition } from "../table/keys.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/** The ids of other objects that an object names in one of its fields. */
interface Reference {
  readonly field: string;
  readonly ids: readonly string[];
  readonly names: readonly KindName[];
  /** Id of the object that has to own the named objects. */
  readonly of?: string;
  /** True where each may be named once only. */
  readonly once?: true;
  /** True where a deleted object may still be named. */
  readonly mayBeGone?: true;
}

/** Every reference to other objects but tag links, which may name deleted tags. */
function referencesOf(object: AnyObject): readonly Reference[] {
  if (object.kind === "attribute") {
    return [
      { field: "owner", ids: [object.owner], names: ["entity", "relationship"] },
      { field: "type", ids: [object.type], names: ["type"] },
    ];
  }
  if (object.kind === "entity") {
    const { id: of, primaryKey: ids } = object;
    return [{ field: "primaryKey", ids, names: ["attribute"], of, once: true }];
  }
  if (object.kind === "relationship") {
    const { roles, keyPairs = [] } = object;
    return [
      { field: "roles", ids: roles.map(({ entity }) => entity), names: ["entity"] },
      ...roles.map(({ entity: of }, i): Reference => {
        const ids = keyPairs.map((pair) => pair[i] ?? "");
        return { field: "keyPairs", ids, names: ["attribute"], of, mayBeGone: true };
      }),
    ];
  }
  if (object.kind === "business_key") {
    const { entity: of, participants: ids } = object;
    return [
      { field: "entity", ids: [of], names: ["entity"] },
      { field: "participants", ids, names: ["attribute"], of, once: true },
    ];
  }
  return object.kind === "global_tag" ? [{ field: "owner", ids: [object.owner], names: ["tag_group"] }] : [];
}

/** References that lead nowhere, by the log; only a person can tell which object they should name. */
export function brokenReferences({ model, head, objects, byId }: ExpectedState): Finding[] {
  const pk = objectsPartition(model, head.generation);
  const findings: Finding[] = [];
  for (const [sk, object] of objects) {
    const place = { pk, sk };
    for (const { field, ids, names, of, once, mayBeGone } of referencesOf(object)) {
      for (const id of ids) {
        const named = byId.get(id);
        if (!named && mayBeGone) continue;
        if (named && names.includes(named.kind) && (of === undefined || ownerOf(named) === of)) continue;
        const whose = of === undefined ? "there" : `of ${of}`;
        const sentence = `the ${field} of ${sk} names ${id}, which is no ${names.join(" or ")} ${whose}`;
        findings.push({ code: "ref-dangling", place, sentence });
      }
      if (once && new Set(ids).size < ids.length) {
        const sentence = `the ${field} of ${sk} names an attribute twice`;
        findings.push({ code: "primary-key-repeated", place, sentence });
      }
    }
  }
  return findings;
}
