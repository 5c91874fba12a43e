import type { Constraints } from "../constraints/keywords.ts";
import type { Type } from "../model/objects.ts";
import { parseStoredJson } from "../text/json-values.ts";
import { type Properties, parseProperties } from "../values/properties.ts";
import { findDialects } from "./dialects/dialects.ts";
import { type NamedType, resolveAttributeType } from "./find-logical-type.ts";
import type { LogicalType } from "./logical/logical-type.ts";

/** Attribute of a stored model: the id of its type, with or without `id:`, and JSON values, also as stored texts. */
export interface StoredAttribute {
  readonly type: string;
  readonly constraints?: Constraints | string;
  readonly properties?: Properties | string;
}

/**
 * Creates a function that returns the logical types of attributes of a stored model. `modelProperties` are those of the
 * model as stored.
 */
export function createTypeResolver(
  types: readonly Type[],
  modelProperties: string | undefined,
): (attribute: StoredAttribute) => LogicalType | undefined {
  const dialects = findDialects(parseProperties(modelProperties));
  const byId = new Map<string, NamedType>(
    types.map(({ id, key, name, properties }) => [id, { key, name, properties: parseProperties(properties) }]),
  );
  const plainTypes = new Map<string, LogicalType | undefined>();
  return ({ type: ref, constraints, properties }) => {
    const id = ref.startsWith("id:") ? ref.slice("id:".length) : ref;
    const type = byId.get(id);
    if (!type) return undefined;
    const isPlain = constraints === undefined && properties === undefined;
    // Most attributes of a type differ in nothing that their logical type depends on.
    if (isPlain && plainTypes.has(id)) return plainTypes.get(id);
    const attribute = {
      constraints: typeof constraints === "string" ? parseStoredJson<Constraints>(constraints) : constraints,
      properties: typeof properties === "string" ? parseProperties(properties) : properties,
    };
    const { logicalType } = resolveAttributeType(attribute, type, dialects);
    if (isPlain) plainTypes.set(id, logicalType);
    return logicalType;
  };
}
