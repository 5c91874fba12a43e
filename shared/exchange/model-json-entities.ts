import { given } from "../domain/content.ts";
import type { AttributeDocument, EntityDocument } from "../domain/document.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { isAbsent } from "./json-source.ts";
import { warnUnread } from "./members.ts";
import { described, keyed, listOf, type Scope } from "./model-json-form.ts";
import { type Keyed, type Refs, referable } from "./model-json-refs.ts";

/** An entity, and how business keys refer to its attributes. */
export interface EntityRead {
  readonly entity: EntityDocument;
  readonly attributes: Refs;
}

/** An entity with its attributes and primary key. */
export function entityOf(entity: Keyed, scope: Scope): EntityRead {
  const { source, findings } = entity;
  const { form } = scope;
  warnUnread(source, form.members.entity, findings);
  const attributes = keyed(source, "attributes", form, findings);
  const refs = referable(attributes);
  const document = {
    ...described(entity, form),
    ...given("documentationHome", form.texts.link(source, "documentationHome", findings)),
    ...given("origin", form.texts.origin(source, "origin", findings)),
    ...scope.marks(source, findings),
    attributes: attributes.map((a) => attributeOf(a, scope)),
    primaryKey: listOf(source, "primaryKey", findings).map((written, i) => {
      const ref = typeof written === "string" ? form.primaryKeyRef(written) : written;
      return refs.resolve(ref, `/primaryKey/${i}`, "attribute of the entity", findings);
    }),
  };
  return { entity: document, attributes: refs };
}

/** An attribute of an entity or relationship. */
export function attributeOf(attribute: Keyed, { form, types, marks }: Scope): AttributeDocument {
  const { source, findings } = attribute;
  warnUnread(source, form.members.attribute, findings);
  const { optional } = source;
  if (!isAbsent(optional) && typeof optional !== "boolean") {
    findings.fault("/optional", `expected true or false, got ${jsonTypeOf(optional)}`);
  }
  return {
    ...described(attribute, form),
    type: types.resolve(source.type, "/type", "type of the model", findings),
    optional: optional === true,
    ...marks(source, findings),
  };
}
