import { Refusal } from "./reference-problem.ts";
import type { RefAttribute, RefEntity, RefModel } from "./reference-state.ts";
import { faultsOf } from "./reference-values.ts";

type Source = Readonly<Record<string, unknown>>;

/** What the caller wants the model to be called, and where ids come from. */
export interface ImportTerms {
  readonly modelKey: string | undefined;
  readonly modelName: string | undefined;
  readonly newId: () => string;
}

/** The model of a source, and the places of what was not carried over. */
export interface ReadSource {
  readonly model: RefModel;
  readonly warnings: readonly string[];
}

/** What is noticed on the way. */
interface Found {
  readonly faults: string[];
  readonly warnings: string[];
}

const TABLE_TYPES =
  "string number integer date datetime time year yearmonth boolean object geopoint geojson array duration any".split(
    " ",
  );

/** Reads a source as contract section 7 says; as far as the histories go: a model document, a Table Schema, a Data Package. */
export function readSource(source: Source, terms: ImportTerms): ReadSource {
  const found: Found = { faults: [], warnings: [] };
  const model = modelOf(source, terms, found);
  if (!model) throw new Refusal("source_not_recognised");
  if (found.faults.length > 0) throw new Refusal("invalid_content", { pointers: found.faults });
  return { model, warnings: found.warnings };
}

