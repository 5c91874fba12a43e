import type { Chance } from "../../support/chance.ts";
import type { Body } from "../../support/world.ts";

export interface Drawn {
  readonly key: string;
  /** True where it says of everything that it has no value, so that nothing of a model stays as it was. */
  readonly saysAll?: boolean;
}

const KEYS = ["a", "b", "c", "d", "e"];

/** A model document out of few keys, so that two of them have much in common. */
export function aDocument(chance: Chance, { key, saysAll = false }: Drawn): Body {
  const some = (most: number): string[] =>
    shuffled(
      chance,
      KEYS.slice(0, most + 1).filter(() => chance.happens(0.6)),
    );
  const maybe = (member: string, probability: number, make: () => unknown): Body => {
    if (chance.happens(probability)) return { [member]: make() };
    return saysAll ? { [member]: null } : {};
  };
  const texts = (): Body => ({
    ...maybe("name", 0.3, () => chance.pick(["One", "Two"])),
    ...maybe("description", 0.3, () => chance.pick(["*This*.", "That."])),
    ...maybe("properties", 0.3, () => ({ level: chance.pick([1, null, "x"]) })),
  });
  const renamed = (): Body => (chance.happens(0.15) ? { renamedFrom: chance.pick(KEYS) } : {});
  const named = (objectKey: string): Body => ({ key: objectKey, ...renamed(), ...texts() });
  const types = [...new Set([...some(3), "text"])];
  const tags = some(2);
  const marks = (): Body => maybe("tags", 0.3, () => tags.filter(() => chance.happens(0.5)).map((tag) => `key:${tag}`));
  const attribute = (attributeKey: string): Body => ({
    ...named(attributeKey),
    type: `key:${chance.pick(types)}`,
    optional: chance.happens(0.5),
    ...maybe("constraints", 0.3, () => ({ maxLength: 1 + chance.below(3) })),
    ...marks(),
  });
  const refs = (all: readonly Body[], most: number): string[] =>
    shuffled(chance, [...all])
      .slice(0, chance.below(most + 1))
      .map((one) => `key:${one.key}`);
  const entities = some(3).map((entityKey): Body => {
    const attributes = some(4).map(attribute);
    return {
      ...named(entityKey),
      ...maybe("documentationHome", 0.2, () => "https://example.com/x"),
      ...marks(),
      attributes,
      primaryKey: refs(attributes, 2),
    };
  });
  const relationships = entities.length === 0 ? [] : some(2).map((relationshipKey) => relationship(relationshipKey));
  function relationship(relationshipKey: string): Body {
    const keys = shuffled(chance, [...KEYS])
      .slice(0, chance.happens(0.7) ? 2 : 3)
      .sort();
    const roles: readonly Body[] = keys.map((roleKey) => ({
      ...{ key: roleKey, ...renamed(), ...maybe("name", 0.2, () => "Side") },
      entity: `key:${chance.pick(entities).key}`,
      cardinality: chance.pick(["one", "many", "zeroOrOne", "unknown"]),
    }));
    const [first, second] = roles.map(
      (role) => entities.find((one) => role.entity === `key:${one.key}`)?.attributes ?? [],
    );
    const canJoin = roles.length === 2 && first.length > 0 && second.length > 0;
    const pair = () => [`key:${chance.pick<Body>(first).key}`, `key:${chance.pick<Body>(second).key}`];
    const joined = canJoin ? maybe("keyPairs", 0.5, () => [pair()]) : saysAll ? { keyPairs: null } : {};
    const attributes = some(2).map(attribute);
    return { ...named(relationshipKey), ...marks(), roles, ...joined, attributes };
  }
  const businessKeys =
    entities.length === 0
      ? []
      : some(2).map((businessKeyKey): Body => {
          const entity = chance.pick(entities);
          const own = named(businessKeyKey);
          return { ...own, entity: `key:${entity.key}`, participants: refs(entity.attributes, 2) };
        });
  return {
    ...{ $schema: "urn:metaction:model:2", key, ...texts(), name: "A model" },
    ...maybe("documentationHome", 0.2, () => "https://example.com/m"),
    ...marks(),
    ...{ types: types.map(named), entities, relationships, businessKeys, localTags: tags.map(named), tagGroups: [] },
  };
}

function shuffled<T>(chance: Chance, all: T[]): T[] {
  for (let i = all.length - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}
