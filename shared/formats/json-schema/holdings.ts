import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { toLegalKeys } from "../common/legal-key.ts";
import { toKey } from "../common/writing/model-tables.ts";

/** A relationship as a property of the entity that contains the other entity. */
export interface Holding {
  readonly relationship: RelationshipDocument;
  readonly at: Diagnostics;
  readonly holder: string;
  readonly child: string;
  readonly property: string;
  readonly isMany: boolean;
  readonly isRequired: boolean;
  readonly isMap: boolean;
  /** True when the contained entity is written inside of the property and has no definition. */
  readonly isInline: boolean;
  readonly isAlternative: boolean;
}

/** Finds the relationships that are written as properties. */
export function findHoldings({ entities, relationships }: ModelDocument, diagnostics: Diagnostics): readonly Holding[] {
  const keysByEntity = new Map(entities.map(({ key, attributes }) => [key, new Set(attributes.map((one) => one.key))]));
  const byEntity = indexByEntity(relationships);
  return relationships.flatMap((relationship, i) => {
    const at = diagnostics.at(`/relationships/${i}`);
    const { roles, keyPairs = [] } = relationship;
    if (roles.length !== 2 || keyPairs.length > 0) {
      const feature = keyPairs.length > 0 ? "by attribute values" : "with more than two roles";
      at.warn("", "not_written", `JSON Schema has no relationships ${feature}`);
      return [];
    }
    return [toHolding(relationship, byEntity, keysByEntity, at)];
  });
}

/** Returns the relationships of each entity, by its key. */
function indexByEntity(
  relationships: readonly RelationshipDocument[],
): ReadonlyMap<string, readonly RelationshipDocument[]> {
  const entries = relationships.flatMap((relationship) => relationship.roles.map((role) => ({ relationship, role })));
  const groups = Map.groupBy(entries, ({ role }) => toKey(role.entity));
  return new Map([...groups].map(([key, group]) => [key, group.map(({ relationship }) => relationship)]));
}

function toHolding(
  relationship: RelationshipDocument,
  byEntity: ReadonlyMap<string, readonly RelationshipDocument[]>,
  keysByEntity: ReadonlyMap<string, Set<string>>,
  at: Diagnostics,
): Holding {
  const { key, roles, properties = {} } = relationship;
  const { "jsonschema:property": path, "jsonschema:alternative": alternative, "jsonschema:holds": shape } = properties;
  const getEntity = (i: number) => toKey(roles[i]?.entity ?? "");
  const suffix = typeof alternative === "string" ? `_${alternative}` : "";
  const findProperty = (i: number) => {
    if (!key.startsWith(`${getEntity(i)}_`) || !key.endsWith(suffix)) return undefined;
    const rest = key.slice(getEntity(i).length + 1, key.length - suffix.length);
    if (typeof path === "string") return path.replaceAll(".", "_") === rest ? path : undefined;
    return rest === "" ? undefined : rest;
  };
  const isHolder = (i: number) => findProperty(i) !== undefined && roles[i]?.key === getEntity(i);
  const side = [0, 1].find(isHolder) ?? [0, 1].find((i) => findProperty(i) !== undefined) ?? 0;
  const [holder, child] = [getEntity(side), getEntity(1 - side)];
  const names = keysByEntity.get(holder) ?? new Set();
  const name = findProperty(side);
  const isAlternative = typeof alternative === "string" && name !== undefined;
  let property = name ?? key;
  while (!isAlternative && names.has(property)) property = `${property}_`;
  names.add(property);
  const derivedKey = `${holder}_${property.replaceAll(".", "_")}${isAlternative ? suffix : ""}`;
  if (derivedKey !== key) at.warn("/key", "not_written", "relationship keys are derived from entity and property");
  const [holderEnd, heldEnd] = [roles[side]?.cardinality, roles[1 - side]?.cardinality];
  const isNested = holderEnd === "one" && heldEnd === "many" && child === `${holder}_${property.replaceAll(".", "_")}`;
  const isInline =
    isNested && (byEntity.get(child) ?? []).every((one) => one === relationship || isHolderOf(one, child));
  const expectedEnds = isInline ? ["one", "many"] : ["zeroOrOne", heldEnd === "unknown" ? "zeroOrOne" : heldEnd];
  for (const [i, cardinality] of [holderEnd, heldEnd].entries()) {
    const role = i === 0 ? side : 1 - side;
    if (cardinality !== expectedEnds[i]) {
      at.warn(`/roles/${role}/cardinality`, "written_otherwise", "the property implies another cardinality");
    }
  }
  const roleKeys = toLegalKeys([holder, holder === child ? key : child]);
  for (const [i, role] of roles.entries()) {
    if (role.key !== roleKeys[i === side ? 0 : 1]) {
      at.warn(`/roles/${i}/key`, "not_written", "JSON Schema has no roles; role keys are derived from the entities");
    }
  }
  return {
    ...{ relationship, at, holder, child, property, isInline, isAlternative },
    isMany: heldEnd === "many" && !isAlternative,
    isRequired: heldEnd === "one" && !isAlternative,
    isMap: shape === "map",
  };
}

function isHolderOf({ roles }: RelationshipDocument, heldKey: string) {
  return roles.every(({ entity }) => toKey(entity) === heldKey || toKey(entity).startsWith(`${heldKey}_`));
}
