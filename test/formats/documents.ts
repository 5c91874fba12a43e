import fc from "fast-check";
import { v7 } from "uuid";
import * as z from "zod/mini";
import { constraints as constraintsType } from "../../shared/domain/constraints/check.ts";
import type { Constraints } from "../../shared/domain/constraints/keywords.ts";
import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
  RoleDocument,
  TagGroupDocument,
} from "../../shared/domain/document/document.ts";
import { readObjects } from "../../shared/domain/document/read-document.ts";
import { indexTagIdsByRef, toDocument } from "../../shared/domain/document/write-document.ts";
import { type GlobalTags, toModelContent } from "../../shared/domain/model/content.ts";
import { toCanonicalJson } from "../../shared/domain/text/json-values.ts";
import { CARDINALITIES } from "../../shared/domain/values/model-types.ts";
import { properties as propertiesType } from "../../shared/domain/values/properties.ts";

/** The document a model made of this one would export, in an instance that has its global tags: canonical, with ids. */
export function exported(document: ModelDocument): ModelDocument {
  const tags = globalTagsOf(document.tagGroups);
  const content = toModelContent(readObjects(document, v7, indexTagIdsByRef(tags)));
  if (!content) throw new Error("no model");
  return toDocument(content, tags);
}

/** The global tags of a document's groups, in an instance that has them. */
export function globalTagsOf(groups: readonly TagGroupDocument[]): GlobalTags {
  return new Map(
    groups.flatMap(({ tags, ...described }) => {
      const group = { ...stored(described), kind: "tag_group" as const, id: v7(), revision: 1 };
      return tags.map((tag) => {
        const made = { ...stored(tag), kind: "global_tag" as const, id: v7(), revision: 1, owner: group.id };
        return [made.id, { group, tag: made }] as const;
      });
    }),
  );
}

function stored<T extends { readonly properties?: object }>({ properties, ...own }: T) {
  return { ...own, ...(properties && { properties: toCanonicalJson(properties) }) };
}

/** A document without the ids of its objects, or without other members; properties and constraints are kept as they are. */
export function withoutIds(document: unknown, removed: readonly string[] = ["id"]): unknown {
  const strip = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(strip);
    if (typeof part !== "object" || part === null) return part;
    const members = Object.entries(part).filter(([member]) => !removed.includes(member));
    return Object.fromEntries(members.map(([member, one]) => [member, VALUES.has(member) ? one : strip(one)]));
  };
  return strip(JSON.parse(JSON.stringify(document)));
}

const VALUES: ReadonlySet<string> = new Set(["properties", "constraints"]);

const key = fc.stringMatching(/^[ !#-&(-[\]-_a-~]{1,128}$/);
const strictKey = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);
const name = fc.stringMatching(/^[^\r\n\u2028\u2029]{1,100}$/u).filter((s) => s.trim() !== "" && s.isWellFormed());
const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((s) => s.trim() !== "");
const link = fc.webUrl();
const optional = { requiredKeys: [] };
/** Named values, some under names that every object of JavaScript inherits. */
const properties = fc
  .dictionary(
    fc.oneof(key, fc.constantFrom("toString", "valueOf", "frictionless:missingValues")),
    fc.jsonValue({ maxDepth: 3 }),
    { minKeys: 1, maxKeys: 4 },
  )
  // JSON knows no -0, and no body may hold `__proto__`.
  .map((all) => JSON.parse(JSON.stringify(all)) as typeof all)
  .filter((all) => z.safeParse(propertiesType.schema(), all).success);

const described = fc.record({ name, description: text, properties }, optional);

const constraints = fc
  .record(
    {
      enum: fc.uniqueArray(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 4, selector: toCanonicalJson }),
      minimum: fc.double({ noNaN: true, noDefaultInfinity: true, max: 0 }),
      exclusiveMaximum: fc.double({ noNaN: true, noDefaultInfinity: true, min: 1 }),
      ...{ multipleOf: fc.constantFrom(5e-324, 0.1, 1e300), minLength: fc.nat(), pattern: fc.string(), format: name },
      ...{ default: fc.jsonValue({ maxDepth: 3 }), examples: fc.array(fc.jsonValue(), { maxLength: 3 }), unit: name },
      ...{ unique: fc.boolean(), uniqueItems: fc.boolean() },
    },
    optional,
  )
  .map((all) => JSON.parse(JSON.stringify(all)) as Constraints)
  .filter((all) => z.safeParse(constraintsType.schema(), all).success);

const keyed = <T>(
  keys: fc.Arbitrary<string>,
  count: { readonly minLength: number; readonly maxLength: number },
  one: (key: string) => fc.Arbitrary<T>,
): fc.Arbitrary<T[]> => fc.uniqueArray(keys, count).chain((list) => fc.tuple(...list.map(one)));

const tag = (tagKey: string) => described.map((d) => ({ key: tagKey, ...d }));
const tags = keyed(strictKey, { minLength: 0, maxLength: 3 }, tag);
const tagGroups = keyed(strictKey, { minLength: 0, maxLength: 3 }, (groupKey) =>
  fc.tuple(described, tags).map(([d, list]): TagGroupDocument => ({ key: groupKey, ...d, tags: list })),
);

