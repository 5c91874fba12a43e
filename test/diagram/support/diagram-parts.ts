import type { EntityDocument, ModelDocument, RelationshipDocument } from "../../../shared/domain/document/document.ts";

export const documentOf = (key: string, parts: Partial<ModelDocument>): ModelDocument => ({
  $schema: "urn:metaction:model:2",
  ...{ key, name: key, version: "1.0.0", authority: "system", types: [{ key: "text" }] },
  ...{ entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
  ...parts,
});

/** An entity whose attributes have these keys; the first one is its primary key. */
export function entity(key: string, attributes: readonly string[], more: Partial<EntityDocument> = {}): EntityDocument {
  return {
    id: `id-of-${key}`,
    key,
    primaryKey: [`key:${attributes[0]}`],
    attributes: attributes.map((one) => ({ id: `id-of-${key}-${one}`, key: one, type: "key:text", optional: false })),
    ...more,
  };
}

type End = readonly [
  entity: string,
  attribute: string,
  cardinality: RelationshipDocument["roles"][number]["cardinality"],
];

/** A relationship of two roles, called after their entities, that is joined by an attribute on each side. */
export const joined = (key: string, a: End, b: End): RelationshipDocument => ({
  id: `id-of-${key}`,
  key,
  attributes: [],
  roles: [a, b].map(([to, attribute, cardinality], at) => ({
    id: `id-of-${key}-${at}`,
    key: a[0] === b[0] && at === 0 ? attribute : to,
    entity: `key:${to}`,
    cardinality,
  })),
  keyPairs: [[`key:${a[1]}`, `key:${b[1]}`]],
});
