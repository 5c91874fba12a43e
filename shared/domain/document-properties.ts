import type { ModelDocument } from "./document.ts";
import type { Fields } from "./fields/field.ts";
import { modelFields } from "./fields/model.ts";
import type { Properties } from "./properties.ts";
import type { HolderKind } from "./property-types.ts";

/** The properties of one object of a document. */
export interface HeldProperties {
  readonly kind: HolderKind;
  /** The JSON pointer of the object in the document. */
  readonly pointer: string;
  readonly properties: Properties;
}

/** The kinds of the objects in the lists of a document that have properties. */
const KIND_IN: Readonly<Record<string, HolderKind>> = {
  types: "type",
  entities: "entity",
  relationships: "relationship",
  attributes: "attribute",
  businessKeys: "business_key",
  localTags: "tag",
  tagGroups: "tag_group",
  tags: "tag",
};

interface Holder {
  readonly properties?: Properties;
}

/** The objects of a document that have properties, one by one. */
export function documentProperties(document: ModelDocument): Generator<HeldProperties> {
  return propertiesIn(document, "model", modelFields, "");
}

function* propertiesIn(holder: Holder, kind: HolderKind, fields: Fields, pointer: string): Generator<HeldProperties> {
  const { properties } = holder;
  if (properties) yield { kind, pointer, properties };
  for (const [member, field] of Object.entries(fields)) {
    const inner = KIND_IN[member];
    if (field.is !== "children" || !inner) continue;
    // A document has the lists that the fields declare.
    const list = (holder as Readonly<Record<string, readonly Holder[] | undefined>>)[member] ?? [];
    for (const [i, one] of list.entries()) yield* propertiesIn(one, inner, field.fields, `${pointer}/${member}/${i}`);
  }
}
