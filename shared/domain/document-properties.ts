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

/** The objects of a document that have properties, one by one. */
export function documentProperties(document: ModelDocument): Generator<HeldProperties> {
  return propertiesIn(document, "model", modelFields, "");
}

function* propertiesIn(holder: Holder, kind: KindName, fields: Fields, pointer: string): Generator<HeldProperties> {
  const { properties } = holder;
  if (properties) yield { kind, pointer, properties };
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children") continue;
    // A document has the lists that the fields declare.
    const list = (holder as Readonly<Record<string, readonly Holder[] | undefined>>)[member] ?? [];
    for (const [i, one] of list.entries())
      yield* propertiesIn(one, field.kind, field.fields, `${pointer}/${member}/${i}`);
  }
}
