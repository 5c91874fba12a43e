import type { ImportNames } from "../../actions/contract/ports.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";

/**
 * The model of a descriptor with what that leaves out or has no place for, where it is asked for: the version and the name that
 * stand in for others, types beside those of fields, attributes of relationships, and keys and tags of which it says nothing.
 */
export function noted(document: ModelDocument, source: JsonObject, { notes }: ImportNames): ModelDocument {
  if (!notes) return document;
  const { entities, relationships, localTags } = document;
  const isNamed = !isAbsent(source.title);
  return {
    ...document,
    leftOut: [
      ...["version", "authority", "types", "tagGroups"].filter((m) => m !== "version" || isAbsent(source.version)),
      ...(isNamed ? [] : ["name"]),
      ...(localTags.length > 0 ? [] : ["localTags"]),
    ],
    entities: entities.map((entity) =>
      entity.primaryKey.length > 0 ? entity : { ...entity, leftOut: ["primaryKey"] },
    ),
    relationships: relationships.map((one) => ({ ...one, leftOut: ["attributes"] })),
  };
}
