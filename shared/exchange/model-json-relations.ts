import { given } from "../domain/content.ts";
import type { BusinessKeyDocument, RelationshipDocument, RoleDocument } from "../domain/document.ts";
import { exactText } from "./document-texts.ts";
import { warnUnread } from "./members.ts";
import { attributeOf } from "./model-json-entities.ts";
import { described, keyed, listOf, type Scope } from "./model-json-form.ts";
import type { Keyed, Refs } from "./model-json-refs.ts";

const ENTITY = "entity of the model";

/** A relationship with its roles and attributes. */
export function relationshipOf(relationship: Keyed, scope: Scope): RelationshipDocument {
  const { source, findings } = relationship;
  const { form } = scope;
  warnUnread(source, form.members.relationship, findings);
  return {
    ...described(relationship, form),
    ...scope.marks(source, findings),
    roles: keyed(source, "roles", form, findings).map((role) => roleOf(role, scope)),
    attributes: keyed(source, "attributes", form, findings).map((a) => attributeOf(a, scope)),
  };
}

function roleOf({ source, key, findings }: Keyed, { form, entities }: Scope): RoleDocument {
  warnUnread(source, form.members.role, findings);
  return {
    key,
    ...given("name", form.texts.name(source, "name", findings)),
    entity: entities.resolve(source.entity, "/entity", ENTITY, findings),
    // Checked with the rest of the document.
    cardinality: (exactText(source, "cardinality", findings) ?? "") as RoleDocument["cardinality"],
  };
}

/** A business key; `attributes` holds those of each entity by `key:<entity key>`. */
export function businessKeyOf(
  businessKey: Keyed,
  attributes: ReadonlyMap<string, Refs>,
  scope: Scope,
): BusinessKeyDocument {
  const { source, findings } = businessKey;
  const { form, entities } = scope;
  warnUnread(source, form.members.businessKey, findings);
  const entity = entities.resolve(source.entity, "/entity", ENTITY, findings);
  const own = attributes.get(entity);
  const participants = listOf(source, "participants", findings);
  return {
    ...described(businessKey, form),
    entity,
    // Without an entity there is one fault already.
    participants: own
      ? participants.map((ref, i) => own.resolve(ref, `/participants/${i}`, "attribute of the entity", findings))
      : [],
  };
}
