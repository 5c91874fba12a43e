import { isObject, under } from "./checks.ts";
import type { DocAttribute, RefDocument } from "./document.ts";
import { propertiesFault } from "./properties.ts";
import { type Found, type ImportTerms, list, type Source, text } from "./source.ts";
import { faultsOf } from "./values.ts";

const linked = (s: Source) => ({ documentationHome: text(s.documentationHome) });
/** The members by which an object of a model is found again. */
const identifying = (s: Source) => ({ id: text(s.id), renamedFrom: text(s.renamedFrom) });
/** True for a member that says something: what says nothing is lost without a word. */
const isSaid = (value: unknown): boolean => value !== undefined && (!Array.isArray(value) || value.length > 0);
const refsTo = (all: readonly Source[]): readonly string[] => all.map(({ key }) => `key:${key}`);

/** A model document as it stands: whatever in it is wrong refuses it. */
export function readOwnDocument(source: Source, { modelKey, modelName }: ImportTerms, found: Found): RefDocument {
  const given = modelKey ?? text(source.key);
  if (given === undefined) found.faults.push("/key");
  const key = String(given);
  const isFirst = source.$schema === "urn:metaction:model:1";
  const [types, entities, relationships] = [list(source.types), list(source.entities), list(source.relationships)];
  const [businessKeys, localTags, groups] = [list(source.businessKeys), list(source.localTags), list(source.tagGroups)];
  const tagRefs = [
    ...refsTo(localTags),
    ...groups.flatMap((group) => list(group.tags).map((tag) => `key:${group.key}/${tag.key}`)),
  ];

  /** The members of every object; `place` is its own. */
  const described = (s: Source, place: string) => {
    const properties = isObject(s.properties) && Object.keys(s.properties).length > 0 ? s.properties : undefined;
    if (s.properties !== undefined) {
      found.wrong.push(...propertiesFault(s.properties).map((below) => `${place}/properties${below}`));
    }
    const own = { key: String(s.key), name: text(s.name), description: text(s.description), properties };
    return { ...identifying(s), ...own, origin: text(s.origin) };
  };
  const allDescribed = (all: readonly Source[], place: string) => all.map((s, i) => described(s, `${place}/${i}`));
  const oneOf = (refs: readonly string[], ref: unknown, place: string): string => {
    if (!refs.includes(String(ref))) found.faults.push(place);
    return String(ref);
  };
  const keysOf = (all: readonly Source[], type: string, place: string): void => {
    for (const [i, { key }] of all.entries()) {
      if (faultsOf(type, key).length > 0) found.wrong.push(`${place}/${i}/key`);
      else if (all.findIndex((one) => one.key === key) < i) found.wrong.push(`${place}/${i}/key`);
    }
  };
  const marks = (holder: Source, place: string) => {
    const named = list(holder.tags).map((ref, i) => oneOf(tagRefs, ref, `${place}/tags/${i}`));
    for (const [i, ref] of named.entries())
      if (named.indexOf(ref) < i && tagRefs.includes(ref)) found.wrong.push(`${place}/tags/${i}`);
    return named.length > 0 ? { tags: named } : {};
  };
  const attributesOf = (holder: Source, place: string): DocAttribute[] => {
    const all = list(holder.attributes);
    keysOf(all, "AttributeKey", `${place}/attributes`);
    return all.map((a, i) => {
      const at = `${place}/attributes/${i}`;
      const type = oneOf(refsTo(types), a.type, `${at}/type`);
      const { constraints: given = undefined } = isFirst ? {} : a;
      const constraints = isObject(given) && Object.keys(given).length === 0 ? undefined : given;
      if (isFirst && isSaid(a.constraints)) found.warnings.push(`${at}/constraints`);
      if (constraints !== undefined)
        found.wrong.push(...under(`${at}/constraints`, faultsOf("Constraints", constraints)));
      return { ...described(a, at), type, optional: a.optional === true, constraints, ...marks(a, at) };
    });
  };

  const pairsOf = (r: Source, place: string): { readonly keyPairs?: readonly (readonly string[])[] } => {
    const isFirst = source.$schema === "urn:metaction:model:1";
    if (isFirst && r.keyPairs !== undefined) found.warnings.push(`${place}/keyPairs`);
    const pairs = isFirst ? [] : list(r.keyPairs);
    if (pairs.length === 0) return {};
    const sides = list(r.roles).map((role) => entities.find((e) => `key:${e.key}` === role.entity));
    if (sides.length !== 2) found.faults.push(`${place}/keyPairs`);
    if (sides.length !== 2) return {};
    const named = pairs.map((pair, i) =>
      sides.map((side, j) => {
        const ref = String(Reflect.get(pair, j));
        return side ? oneOf(refsTo(list(side.attributes)), ref, `${place}/keyPairs/${i}/${j}`) : ref;
      }),
    );
    const texts = named.map((pair) => pair.join("\n"));
    for (const [i, text] of texts.entries()) if (texts.indexOf(text) < i) found.wrong.push(`${place}/keyPairs/${i}`);
    return { keyPairs: named };
  };

  keysOf(types, "TypeKey", "/types");
  keysOf(entities, "EntityKey", "/entities");
  keysOf(relationships, "RelationshipKey", "/relationships");
  keysOf(businessKeys, "BusinessKeyKey", "/businessKeys");
  keysOf(localTags, "TagKey", "/localTags");
  keysOf(groups, "TagGroupKey", "/tagGroups");
  for (const [i, group] of groups.entries()) keysOf(list(group.tags), "TagKey", `/tagGroups/${i}/tags`);
  return {
    ...described(source, ""),
    key,
    name: modelName ?? text(source.name) ?? key,
    version: text(source.version) ?? "0.0.1",
    authority: text(source.authority) ?? "system",
    ...linked(source),
    ...marks(source, ""),
    types: allDescribed(types, "/types"),
    entities: entities.map((e, i) => ({
      ...described(e, `/entities/${i}`),
      ...linked(e),
      ...marks(e, `/entities/${i}`),
      attributes: attributesOf(e, `/entities/${i}`),
      primaryKey: list(e.primaryKey).map((ref, j) =>
        oneOf(refsTo(list(e.attributes)), ref, `/entities/${i}/primaryKey/${j}`),
      ),
    })),
    relationships: relationships.map((r, i) => {
      const place = `/relationships/${i}`;
      const roles = list(r.roles);
      keysOf(roles, "RelationshipRoleKey", `${place}/roles`);
      if (roles.length < 2) found.wrong.push(`${place}/roles`);
      return {
        ...described(r, place),
        ...marks(r, place),
        roles: roles.map((role, j) => {
          const cardinality = String(role.cardinality);
          const isOne = faultsOf("RelationshipCardinality", cardinality).length === 0;
          if (!isOne) found.wrong.push(`${place}/roles/${j}/cardinality`);
          const entity = oneOf(refsTo(entities), role.entity, `${place}/roles/${j}/entity`);
          return { ...identifying(role), key: String(role.key), name: text(role.name), entity, cardinality };
        }),
        ...pairsOf(r, place),
        attributes: attributesOf(r, place),
      };
    }),
    businessKeys: businessKeys.map((b, i) => {
      const entity = oneOf(refsTo(entities), b.entity, `/businessKeys/${i}/entity`);
      const owner = entities.find((e) => `key:${e.key}` === entity);
      const participants = list(b.participants).map((ref, j) =>
        owner ? oneOf(refsTo(list(owner.attributes)), ref, `/businessKeys/${i}/participants/${j}`) : String(ref),
      );
      return { ...described(b, `/businessKeys/${i}`), entity, participants };
    }),
    localTags: allDescribed(localTags, "/localTags"),
    tagGroups: groups.map((group, i) => ({
      ...described(group, `/tagGroups/${i}`),
      origin: undefined,
      tags: allDescribed(list(group.tags), `/tagGroups/${i}/tags`),
    })),
  };
}
