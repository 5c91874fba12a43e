import type { AttributeDocument, EntityDocument, ModelDocument } from "../document/document.ts";
import { findDialectRules, PHYSICAL } from "./dialect-rules.ts";

/**
 * Returns two models of SQL with the facts that both can have: without the name of the first if it differs, and without
 * comments on lines of a text that the other one, such as a dump, does not have.
 */
export function alignSources(
  left: ModelDocument,
  right: ModelDocument,
): readonly [left: ModelDocument, right: ModelDocument] {
  if (!findDialectRules(left.properties) || !findDialectRules(right.properties)) return [left, right];
  const own = removeLineComments(left, right);
  // The name is that of the database, which a text may omit.
  return [{ ...own, name: right.name, ...copySchema(own, right) }, removeLineComments(right, left)];
}

const SCHEMA = "sql:schema";

/** Returns the properties of a model with the schema of another one, if one of both texts does not name its schema. */
function copySchema({ properties = {} }: ModelDocument, other: ModelDocument): Pick<ModelDocument, "properties"> {
  const { [SCHEMA]: own, ...others } = properties;
  const schema = other.properties?.[SCHEMA];
  if (own !== undefined && schema !== undefined) return { properties };
  return { properties: { ...others, ...(schema !== undefined && { [SCHEMA]: schema }) } };
}

/**
 * Removes the descriptions that come from a comment on the line of a column, where another document has the column
 * without a description. Databases do not keep these comments.
 */
export function removeLineComments(document: ModelDocument, other: ModelDocument): ModelDocument {
  const others = new Map(other.entities.map((entity) => [entity.key, entity]));
  let hasChange = false;
  const entities = document.entities.map((entity): EntityDocument => {
    const pair = others.get(entity.key);
    if (!pair?.attributes || !entity.attributes?.some(isLineComment)) return entity;
    const described = new Map(pair.attributes.map(({ key, description }) => [key, description !== undefined]));
    const attributes = entity.attributes.map((attribute): AttributeDocument => {
      if (described.get(attribute.key) !== false || !isLineComment(attribute)) return attribute;
      const { description: _, ...own } = attribute;
      hasChange = true;
      return own;
    });
    return { ...entity, attributes };
  });
  return hasChange ? { ...document, entities } : document;
}

function isLineComment({ description, properties = {} }: AttributeDocument): boolean {
  const { comment } = (properties[PHYSICAL] ?? {}) as { readonly comment?: unknown };
  return description !== undefined && description === comment;
}
