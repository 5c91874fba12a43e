import { attributeFields } from "./attribute.ts";
import { businessKeyFields } from "./business-key.ts";
import { sourced } from "./described.ts";
import { entityFields } from "./entity.ts";
import type { Fields } from "./field.ts";
import { modelFields } from "./model.ts";
import { relationshipFields } from "./relationship.ts";

/** The fields of the kinds of objects in a model, by the name of the kind. */
const FIELDS: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["model", modelFields],
  ["type", sourced],
  ["entity", entityFields],
  ["relationship", relationshipFields],
  ["attribute", attributeFields],
  ["business_key", businessKeyFields],
  ["tag", sourced],
]);

/** The fields of a kind of objects in a model; undefined for other kinds. */
export function fieldsOfKind(kind: string): Fields | undefined {
  return FIELDS.get(kind);
}