interface Marks {
  readonly marks: fc.Arbitrary<{ readonly tags?: readonly string[] }>;
  readonly typeKeys: readonly string[];
}

const attributesOf = ({ marks, typeKeys }: Marks): fc.Arbitrary<AttributeDocument[]> =>
  keyed(key, { minLength: 0, maxLength: 5 }, (attributeKey) =>
    fc
      .tuple(described, fc.constantFrom(...typeKeys), fc.boolean(), fc.option(constraints, { nil: undefined }), marks)
      .map(([d, type, isOptional, constrained, m]) => ({
        key: attributeKey,
        ...d,
        type: `key:${type}`,
        optional: isOptional,
        ...(constrained && { constraints: constrained }),
        ...m,
      })),
  );

const refsTo = (objects: readonly { readonly key: string }[]): string[] => objects.map((o) => `key:${o.key}`);

const entitiesOf = (scope: Marks): fc.Arbitrary<EntityDocument[]> =>
  keyed(key, { minLength: 1, maxLength: 4 }, (entityKey) =>
    fc
      .tuple(
        described,
        fc.record({ documentationHome: link, origin: link }, optional),
        attributesOf(scope),
        scope.marks,
      )
      .chain(([d, links, attributes, m]) =>
        fc
          .shuffledSubarray(refsTo(attributes))
          .map((primaryKey) => ({ key: entityKey, ...d, ...links, ...m, attributes, primaryKey })),
      ),
  );

const relationshipsOf = (scope: Marks, entities: readonly EntityDocument[]): fc.Arbitrary<RelationshipDocument[]> =>
  keyed(key, { minLength: 0, maxLength: 3 }, (relationshipKey) => {
    const roles = keyed(key, { minLength: 2, maxLength: 4 }, (roleKey) =>
      fc
        .tuple(fc.record({ name }, optional), fc.constantFrom(...refsTo(entities)), fc.constantFrom(...CARDINALITIES))
        .map(([d, entity, cardinality]) => ({ key: roleKey, ...d, entity, cardinality })),
    );
    return fc.tuple(described, scope.marks, roles, attributesOf(scope)).chain(([d, m, ends, attributes]) =>
      pairsOf(ends, entities).map((pairs) => ({
        key: relationshipKey,
        ...d,
        ...m,
        roles: ends,
        ...pairs,
        attributes,
      })),
    );
  });

function pairsOf(roles: readonly RoleDocument[], entities: readonly EntityDocument[]) {
  const none: Pick<RelationshipDocument, "keyPairs"> = {};
  if (roles.length !== 2) return fc.constant(none);
  const [firsts = [], seconds = []] = roles.map(({ entity }) =>
    refsTo(entities.find(({ key: entityKey }) => `key:${entityKey}` === entity)?.attributes ?? []),
  );
  const all = firsts.flatMap((first) => seconds.map((second) => [first, second] as const));
  return fc.shuffledSubarray(all).map((keyPairs) => (keyPairs.length > 0 ? { keyPairs } : none));
}

const businessKeysOf = (entities: readonly EntityDocument[]): fc.Arbitrary<BusinessKeyDocument[]> =>
  keyed(key, { minLength: 0, maxLength: 3 }, (businessKey) =>
    fc.tuple(described, fc.constantFrom(...entities)).chain(([d, owner]) =>
      fc.shuffledSubarray(refsTo(owner.attributes)).map((participants) => ({
        key: businessKey,
        ...d,
        entity: `key:${owner.key}`,
        participants,
      })),
    ),
  );

const header = fc.tuple(
  key,
  name,
  fc.record({ description: text, properties, documentationHome: link, origin: link }, optional),
  fc.constantFrom("system" as const, "canonical" as const),
);

/** Models with everything a document can hold, in any order. */
export const models: fc.Arbitrary<ModelDocument> = fc
  .tuple(header, keyed(key, { minLength: 1, maxLength: 4 }, tag), tags, tagGroups)
  .chain(([[modelKey, modelName, rest, authority], types, localTags, groups]) => {
    const refs = [...refsTo(localTags), ...groups.flatMap((g) => g.tags.map((t) => `key:${g.key}/${t.key}`))];
    const marks = fc.shuffledSubarray(refs).map((list) => (list.length > 0 ? { tags: list } : {}));
    const scope = { marks, typeKeys: types.map((t) => t.key) };
    return fc.tuple(marks, entitiesOf(scope)).chain(([own, entities]) =>
      fc.tuple(relationshipsOf(scope, entities), businessKeysOf(entities)).map(([relationships, businessKeys]) => ({
        $schema: "urn:metaction:model:2" as const,
        key: modelKey,
        name: modelName,
        ...rest,
        version: "1.2.3-rc.1",
        authority,
        ...own,
        types,
        entities,
        relationships,
        businessKeys,
        localTags,
        tagGroups: groups,
      })),
    );
  });
