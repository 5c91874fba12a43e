import { type DocumentObject, getMember, mapObjects } from "../compare/document-members.ts";
import type { ModelDocument } from "../document/document.ts";
import type { NextId } from "../document/read-document.ts";
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

/** Returns the last import with the key, and the name that the source omits, of a source: a merge ignores both. */
export function copyUnmergedHead(base: ModelDocument, { key, name, leftOut }: ModelDocument): ModelDocument {
  return { ...base, key, ...(leftOut?.includes("name") && { name }) };
}

function omitPhysical<O extends DocumentObject>(object: O): O {
  // Documents have the members that their fields declare.
  const { [PHYSICAL]: physical, ...own } = (getMember(object, "properties") ?? {}) as Properties;
  if (physical === undefined) return object;
  return { ...object, properties: Object.keys(own).length > 0 ? own : undefined };
}

/** Returns a stored model in its normal form. Types that the normal form adds get new ids. */
export function normalizeStored(document: ModelDocument, nextId: NextId): ModelDocument {
  const normal = normalizeDocument(document);
  if (normal === document) return document;
  return { ...normal, types: normal.types.map((type) => ({ ...type, id: type.id ?? nextId() })) };
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
