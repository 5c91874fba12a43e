import { isObject, type JsonObject } from "../json-object.ts";
import { pathGroups } from "../writing/path-groups.ts";

/** A property of an entity by its path, with its schema. */
export interface PathProperty {
  readonly path: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** The members `type`, `properties` and `required` of an object; paths become objects inside it, of which `parts` has what else they say. */
export function objectSchema(properties: readonly PathProperty[], parts: unknown, prefix = ""): JsonObject {
  const groups = pathGroups(properties);
  const members = groups.map((group): [string, JsonObject] => {
    const { name, own } = group;
    if (own) return [name, own.schema];
    const path = prefix + name;
    const rest = isObject(parts) && Object.hasOwn(parts, path) ? parts[path] : undefined;
    return [name, { ...(isObject(rest) && rest), ...objectSchema(group.inner, parts, `${path}.`) }];
  });
  const required = groups
    .filter((group) => (group.own ? group.own.isRequired : group.inner.some(({ isRequired }) => isRequired)))
    .map(({ name }) => name);
  return { type: "object", properties: Object.fromEntries(members), ...(required.length > 0 && { required }) };
}
