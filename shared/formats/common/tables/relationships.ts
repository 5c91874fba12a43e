import type { AttributeDocument, RelationshipDocument } from "../../../domain/document/document.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { createUniquenessTest } from "../column-sets.ts";
import { quote } from "../diagnostics.ts";
import type { KeptValue } from "../kept-properties.ts";
import { toLegalKeys } from "../legal-key.ts";
import { appendPath, toOrigin } from "../source-path.ts";
import {
  keepMembers,
  type PartTerms,
  readPartTexts,
  type TableEntity,
  toNamespaceProperties,
  warnKey,
} from "./entities.ts";
import type { SourceReference } from "./source-tables.ts";

interface ResolvedReference {
  readonly source: SourceReference;
  readonly from: TableEntity;
  readonly to: TableEntity;
  readonly pairs: readonly (readonly [AttributeDocument, AttributeDocument])[];
  readonly name: string;
}

/** A reference without a target, with the key of its entity. */
interface LostReference {
  readonly key: string;
  readonly source: SourceReference;
}

/** Relationships, and references without a target by entity key. */
export interface Relationships {
  readonly relationships: readonly RelationshipDocument[];
  readonly orphans: ReadonlyMap<string, readonly KeptValue[]>;
}

/** Creates relationships of references. One to an unknown table becomes a property of its entity. */
export function createRelationships(
  tables: readonly TableEntity[],
  references: readonly SourceReference[],
  terms: PartTerms,
): Relationships {
  const byId = new Map(tables.map((table) => [table.source.id, table]));
  const lostReferences: LostReference[] = [];
  const isUnique = new Map(tables.map((table) => [table, createUniquenessTest(table.unique)]));
  const matches = references.flatMap((source): readonly ResolvedReference[] => {
    const from = byId.get(source.from);
    const one = from && resolveSides(source, from, byId);
    if (one) return [one];
    const key = from?.entity.key;
    if (key !== undefined) lostReferences.push({ key, source });
    else source.diagnostics.warn("", "not_carried_over", `the source has no table ${quote(source.from)}`);
    return [];
  });
  const keys = toLegalKeys(matches.map(({ name }) => name));
  const relationships = matches.map((one, i) => {
    const isSingle = isUnique.get(one.from)?.(one.pairs.map(([{ key }]) => key)) === true;
    return toRelationship(one, keys[i] ?? one.name, isSingle, terms);
  });
  const orphans = new Map<string, readonly KeptValue[]>();
  for (const [key, own] of Map.groupBy(lostReferences, (one) => one.key)) orphans.set(key, [keepLost(own, terms)]);
  return { relationships, orphans };
}

function resolveSides(
  source: SourceReference,
  from: TableEntity,
  byId: ReadonlyMap<string, TableEntity>,
): ResolvedReference | undefined {
  const { columns, targets, diagnostics } = source;
  const to = byId.get(source.to);
  const lose = (reason: string): undefined => {
    diagnostics.warn("", "kept_as_property", `${reason}; it is kept as a property`);
  };
  if (!to) return lose(`the source has no table ${quote(source.to)}`);
  // Without referred columns, the primary key is meant.
  const others = targets.length > 0 || columns.length === 0 ? targets : to.source.primaryKey;
  if (columns.length !== others.length || columns.length > LIMITS.keyPairs) {
    return lose(`${columns.length} column(s) cannot refer to ${others.length}`);
  }
  const pairs = columns.flatMap((column, i) => {
    const pair = [from.columns.get(column), to.columns.get(others[i] ?? "")] as const;
    return pair[0] && pair[1] ? [[pair[0], pair[1]] as const] : [];
  });
  if (pairs.length < columns.length) return lose("it has an unknown column");
  const name = source.name ?? [from.entity.key, ...columns].join("_");
  return { source, from, to, pairs, name };
}

function toRelationship(
  { source, from, to, pairs, name }: ResolvedReference,
  key: string,
  isSingle: boolean,
  terms: PartTerms,
): RelationshipDocument {
  const { namespace, path } = terms;
  warnKey({ name, diagnostics: source.diagnostics }, key);
  const isSelf = from === to;
  const [fromRoleKey = "", toRoleKey = ""] = toLegalKeys([
    from.entity.key,
    isSelf ? source.columns.join("_") || name : to.entity.key,
  ]);
  const refs = pairs.map(([a, b]): [string, string] => [`key:${a.key}`, `key:${b.key}`]);
  const isRequired = pairs.every(([{ optional }]) => !optional);
  const defaults = [isSingle ? "zeroOrOne" : "many", isRequired ? "one" : "zeroOrOne"] as const;
  const [fromCardinality, toCardinality] = source.cardinalities ?? defaults;
  const namedSource = { ...source, name: source.title === undefined && source.name === undefined ? key : name };
  return {
    key,
    ...readPartTexts(namedSource, key),
    roles: [
      { key: fromRoleKey, entity: `key:${from.entity.key}`, cardinality: fromCardinality },
      { key: toRoleKey, entity: `key:${to.entity.key}`, cardinality: toCardinality },
    ],
    ...(pairs.length > 0 && { keyPairs: [...new Map(refs.map((pair) => [pair.join("\n"), pair])).values()] }),
    attributes: [],
    ...toNamespaceProperties(namespace, keepMembers(namespace, source.rest, source.diagnostics)),
    ...toOrigin(appendPath(path, ...source.path)),
  };
}

function keepLost(references: readonly LostReference[], { namespace }: PartTerms): KeptValue {
  const value = references.map(({ source: { name, to, columns, targets: referred, rest } }) => ({
    ...(name !== undefined && { name }),
    ...{ columns, to, referred, ...rest },
  }));
  return { name: `${namespace}:references`, value, diagnostics: (references[0] as LostReference).source.diagnostics };
}
