import type { DocAttribute, DocEntity, RefDocument } from "./document.ts";
import { type KeyedTable, relationshipsOf } from "./import-keys.ts";
import { keptKeywords, keywordTags, readKeywords } from "./import-keywords.ts";
import { type Found, type ImportTerms, list, type Source, text } from "./source.ts";
import { faultsOf } from "./values.ts";

const TABLE_TYPES =
  "string number integer date datetime time year yearmonth boolean object geopoint geojson array duration any".split(
    " ",
  );

/** A Table Schema as a model with one entity, or a Data Package with one for each resource. */
export function readTables(source: Source, { modelKey, modelName }: ImportTerms, found: Found): RefDocument {
  const name = text(source.name);
  if (name === undefined && modelKey === undefined) found.warnings.push("");
  const ownKey = name ?? modelKey ?? "unknown";
  const title = text(source.title);
  const about = { name: title, description: text(source.description), documentationHome: text(source.homepage) };
  const keywords = readKeywords(source, "", found);
  const isTable = "fields" in source;
  const tables = isTable
    ? [{ ...readTable(source, ownKey, about, "", found), names: [name], keywords: [] }]
    : list(source.resources).map((resource, i) => {
        const place = `/resources/${i}`;
        const schema = resource.schema as Source;
        const table = readTable(
          schema,
          String(resource.name),
          { name: text(resource.title) },
          `${place}/schema`,
          found,
        );
        const own = [...readKeywords(resource, place, found), ...readKeywords(schema, `${place}/schema`, found)];
        const kept = {
          ...table.kept,
          ...(schema.keywords === undefined
            ? keptKeywords(resource, source)
            : resource.keywords !== undefined && { "frictionless:keywords": resource.keywords }),
          ...(schema.keywords !== undefined && { "frictionless:schemaMembers": { keywords: schema.keywords } }),
        };
        return { ...table, kept, names: [text(resource.name), text(schema.name)], keywords: own };
      });
  const { tags, marks } = keywordTags([...keywords, ...tables.flatMap((table) => table.keywords)], found);
  const { relationships, unplaced } = relationshipsOf(tables, found);
  const version = versionOf(source.version, found);
  const key = modelKey ?? ownKey;
  return {
    key,
    name: modelName ?? title ?? ownKey,
    description: about.description,
    properties: {
      "frictionless:descriptor": isTable ? "table-schema" : "data-package",
      // A package has the name of its model, a schema on its own that of its entity.
      ...(!isTable && name !== undefined && name !== key && { "frictionless:name": name }),
      ...(source.version !== undefined && source.version !== version && { "frictionless:version": source.version }),
      ...keptKeywords(source),
    },
    version,
    authority: "system",
    documentationHome: about.documentationHome,
    ...marks(keywords),
    types: TABLE_TYPES.map((key) => ({ key })),
    entities: tables.map((table) => ({
      ...table.entity,
      properties: propertiesOf({ ...table.kept, ...unplaced.get(table.key) }),
      ...marks(table.keywords.length > 0 ? table.keywords : keywords),
    })),
    relationships,
    businessKeys: tables.flatMap((table) =>
      table.businessKeys.map((one) => ({
        key: `${table.key}_${one}`,
        entity: `key:${table.key}`,
        participants: [`key:${one}`],
      })),
    ),
    localTags: tags,
    tagGroups: [],
  };
}

function versionOf(given: unknown, found: Found): string {
  if (given === undefined) return "0.0.1";
  const version = String(given).replace(/^v(?=\d)/, "");
  if (faultsOf("ModelVersion", version).length === 0) return version;
  found.warnings.push("/version");
  return "0.0.1";
}

function readTable(
  schema: Source,
  key: string,
  about: Partial<DocEntity>,
  place: string,
  found: Found,
): Omit<KeyedTable, "names"> & {
  readonly entity: DocEntity;
  readonly kept: Source;
  readonly businessKeys: readonly string[];
} {
  if (!Array.isArray(schema.fields)) found.faults.push(`${place}/fields`);
  const fields: { readonly called: string; readonly unique: boolean; readonly attribute: DocAttribute }[] = [];
  for (const [i, field] of list(schema.fields).entries()) {
    const at = `${place}/fields/${i}`;
    const called = text(field.name);
    if (called === undefined) {
      found.faults.push(`${at}/name`);
      continue;
    }
    const fieldKey = legalKeyOf(called, new Set(fields.map(({ attribute }) => attribute.key)));
    if (fieldKey !== called) found.warnings.push(`${at}/name`);
    const type = String(field.type ?? "string");
    if (!TABLE_TYPES.includes(type)) found.faults.push(`${at}/type`);
    const { required, ...others } = (field.constraints ?? {}) as Source;
    const constraints = {
      ...(field.format !== undefined && field.format !== "default" && { format: field.format }),
      ...others,
    };
    const attribute = {
      key: fieldKey,
      name: text(field.title) ?? (fieldKey === called ? undefined : called),
      description: text(field.description),
      type: `key:${type}`,
      optional: required !== true,
      ...(Object.keys(constraints).length > 0 && { constraints }),
      ...(fieldKey !== called && { properties: { "frictionless:name": called } }),
    };
    fields.push({ called, unique: others.unique === true, attribute });
  }
  const named = new Map([...fields].reverse().map(({ called, attribute }) => [called, attribute]));
  const primaryKey = [schema.primaryKey ?? []].flat().map((name, i) => {
    const attribute = named.get(String(name));
    if (!attribute) found.faults.push(`${place}/primaryKey${Array.isArray(schema.primaryKey) ? `/${i}` : ""}`);
    return attribute?.key ?? "";
  });
  const unique = fields.flatMap((field) => (field.unique ? [[field.attribute.key]] : []));
  const entity = {
    key,
    ...about,
    attributes: fields.map(({ attribute }) => attribute),
    primaryKey: primaryKey.map((attribute) => `key:${attribute}`),
  };
  const foreignKeys = list(schema.foreignKeys);
  return {
    key,
    place,
    fields: named,
    unique: primaryKey.length > 0 ? [...unique, primaryKey] : unique,
    foreignKeys,
    entity,
    // A key of one field is written without a list.
    kept: Array.isArray(schema.primaryKey) ? { "frictionless:primaryKey": schema.primaryKey } : {},
    businessKeys: unique.flat(),
  };
}

/** Properties, none where there are none. */
const propertiesOf = (all: Source): Source | undefined => (Object.keys(all).length > 0 ? all : undefined);

/** Names of the histories that are no keys, and the keys that the documented rule makes of them. */
export const UNKEYED_NAMES: Readonly<Record<string, string>> = {
  "it's": "it_s",
  Größe: "Grosse",
  "naïve café": "naive cafe",
  '"quoted"': "_quoted_",
};

/** The key of a name; taken ones get a number. */
export function legalKeyOf(name: string, taken: ReadonlySet<string>): string {
  const base = UNKEYED_NAMES[name] ?? name;
  let key = base;
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`;
  return key;
}
