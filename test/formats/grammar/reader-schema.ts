import type { AttributeDocument, ModelDocument } from "../../../shared/domain/document/document.ts";
import { findReferenceSides } from "../../../shared/formats/common/writing/model-tables.ts";
import { literal, type SqlSchema, type SqlTable } from "./sql-schema.ts";

const bare = (ref: string): string => ref.replace(/^key:/, "");

/** What our reader made of a text of PostgreSQL, but for its views. */
export function toSqlSchema(document: ModelDocument): SqlSchema {
  const { entities, relationships, businessKeys, types, properties } = document;
  const schema = properties?.["sql:schema"];
  const typeNames = new Map(types.map(({ key, name }) => [key, name ?? key]));
  const described = new Set(types.filter((one) => one.properties !== undefined).map(({ key }) => `key:${key}`));
  const tableNames = new Map(
    entities.map(({ key, name }) => [`key:${key}`, schema === undefined ? (name ?? key) : `${schema}.${name ?? key}`]),
  );
  const columns = new Map(
    entities.map(({ key, attributes }) => [
      `key:${key}`,
      new Map(attributes.map((one) => [`key:${one.key}`, one.name ?? one.key])),
    ]),
  );
  const named = (entity: string, refs: readonly string[]): readonly string[] =>
    refs.map((ref) => columns.get(entity)?.get(ref) ?? ref);
  const tables = new Map<string, SqlTable>();
  for (const entity of entities.filter(({ properties: own }) => !/view/.test(String(own?.["sql:kind"] ?? "")))) {
    const ref = `key:${entity.key}`;
    const sets = businessKeys.filter((one) => one.entity === ref).map((one) => named(ref, one.participants));
    tables.set(tableNames.get(ref) ?? "", {
      columns: entity.attributes.map((one) => ({
        name: one.name ?? one.key,
        // What a domain says holds for its columns, and is none of their text.
        type: described.has(one.type)
          ? (typeNames.get(bare(one.type)) ?? "")
          : typeOf(one, typeNames.get(bare(one.type)) ?? ""),
        required: !one.optional,
        default: defaultOf(one),
        comment: one.description,
      })),
      comment: entity.description,
      primaryKey: named(ref, entity.primaryKey).join("+"),
      unique: new Set(sets.map((set) => set.toSorted().join("+"))),
      references: new Set(),
    });
  }
  for (const relationship of relationships) {
    const sides = findReferenceSides(relationship);
    if (!sides) continue;
    const { from, to, attributes, referred } = sides;
    const line = `${named(from, attributes).join("+")} > ${tableNames.get(to)} ${named(to, referred).join("+")}`;
    tables.get(tableNames.get(from) ?? "")?.references.add(line);
  }
  const enums = types.flatMap(({ key, name, properties: own }) =>
    Array.isArray(own?.["sql:values"]) ? [[name ?? key, own["sql:values"].join("|")] as const] : [],
  );
  return { tables, enums: new Map(enums) };
}

function typeOf({ constraints = {}, properties = {} }: AttributeDocument, type: string): string {
  const { "sql:precision": precision, "sql:scale": scale, "sql:arguments": other } = properties;
  const said =
    constraints.maxLength ??
    other ??
    (precision === undefined ? undefined : [precision, scale].filter((one) => one !== undefined).join(","));
  const [name = "", array = ""] = [type.replace(/(\[\])*$/, ""), /(\[\])*$/.exec(type)?.[0]];
  // What `char` without a length is.
  const size = said ?? (name === "char" ? "1" : undefined);
  if (name.startsWith("interval")) return `interval${array}`;
  return (size === undefined ? name : `${name}(${String(size).replace(/\s/g, "")})`) + array;
}

function defaultOf({ constraints = {}, properties = {} }: AttributeDocument): string | undefined {
  if (constraints.default !== undefined) return literal(constraints.default);
  return properties["sql:default"] === undefined ? undefined : "expression";
}
