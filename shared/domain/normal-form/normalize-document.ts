import type { EntityDocument, ModelDocument, RelationshipDocument } from "../document/document.ts";
import { compareByKey } from "../model/content.ts";
import type { Properties } from "../values/properties.ts";
import { findDialectRules } from "./dialect-rules.ts";
import type { Misfit } from "./normalize-column.ts";
import { normalizeReference, normalizeTable, type ReferenceSide, type TableReferences } from "./normalize-table.ts";
import { type NormalTypes, normalizeTypes } from "./normalize-types.ts";
import { getSourceName, getTableName, removeQualifier } from "./table-expressions.ts";

const NORMAL_FORMS = new WeakMap<ModelDocument, ModelDocument>();

/**
 * Returns the normal form of a document of a SQL dialect: two texts of one schema have the same normal form.
 * `properties` are those of the model if the document is a part of it.
 */
export function normalizeDocument(document: ModelDocument, properties = document.properties): ModelDocument {
  const cached = NORMAL_FORMS.get(document);
  if (cached) return cached;
  const { document: result } = normalizeWithMisfits(document, properties);
  NORMAL_FORMS.set(document, result);
  NORMAL_FORMS.set(result, result);
  return result;
}

/** Returns the normal form of a document, and the values that the types of their columns do not allow. */
export function normalizeWithMisfits(
  document: ModelDocument,
  properties: Properties | undefined = document.properties,
): { readonly document: ModelDocument; readonly misfits: readonly Misfit[] } {
  const rules = findDialectRules(properties);
  if (!rules) return { document, misfits: [] };
  const misfits: Misfit[] = [];
  const model = { document, rules, schemas: new Set(rules.schemas) };
  const types = normalizeTypes(document, model);
  const typed: ModelDocument = { ...document, ...(properties && { properties }), types: types.types };
  const tables = new Map(document.entities.map((entity) => [`key:${entity.key}`, indexColumns(entity)]));
  const sides = document.relationships.map((one) => listSides(one, tables));
  const references = groupReferences(document.relationships, sides);
  const addMisfit = (misfit: Misfit) => misfits.push(misfit);
  const entities = document.entities.map((entity) =>
    normalizeTable(entity, {
      ...model,
      types,
      typed,
      addMisfit,
      references: references.get(getTableName(entity)) ?? new Map(),
    }),
  );
  const relationships = document.relationships.map((one, i) => normalizeReference(one, sides[i] ?? [], model));
  return { document: { ...document, types: updateTypes(typed, entities, types), entities, relationships }, misfits };
}

interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
}

function indexColumns(entity: EntityDocument): Table {
  const columns = new Map((entity.attributes ?? []).map((one) => [`key:${one.key}`, getSourceName(one)]));
  return { name: getSourceName(entity), columns };
}

/** Returns the tables of a relationship with the columns that join them. */
function listSides(
  { roles, keyPairs = [] }: RelationshipDocument,
  tables: ReadonlyMap<string, Table>,
): readonly ReferenceSide[] {
  return roles.map(({ entity }, i) => {
    const table = tables.get(entity);
    return {
      table: removeQualifier(table?.name ?? ""),
      columns: keyPairs.map((pair) => table?.columns.get(pair[i] ?? "") ?? ""),
    };
  });
}

/** Groups the foreign keys by their tables, and their names by their columns. */
function groupReferences(
  relationships: readonly RelationshipDocument[],
  sides: readonly (readonly ReferenceSide[])[],
): ReadonlyMap<string, TableReferences> {
  const byTable = new Map<string, Map<string, Set<unknown>>>();
  for (const [i, { properties = {} }] of relationships.entries()) {
    for (const { table, columns } of sides[i] ?? []) {
      const names = byTable.get(table) ?? new Map<string, Set<unknown>>();
      byTable.set(table, names);
      const list = columns.join("\n");
      names.set(list, (names.get(list) ?? new Set()).add(properties["sql:constraint"]));
    }
  }
  return byTable;
}

/** Adds the types that columns got, and removes those that no column has any longer. */
function updateTypes(
  { types, entities: before }: ModelDocument,
  after: readonly EntityDocument[],
  { toRef }: NormalTypes,
): ModelDocument["types"] {
  const list = (entities: readonly EntityDocument[]) =>
    new Set(entities.flatMap(({ attributes = [] }) => attributes.flatMap(({ type }) => type ?? [])));
  const [oldRefs, newRefs] = [new Set([...list(before)].map(toRef)), list(after)];
  const kept = types.filter(({ key, description, properties }) => {
    const isLost = oldRefs.has(`key:${key}`) && !newRefs.has(`key:${key}`);
    return !isLost || description !== undefined || properties !== undefined;
  });
  const keys = new Set(types.map(({ key }) => `key:${key}`));
  const additions = [...newRefs].filter((ref) => !oldRefs.has(ref) && !keys.has(ref));
  return [...kept, ...additions.map((ref) => ({ key: ref.slice("key:".length) }))].sort(compareByKey);
}