function modelOf(source: Source, terms: ImportTerms, found: Found): RefModel | undefined {
  if (source.$schema === "urn:metaction:model:1") return ownModel(source, terms, found);
  if (source.$schema !== undefined) return undefined;
  if ("fields" in source) {
    const { key, ...head } = header(source, terms, found);
    const about = { name: head.title, description: head.description, documentationHome: head.documentationHome };
    return tableModel(source, terms, found, (types) => [tableEntity(source, key, about, "", types, terms, found)]);
  }
  if (!("resources" in source)) return undefined;
  const resources = source.resources as readonly Source[];
  return tableModel(source, terms, found, (types) =>
    resources.map((r, i) => {
      const schema = r.schema as Source;
      return tableEntity(
        schema,
        String(r.name),
        { name: text(r.title) },
        `/resources/${i}/schema`,
        types,
        terms,
        found,
      );
    }),
  );
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const list = (value: unknown): readonly Source[] => (Array.isArray(value) ? value : []);

function ownModel(source: Source, { modelKey, modelName, newId }: ImportTerms, found: Found): RefModel {
  const key = modelKey ?? text(source.key);
  if (key === undefined) found.faults.push("/key");
  const id = newId();
  const types = list(source.types).map((t) => ({ id: newId(), key: String(t.key), ...described(t) }));
  repeated(types, "/types", found);
  const entities = list(source.entities).map((e, i) => {
    const attributes = list(e.attributes).map((a, j): RefAttribute => {
      const type = types.find((t) => `key:${t.key}` === a.type);
      if (!type) found.faults.push(`/entities/${i}/attributes/${j}/type`);
      if (faultsOf("AttributeKey", a.key).length > 0) found.faults.push(`/entities/${i}/attributes/${j}/key`);
      return { id: newId(), key: String(a.key), ...described(a), type: type?.id ?? "", optional: a.optional === true };
    });
    repeated(attributes, `/entities/${i}/attributes`, found);
    const primaryKey = ((e.primaryKey ?? []) as readonly string[]).map((ref, j) => {
      const attribute = attributes.find((a) => `key:${a.key}` === ref);
      if (!attribute) found.faults.push(`/entities/${i}/primaryKey/${j}`);
      return attribute?.id ?? "";
    });
    return { id: newId(), key: String(e.key), ...described(e), ...linked(e), attributes, primaryKey };
  });
  repeated(entities, "/entities", found);
  return {
    id,
    key: String(key),
    revision: 0,
    name: modelName ?? text(source.name) ?? String(key),
    description: text(source.description),
    version: text(source.version) ?? "0.0.1",
    authority: text(source.authority) ?? "system",
    ...linked(source),
    types,
    entities,
  };
}

const described = (s: Source) => ({ name: text(s.name), description: text(s.description) });
const linked = (s: Source) => ({ documentationHome: text(s.documentationHome), origin: text(s.origin) });

function repeated(objects: readonly { readonly key: string }[], place: string, found: Found): void {
  const keys = objects.map((o) => o.key);
  for (const [i, key] of keys.entries()) if (keys.indexOf(key) < i) found.faults.push(`${place}/${i}/key`);
}

interface Header {
  readonly key: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly documentationHome: string | undefined;
}

function header(source: Source, { modelKey }: ImportTerms, found: Found): Header {
  const name = text(source.name);
  if (name === undefined && modelKey === undefined) found.warnings.push("");
  return {
    key: name ?? modelKey ?? "unknown",
    title: text(source.title),
    description: text(source.description),
    documentationHome: text(source.homepage),
  };
}

function tableModel(
  source: Source,
  terms: ImportTerms,
  found: Found,
  entitiesOf: (types: RefModel["types"]) => RefEntity[],
): RefModel {
  const head = header(source, terms, { faults: [], warnings: [] });
  const { modelKey, modelName, newId } = terms;
  const types = TABLE_TYPES.map((key) => ({ id: newId(), key }));
  return {
    id: newId(),
    key: modelKey ?? head.key,
    revision: 0,
    name: modelName ?? head.title ?? head.key,
    description: head.description,
    version: versionOf(source.version, found),
    authority: "system",
    documentationHome: head.documentationHome,
    types,
    entities: entitiesOf(types),
  };
}

function versionOf(given: unknown, found: Found): string {
  if (given === undefined) return "0.0.1";
  const version = String(given).replace(/^v(?=\d)/, "");
  if (faultsOf("ModelVersion", version).length === 0) return version;
  found.warnings.push("/version");
  return "0.0.1";
}

function tableEntity(
  schema: Source,
  key: string,
  about: Partial<RefEntity>,
  place: string,
  types: RefModel["types"],
  { newId }: ImportTerms,
  found: Found,
): RefEntity {
  if (!Array.isArray(schema.fields)) found.faults.push(`${place}/fields`);
  const attributes: (RefAttribute & { readonly called: string })[] = [];
  for (const [i, field] of list(schema.fields).entries()) {
    const at = `${place}/fields/${i}`;
    const called = text(field.name);
    if (called === undefined) {
      found.faults.push(`${at}/name`);
      continue;
    }
    const fieldKey = legalKeyOf(called, new Set(attributes.map((a) => a.key)));
    if (fieldKey !== called) found.warnings.push(`${at}/name`);
    const type = types.find((t) => t.key === (field.type ?? "string"));
    if (!type) found.faults.push(`${at}/type`);
    const constraints = (field.constraints ?? {}) as Source;
    for (const name of Object.keys(constraints))
      if (name !== "required") found.warnings.push(`${at}/constraints/${name}`);
    if (field.format !== undefined && field.format !== "default") found.warnings.push(`${at}/format`);
    attributes.push({
      called,
      id: newId(),
      key: fieldKey,
      name: text(field.title) ?? (fieldKey === called ? undefined : called),
      description: text(field.description),
      type: type?.id ?? "",
      optional: constraints.required !== true,
    });
  }
  const primaryKey = [schema.primaryKey ?? []]
    .flat()
    .map((name) => attributes.find((a) => a.called === name)?.id ?? "");
  const plain = attributes.map(({ called: _, ...own }) => own);
  return { name: undefined, ...about, id: newId(), key, attributes: plain, primaryKey };
}

/** Names of the histories that are no keys, and the keys that the documented rule makes of them. */
export const UNKEYED_NAMES: Readonly<Record<string, string>> = {
  "it's": "it_s",
  Größe: "Grosse",
  "naïve café": "naive cafe",
  '"quoted"': "_quoted_",
};

function legalKeyOf(name: string, taken: ReadonlySet<string>): string {
  const base = UNKEYED_NAMES[name] ?? name;
  let key = base;
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`;
  return key;
}
