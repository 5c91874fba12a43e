import { type DocumentObject, getMember, mapObjects } from "../compare/document-members.ts";
import type { ModelDocument } from "../document/document.ts";
import { removeLineComments } from "../normal-form/database-facts.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { normalizeDocument } from "../normal-form/normalize-document.ts";
import { isSameValue } from "../text/json-values.ts";
import type { Properties } from "../values/properties.ts";
import { type ImportBase, listObjects } from "./triples.ts";

/** Tests whether two documents differ in nothing but values that the normal form replaced. */
export function haveSameForm(left: ModelDocument, right: ModelDocument): boolean {
  return isSameValue(mapObjects(left, omitPhysical), mapObjects(right, omitPhysical));
}

function omitPhysical<O extends DocumentObject>(object: O): O {
  // Documents have the members that their fields declare.
  const { [PHYSICAL]: physical, ...own } = (getMember(object, "properties") ?? {}) as Properties;
  if (physical === undefined) return object;
  return { ...object, properties: Object.keys(own).length > 0 ? own : undefined };
}

/** Member that carries the id of an object in the model through the normal form. */
const HELD_ID = "heldId";

/** Returns the last import in its normal form, without descriptions that only a comment in its text states. */
export function normalizeBase({ document, ids }: ImportBase, theirs: ModelDocument): ImportBase {
  let nth = 0;
  const held = mapObjects(document, (object) => ({ ...object, [HELD_ID]: ids[nth++] ?? "" }));
  const normal = removeLineComments(normalizeDocument(held), theirs);
  const heldIds = [...listObjects(normal)].map((object) => String(getMember(object, HELD_ID) ?? ""));
  const released = mapObjects(normal, (object) => {
    const { [HELD_ID]: _, ...own } = object as typeof object & { readonly [HELD_ID]?: string };
    return own as typeof object;
  });
  return { document: released, ids: heldIds };
}
