import type { AttributeDocument, ModelDocument } from "../document/document.ts";
import { findDialectRules } from "./dialect-rules.ts";

/** Returns a name as every database of a dialect would find it without quotes, in lower case; others stay in quotes. */
type FoldName = (name: string) => string;

/** Tests whether both models are of databases of different dialects, whose names only their rules make comparable. */
export function areOfDifferentDialects(left: ModelDocument, right: ModelDocument): boolean {
  const [one, other] = [findDialectRules(left.properties), findDialectRules(right.properties)];
  return one !== undefined && other !== undefined && one.dialect !== other.dialect;
}

/** Returns a model with the names of its tables, columns and keys in lower case, where its database ignores their case. */
export function foldNames(document: ModelDocument): ModelDocument {
  const rules = findDialectRules(document.properties);
  if (!rules) return document;
  const fold = createFold(rules.notation.names);
  const entityKeys = foldKeys(document.entities, fold);
  const attributeKeys = new Map(
    document.entities.map(({ key, attributes }) => [`key:${key}`, foldKeys(attributes, fold)]),
  );
  const toRef = (keys: ReadonlyMap<string, string> | undefined) => (ref: string) =>
    `key:${keys?.get(ref.slice(4)) ?? ref.slice(4)}`;
  const toEntityRef = toRef(entityKeys);
  const renameAll = <O extends { readonly key: string }>(
    objects: readonly O[],
    keys: ReadonlyMap<string, string>,
  ): readonly O[] => objects.map((one) => ({ ...one, key: keys.get(one.key) ?? one.key }));
  const relationshipKeys = foldKeys(document.relationships, fold);
  return {
    ...document,
    entities: renameAll(document.entities, entityKeys).map((entity, i) => {
      const keys = attributeKeys.get(`key:${document.entities[i]?.key}`) ?? new Map();
      const attributes: readonly AttributeDocument[] = renameAll(entity.attributes, keys);
      return { ...entity, attributes, primaryKey: entity.primaryKey.map(toRef(keys)) };
    }),
    relationships: renameAll(document.relationships, relationshipKeys).map((relationship) => {
      const { roles, keyPairs } = relationship;
      const own = renameAll(roles, foldKeys(roles, fold)).map((role) => ({
        ...role,
        entity: toEntityRef(role.entity),
      }));
      if (!keyPairs) return { ...relationship, roles: own };
      const [first, second] = [0, 1].map((i) => toRef(attributeKeys.get(roles[i]?.entity ?? "")));
      const pairs = keyPairs.map(([a, b]) => [first?.(a) ?? a, second?.(b) ?? b] as const);
      return { ...relationship, roles: own, keyPairs: pairs };
    }),
    businessKeys: renameAll(document.businessKeys, foldKeys(document.businessKeys, fold)).map((key) => ({
      ...key,
      entity: toEntityRef(key.entity),
      participants: key.participants.map(toRef(attributeKeys.get(key.entity))),
    })),
  };
}

/** Names in the case to which a database turns names without quotes are found by any case of their letters. */
function createFold(names: "lower" | "upper" | "kept"): FoldName {
  if (names === "kept") return (name) => name.toLowerCase();
  const turn = (name: string) => (names === "lower" ? name.toLowerCase() : name.toUpperCase());
  return (name) => (turn(name) === name ? name.toLowerCase() : name);
}

/** Returns the folded keys of objects; a key that another one would become too stays as it is. */
function foldKeys(objects: readonly { readonly key: string }[], fold: FoldName): ReadonlyMap<string, string> {
  const byFolded = Map.groupBy(objects, ({ key }) => fold(key));
  return new Map(
    [...byFolded].flatMap(([folded, all]) => all.map(({ key }) => [key, all.length === 1 ? folded : key])),
  );
}
