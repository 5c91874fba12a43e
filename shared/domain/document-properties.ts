import type { ModelDocument } from "./document.ts";
import type { Fields } from "./fields/field.ts";
import { modelFields } from "./fields/model.ts";
import type { KindName } from "./kind-names.ts";
import type { Properties } from "./properties.ts";

/** The properties of one object of a document. */
export interface HeldProperties {
  readonly kind: KindName;
  /** The JSON pointer of the object in the document. */
  readonly pointer: string;
  readonly properties: Properties;
}

interface Holder {
  readonly properties?: Properties;
}

/** The places that the objects of a document's own lists had before these were sorted; of lists that were not moved nothing. */
export type FormerPlaces = Readonly<Partial<Record<string, readonly number[]>>>;

/** The objects of a document that have properties, one by one; pointers lead to where they were before it was sorted. */
export function documentProperties(document: ModelDocument, former: FormerPlaces = {}): Generator<HeldProperties> {
  return propertiesIn(document, "model", modelFields, "", former);
}

function* propertiesIn(
  holder: Holder,
  kind: KindName,
  fields: Fields,
  pointer: string,
  former: FormerPlaces = {},
): Generator<HeldProperties> {
  const { properties } = holder;
  if (properties) yield { kind, pointer, properties };
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children") continue;
    // A document has the lists that the fields declare.
    const list = (holder as Readonly<Record<string, readonly Holder[] | undefined>>)[member] ?? [];
    for (const [i, one] of list.entries())
      yield* propertiesIn(one, field.kind, field.fields, `${pointer}/${member}/${former[member]?.[i] ?? i}`);
  }
}
