import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { differentSets } from "../frictionless/different-sets.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { sqlType } from "../tables/sql-type.ts";
import { columnType } from "../writing/column-type.ts";
import type { ModelColumn, ModelReference, ModelTable } from "../writing/model-tables.ts";
import { type OwnMembers, ownMembers } from "../writing/own-members.ts";
import { tagTexts } from "../writing/tag-texts.ts";
import { writtenName } from "../writing/written-name.ts";

/** The places of tables in a properties file, and how tests refer to them. */
export interface DbtNames {
  placeOf(table: ModelTable): { readonly type: string; readonly source?: string | undefined; readonly name: string };
  /** `ref('orders')` or `source('shop', 'orders')`; undefined for a name that no such call takes. */
  refTo(table: ModelTable): string | undefined;
}

const TAKEN = new Set(["name", "description", "columns", "data_tests", "constraints", "tags", "index"]);

/** A table as a node with its columns, tests and constraints. */
export function nodeOf(
  table: ModelTable,
  references: readonly ModelReference[],
  document: ModelDocument,
  names: DbtNames,
): JsonObject {
  const { entity, columns, primaryKey, unique, at } = table;
  const { resource_type: _, tests, ...members } = withMeta(ownMembers(entity.properties, "dbt", TAKEN, at));
  const written = (keys: readonly string[]): readonly string[] =>
    keys.map((key) => {
      const column = columns.find((one) => one.key === key);
      return column ? writtenName(column.attribute) : key;
    });
  const sets = differentSets(unique.map((set) => set.columns)).filter((set) => set.length > 1);
  const constraints = [
    ...(primaryKey.length > 0 ? [{ type: "primary_key", columns: written(primaryKey) }] : []),
    ...sets.map((set) => ({ type: "unique", columns: written(set) })),
    ...references.flatMap((reference) => foreignKey(reference)),
  ];
  return {
    name: names.placeOf(table).name,
    ...ifDefined("description", entity.description),
    ...tagsOf(document, entity.tags, members.config),
    ...members,
    ...(constraints.length > 0 && { constraints }),
    ...(Array.isArray(tests) && tests.length > 0 && { data_tests: tests as readonly unknown[] }),
    ...(columns.length > 0 && { columns: columns.map((column) => columnOf(column)) }),
  };

  function foreignKey({ to, columns: from, referred, at: place }: ModelReference): readonly JsonObject[] {
    const ref = names.refTo(to);
    if (ref === undefined) {
      place.warn("/roles", "not_written", "a test of dbt cannot refer to a table of that name");
      return [];
    }
    if (from.length === 1) return [];
    return [{ type: "foreign_key", columns: written(from), to: ref, to_columns: namesIn(to, referred) }];
  }

  function columnOf(column: ModelColumn): JsonObject {
    const { attribute, key, inKey, at: place } = column;
    const { constraints: keywords = {}, description, optional, tags, properties = {} } = attribute;
    const isUnique = unique.some((set) => set.columns.length === 1 && set.columns[0] === key);
    const { text, keywords: said, properties: arguments_ } = columnType(column, "dbt");
    if (keywords.maxLength !== undefined && !said.has("maxLength")) {
      place.warn("/constraints/maxLength", "not_written", "only types of texts have a length");
    }
    if (sqlType(text).type !== column.type)
      place.warn("/type", "written_otherwise", "a type in brackets has arguments");
    const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !arguments_.has(name)));
    const { tests: others, ...more } = withMeta(ownMembers(kept, "dbt", TAKEN, place));
    const tests: readonly unknown[] = [
      ...(optional || inKey ? [] : ["not_null"]),
      ...(isUnique ? ["unique"] : []),
      ...(keywords.enum === undefined ? [] : [{ accepted_values: { values: keywords.enum } }]),
      ...references.flatMap((reference) => relationshipTest(reference, key)),
      ...(Array.isArray(others) ? (others as readonly unknown[]) : []),
    ];
    return {
      name: writtenName(attribute),
      ...ifDefined("description", description),
      ...(column.type !== "any" && { data_type: text }),
      ...tagsOf(document, tags, more.config),
      ...more,
      ...(tests.length > 0 && { data_tests: tests }),
    };
  }

  function relationshipTest({ to, columns: from, referred }: ModelReference, key: string): readonly JsonObject[] {
    const ref = names.refTo(to);
    if (from.length !== 1 || from[0] !== key || ref === undefined) return [];
    return [{ relationships: { to: ref, field: namesIn(to, referred)[0] } }];
  }
}

function namesIn({ columns }: ModelTable, keys: readonly string[]): readonly string[] {
  return keys.map((key) => {
    const column = columns.find((one) => one.key === key);
    return column ? writtenName(column.attribute) : key;
  });
}

/** Tags that no configuration says already. */
function tagsOf(document: ModelDocument, refs: readonly string[] | undefined, config: unknown): JsonObject {
  const said: unknown = isObject(config) ? config.tags : undefined;
  const known = (Array.isArray(said) ? said : [said]).filter((one) => typeof one === "string");
  const tags = tagTexts(document, refs).filter((text) => !known.includes(text));
  return tags.length > 0 ? { tags } : {};
}

/** Members with the properties of no member under `meta`. */
function withMeta({ members, others }: OwnMembers): JsonObject {
  if (others.length === 0) return members;
  return { ...members, meta: { ...(isObject(members.meta) && members.meta), ...Object.fromEntries(others) } };
}
