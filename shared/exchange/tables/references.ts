import type { AttributeDocument, RelationshipDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Cardinality } from "../../domain/structure-types.ts";
import type { KeptValue } from "../frictionless/kept-properties.ts";
import { legalKeys } from "../legal-key.ts";
import { quoted } from "../quoted.ts";
import { below, originAt } from "../source-place.ts";
import type { PartTerms, TableEntity } from "./entities.ts";
import { keptOf, propertiesOf, textsOf, warnKey } from "./part-members.ts";
import type { SourceReference } from "./source-tables.ts";
import { uniqueAmong } from "./unique-sets.ts";

/** A reference of which both sides were found. */
interface Found {
  readonly source: SourceReference;
  readonly from: TableEntity;
  readonly to: TableEntity;
  readonly pairs: readonly (readonly [AttributeDocument, AttributeDocument])[];
  readonly name: string;
}

/** Relationships of references, and by the keys of entities the references that are none. */
export interface Relationships {
  readonly relationships: readonly RelationshipDocument[];
  readonly unplaced: ReadonlyMap<string, readonly KeptValue[]>;
}

/** The relationships of references; one whose other side is not in the source is a property of its entity, with a warning. */
export function relationshipsOf(
  tables: readonly TableEntity[],
  references: readonly SourceReference[],
  terms: PartTerms,
): Relationships {
  const byId = new Map(tables.map((table) => [table.source.id, table]));
  const lost = new Map<string, SourceReference[]>();
  const isUnique = new Map(tables.map((table) => [table, uniqueAmong(table.unique)]));
  const found = references.flatMap((source): readonly Found[] => {
    const from = byId.get(source.from);
    const one = from && sidesOf(source, from, byId);
    if (one) return [one];
    const key = from?.entity.key;
    if (key !== undefined) {
      const others = lost.get(key);
      if (others) others.push(source);
      else lost.set(key, [source]);
    } else source.findings.warn("", "not_carried_over", `the source has no table ${quoted(source.from)}`);
    return [];
  });
  const keys = legalKeys(found.map(({ name }) => name));
  const relationships = found.map((one, i) => {
    const isSingle = isUnique.get(one.from)?.(one.pairs.map(([{ key }]) => key)) === true;
    return relationshipOf(one, keys[i] ?? one.name, isSingle, terms);
  });
  const unplaced = [...lost].map(([key, sources]) => [key, [lostValue(sources, terms)]] as const);
  return { relationships, unplaced: new Map(unplaced) };
}

function sidesOf(
  source: SourceReference,
  from: TableEntity,
  byId: ReadonlyMap<string, TableEntity>,
): Found | undefined {
  const { columns, referred, findings } = source;
  const to = byId.get(source.to);
  const lose = (why: string): undefined => {
    findings.warn("", "kept_as_property", `${why}, so it is no relationship but kept as a property`);
  };
  if (!to) return lose(`the source has no table ${quoted(source.to)}`);
  // Without the other columns the primary key is meant.
  const others = referred.length > 0 || columns.length === 0 ? referred : to.source.primaryKey;
  if (columns.length !== others.length || columns.length > LIMITS.keyPairs) {
    return lose(`${columns.length} column(s) cannot refer to ${others.length}`);
  }
  const pairs = columns.flatMap((column, i) => {
    const pair = [from.columns.get(column), to.columns.get(others[i] ?? "")] as const;
    return pair[0] && pair[1] ? [[pair[0], pair[1]] as const] : [];
  });
  if (pairs.length < columns.length) return lose("it names a column that is not there");
  const name = source.name ?? [from.entity.key, ...columns].join("_");
  return { source, from, to, pairs, name };
}

function relationshipOf(
  { source, from, to, pairs, name }: Found,
  key: string,
  isSingle: boolean,
  terms: PartTerms,
): RelationshipDocument {
  const { namespace, place } = terms;
  warnKey({ name, findings: source.findings }, key);
  const isSelf = from === to;
  const [referring = "", referred = ""] = legalKeys([
    from.entity.key,
    isSelf ? source.columns.join("_") || name : to.entity.key,
  ]);
  const [here, there] = source.cardinalities ?? cardinalitiesOf(isSingle, pairs);
  const given =
    source.title === undefined && source.name === undefined ? { ...source, name: key } : { ...source, name };
  return {
    key,
    ...textsOf(given, key),
    roles: [
      { key: referring, entity: `key:${from.entity.key}`, cardinality: here },
      { key: referred, entity: `key:${to.entity.key}`, cardinality: there },
    ],
    ...(pairs.length > 0 && { keyPairs: distinct(pairs.map(([a, b]) => [`key:${a.key}`, `key:${b.key}`] as const)) }),
    attributes: [],
    ...propertiesOf(namespace, keptOf(namespace, source.kept, source.findings)),
    ...originAt(below(place, ...source.path)),
  };
}

/** A side is `zeroOrOne` where its rows are told apart by the columns, and the other one `one` where none of them may be absent. */
function cardinalitiesOf(isSingle: boolean, pairs: Found["pairs"]): readonly [Cardinality, Cardinality] {
  return [isSingle ? "zeroOrOne" : "many", pairs.every(([{ optional }]) => !optional) ? "one" : "zeroOrOne"];
}

function distinct<P extends readonly [string, string]>(pairs: readonly P[]): P[] {
  return [...new Map(pairs.map((pair) => [pair.join("\n"), pair])).values()];
}

function lostValue(sources: readonly SourceReference[], { namespace }: PartTerms): KeptValue {
  const value = sources.map(({ name, to, columns, referred, kept }) => ({
    ...(name !== undefined && { name }),
    ...{ columns, to, referred, ...kept },
  }));
  // There is a first one in each list.
  return { name: `${namespace}:references`, value, findings: (sources[0] as SourceReference).findings };
}
