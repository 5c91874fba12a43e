import { isObject } from "./checks.ts";
import type { DocAttribute, RefDocument } from "./document.ts";
import { type Found, type ImportTerms, list, type Source, text } from "./source.ts";

/** True for a member with a value; an empty one is lost without a warning. */
const hasValue = (value: unknown): boolean => value !== undefined && (!Array.isArray(value) || value.length > 0);
const refsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns an object unless it is empty. */
const nonEmpty = (value: unknown): Source | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? value : undefined;

/** The members that all objects may have. */
const described = (s: Source) => ({
  ...{ id: text(s.id), renamedFrom: text(s.renamedFrom), origin: text(s.origin) },
  ...{ key: String(s.key), name: text(s.name), description: text(s.description), properties: nonEmpty(s.properties) },
});
const linked = (s: Source) => ({ documentationHome: text(s.documentationHome) });
const marks = ({ tags }: Source) => (refsOf(tags).length > 0 ? { tags: refsOf(tags) } : {});

/** Reads a valid document of a model; `test/formats/own-format.test.ts` has the invalid ones. Only the key may be missing. */
export function readOwnDocument(source: Source, { modelKey, modelName }: ImportTerms, found: Found): RefDocument {
  const given = modelKey ?? text(source.key);
  if (given === undefined) found.faults.push("/key");
  const key = String(given);
  const isFirst = source.$schema === "urn:metaction:model:1";
  const attributesOf = (holder: Source, place: string): DocAttribute[] =>
    list(holder.attributes).map((a, i) => {
      if (isFirst && hasValue(a.constraints)) found.warnings.push(`${place}/attributes/${i}/constraints`);
      const constraints = isFirst ? undefined : nonEmpty(a.constraints);
      return { ...described(a), type: String(a.type), optional: a.optional === true, constraints, ...marks(a) };
    });
  const pairsOf = (r: Source, place: string): { readonly keyPairs?: readonly (readonly string[])[] } => {
    if (isFirst && r.keyPairs !== undefined) found.warnings.push(`${place}/keyPairs`);
    const pairs = isFirst ? [] : list(r.keyPairs);
    return pairs.length > 0 ? { keyPairs: pairs.map(refsOf) } : {};
  };
  return {
    ...described(source),
    ...{ key, name: modelName ?? text(source.name) ?? key },
    ...{ version: text(source.version) ?? "0.0.1", authority: text(source.authority) ?? "system" },
    ...linked(source),
    ...marks(source),
    types: list(source.types).map(described),
    entities: list(source.entities).map((e, i) => ({
      ...{ ...described(e), ...linked(e), ...marks(e) },
      attributes: attributesOf(e, `/entities/${i}`),
      primaryKey: refsOf(e.primaryKey),
    })),
    relationships: list(source.relationships).map((r, i) => ({
      ...{ ...described(r), ...marks(r) },
      roles: list(r.roles).map((role) => ({
        ...{ id: text(role.id), renamedFrom: text(role.renamedFrom), key: String(role.key), name: text(role.name) },
        ...{ entity: String(role.entity), cardinality: String(role.cardinality) },
      })),
      ...pairsOf(r, `/relationships/${i}`),
      attributes: attributesOf(r, `/relationships/${i}`),
    })),
    businessKeys: list(source.businessKeys).map((b) => ({
      ...described(b),
      entity: String(b.entity),
      participants: refsOf(b.participants),
    })),
    localTags: list(source.localTags).map(described),
    tagGroups: list(source.tagGroups).map((group) => ({
      ...{ ...described(group), origin: undefined },
      tags: list(group.tags).map(described),
    })),
  };
}
