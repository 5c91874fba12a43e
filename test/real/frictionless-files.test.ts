import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { ImportedDocument } from "../../shared/actions/contract/ports.ts";
import type { EntityDocument, ModelDocument } from "../../shared/domain/document/document.ts";
import { parseYaml } from "../../shared/formats/common/source-text.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import {
  type PartMembers,
  PROFILE_MEMBERS,
  STAND_ALONE_MEMBERS,
} from "../../shared/formats/frictionless/profile-members.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { type Listening, serve } from "../formats/source-server.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

type Json = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly constraints?: Readonly<Record<string, unknown>>;
}

interface Descriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly homepage?: string;
  readonly version?: string;
  readonly keywords?: readonly string[];
  readonly fields?: readonly Field[];
  readonly primaryKey?: string | readonly string[];
  readonly primaryKeys?: readonly string[];
  readonly foreignKeys?: readonly ForeignKey[];
  readonly schema?: string | Descriptor;
  readonly resources?: readonly Descriptor[];
}

interface ForeignKey {
  readonly fields: string | readonly string[];
  readonly reference: { readonly resource?: string; readonly package?: string };
}

interface Trip {
  readonly source: Json;
  readonly document: ModelDocument;
  readonly back: Json;
}

/** The descriptors that publishers wrote, and the models that the importer made of them, by the path of the file. */
const files = new Map<string, Descriptor>();
const results = new Map<string, ImportedDocument>();
/** Descriptors with schema files in their place, with the model that each became and the descriptor that became of that. */
const trips = new Map<string, Trip>();
let server: Listening | undefined;
let address = "";

beforeAll(async () => {
  for (const entry of await readdir(FOLDER, { recursive: true })) {
    // The list of changes next to the versions of a schema is not a descriptor.
    if (/^(frictionless|versions)\/.*\.json$/.test(entry) && basename(entry) !== "changes.json")
      files.set(entry, JSON.parse(await readFile(join(FOLDER, entry), "utf8")));
  }
  server = await serve(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    if (files.has(path)) response.end(await readFile(join(FOLDER, path)));
    else response.writeHead(404).end();
  });
  address = `http://127.0.0.1:${server.port}`;
  const importer = createImporter({ allowPrivate: true });
  for (const [path, source] of files) {
    results.set(path, await importer.read({ from: `${address}/${path}` }, {}));
    const whole = {
      ...source,
      ...(!source.fields && { resources: source.resources?.map((one) => ({ ...one, schema: schemaOf(path, one) })) }),
    };
    const { document } = await importer.read({ content: JSON.parse(JSON.stringify(whole)) }, {});
    const { content } = await createExporter().write(document, "frictionless");
    trips.set(path, { source: whole as unknown as Json, document, back: JSON.parse(content) });
  }
});

afterAll(() => server?.close());

function tables() {
  return [...files].flatMap(([path, source]) => {
    const result = resultOf(path);
    if (source.fields)
      return [{ path, at: "", source, resource: source, result, entity: only(result.document.entities) }];
    return (source.resources ?? []).map((resource, i) => {
      const schema = schemaOf(path, resource);
      const key = typeof resource.schema === "string" ? schema.name : resource.name;
      const entity = result.document.entities.find((e) => e.key === key);
      if (!entity) throw new Error(`${path} has no entity ${key}`);
      return { path, at: `/resources/${i}/schema`, source: schema, resource, result, entity };
    });
  });
}

function schemaOf(path: string, { name, schema }: Descriptor): Descriptor {
  const file = typeof schema === "string" ? files.get(join(dirname(path), schema)) : schema;
  if (!file) throw new Error(`${path} has no schema for ${name}`);
  return file;
}

function only(entities: readonly EntityDocument[]): EntityDocument {
  const [entity] = entities;
  if (!entity || entities.length !== 1) throw new Error(`expected one entity, got ${entities.length}`);
  return entity;
}

function resultOf(path: string): ImportedDocument {
  const result = results.get(path);
  if (!result) throw new Error(`${path} was not imported`);
  return result;
}

const placesOf = (result: ImportedDocument): ReadonlySet<string> => new Set(result.warnings.flatMap((w) => w.pointers));
const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === "string" ? [value] : (value ?? []);

/** The resources of a package with their foreign keys in the schema, where they belong. */
function corrected({ resources = [] }: Descriptor): readonly object[] {
  return resources.map(({ foreignKeys, schema, ...rest }) => ({
    ...rest,
    schema: typeof schema === "object" && foreignKeys ? { ...schema, foreignKeys } : schema,
  }));
}

interface Fact {
  /** The part of the descriptor and its member; members the standard does not know are of one kind in each part. */
  readonly kind: string;
  readonly isKnown: boolean;
  readonly value: unknown;
  readonly pointer: readonly string[];
  /** The object of the document that has to tell it. */
  readonly told: unknown;
}

/** Leaves of a value with the way to each; a list or object without members is one. */
function* leavesOf(value: unknown, way: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (inner.length === 0) yield [way, value];
  for (const [name, one] of inner) yield* leavesOf(one, [...way, name]);
}

function* factsOf({ source, document }: Trip): Generator<Fact> {
  const beside = (entity: EntityDocument | undefined) => ({ ...entity, attributes: [] });
  const around = { ...document, entities: document.entities.map(beside) };
  function* partOf(part: string, members: PartMembers, value: Json, at: readonly string[], told: unknown) {
    for (const [member, one] of Object.entries(value)) {
      const isKnown = Object.hasOwn(members, member);
      for (const [way, leaf] of leavesOf(one)) {
        const [first] = way;
        const keyword = member === "constraints" && first !== undefined ? `.${first}` : "";
        const kind = `${part} ${isKnown ? member + keyword : "custom"}`;
        yield { kind, isKnown, value: leaf, pointer: [...at, member, ...way], told };
      }
    }
  }
  function* tableOf(schema: Json, entity: EntityDocument | undefined, members: PartMembers, at: readonly string[]) {
    const { fields, ...others } = schema;
    yield* partOf("schema", members, others, at, around);
    for (const [i, field] of (fields as readonly Json[]).entries())
      yield* partOf("field", PROFILE_MEMBERS.field, field, [...at, "fields", String(i)], entity?.attributes[i]);
  }
  if (source.fields) {
    yield* tableOf(source, document.entities[0], STAND_ALONE_MEMBERS, []);
    return;
  }
  const { resources, ...others } = source;
  yield* partOf("package", PROFILE_MEMBERS.package, others, [], around);
  for (const [i, resource] of (resources as readonly Json[]).entries()) {
    const { schema, ...beside } = resource;
    const at = ["resources", String(i)];
    const entity = document.entities.find((one) => one.properties?.["frictionless:path"] === resource.path);
    yield* partOf("resource", PROFILE_MEMBERS.resource, beside, at, around);
    yield* tableOf(schema as Json, entity, PROFILE_MEMBERS.schema, [...at, "schema"]);
  }
}

/** True where an object of a document holds a value, plainly or as a ref; `required` is told by `optional`. */
function isTold({ kind, value, told }: Fact) {
  if (kind === "field constraints.required") return Reflect.get(Object(told), "optional") === !value;
  if (isDefault({ kind, value })) return !JSON.stringify(told).includes('"format"');
  const texts = new Set([...leavesOf(told)].map(([, leaf]) => textOf(leaf)));
  return texts.has(textOf(value)) || (Array.isArray(value) && value.length === 0);
}

const textOf = (leaf: unknown): string => JSON.stringify(leaf).replace(/^"key:/, '"');

/** A descriptor without the order of its members and lists of names, and without defaults. */
function normal(value: unknown, member = ""): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => normal(one));
    return ["keywords", "resources"].includes(member) ? list.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)) : list;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const isDefault =
      (name === "format" && inner === "default") ||
      (member === "constraints" && name === "required" && inner === false);
    const plain = normal(inner, name);
    return isDefault || (name === "constraints" && order(plain) === "{}") ? [] : [[name, plain]];
  });
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const order = (value: unknown) => JSON.stringify(value);

/** True for a fact that says no more than the standard does where it is left out. */
function isDefault({ kind, value }: Pick<Fact, "kind" | "value">) {
  return (kind === "field constraints.required" && value === false) || (kind === "field format" && value === "default");
}

describe("every real Frictionless file", () => {
  test("exists: packages and stand-alone schemas, with tables in all of them", () => {
    const packages = [...files.values()].filter((f) => !f.fields);
    expect(files.size).toBeGreaterThanOrEqual(35);
    expect(packages.length).toBeGreaterThanOrEqual(4);
    const resources = packages.flatMap((one) => one.resources ?? []);
    expect(resources.some(({ schema }) => typeof schema === "string")).toBe(true);
    expect(files.size - packages.length).toBeGreaterThanOrEqual(4);
    expect(tables().length).toBeGreaterThanOrEqual(10);
  });

  test("gives the model its name, texts, version, home page and origin", () => {
    for (const [path, source] of files) {
      const { document } = resultOf(path);
      expect(document.key, path).toBe(source.name ?? "unknown");
      expect(document.name, path).toBe(source.title ?? source.name);
      expect(document.description, path).toBe(source.description);
      expect(document.documentationHome, path).toBe(source.homepage);
      // A version of fewer numbers than three is none; a warning says so.
      const version = source.version?.replace("v", "") ?? "";
      expect(document.version, path).toBe(/^\d+\.\d+\.\d+/.test(version) ? version : "0.0.1");
      expect(document.origin, path).toBe(`${address}/${path}`);
      expect(document.authority, path).toBe("system");
      expect(document.entities, path).toHaveLength(source.fields ? 1 : (source.resources?.length ?? 0));
    }
  });

  test("gives each table an entity with its title and description", () => {
    for (const { path, source, resource, entity } of tables()) {
      expect(entity.name, path).toBe(source.title ?? resource.title);
      expect(entity.description, path).toBe(source.description ?? resource.description);
      expect(entity.documentationHome, path).toBe(source.homepage ?? resource.homepage);
      const place = source === resource ? "" : `#/${resource.name}`;
      expect(entity.origin, path).toBe(`${address}/${path}${place}`);
    }
  });

  test("gives each field an attribute, field by field and in order", () => {
    let fields = 0;
    for (const { path, at, source, entity } of tables()) {
      expect(entity.attributes, path).toHaveLength(source.fields?.length ?? -1);
      for (const [i, field] of (source.fields ?? []).entries()) {
        const place = `${path}#${at}/fields/${i}`;
        const attribute = entity.attributes[i];
        expect(attribute?.key, place).toBe(field.name);
        expect(attribute?.name, place).toBe(field.title);
        // An empty text is none.
        expect(attribute?.description, place).toBe(field.description || undefined);
        expect(attribute?.type, place).toBe(`key:${field.type ?? "string"}`);
        expect(attribute?.optional, place).toBe(field.constraints?.required !== true);
        fields++;
      }
    }
    expect(fields).toBeGreaterThan(150);
  });

  test("gives each entity its primary key", () => {
    for (const { path, source, entity } of tables())
      expect(entity.primaryKey, path).toEqual(listOf(source.primaryKey).map((name) => `key:${name}`));
    expect(tables().filter((t) => t.entity.primaryKey.length > 0).length).toBeGreaterThan(0);
  });

  test("gives each keyword a tag of the model, linked to the model and its entities", () => {
    let keywords = 0;
    for (const [path, { keywords: given = [] }] of files) {
      const { document, warnings } = resultOf(path);
      expect(document.localTags.map((t) => t.name ?? t.key).sort(), path).toEqual([...given].sort());
      const refs = document.localTags.map((t) => `key:${t.key}`);
      for (const marked of [document, ...document.entities]) expect(marked.tags ?? [], path).toEqual(refs);
      const changed = document.localTags.filter((t) => t.name !== undefined);
      expect(
        warnings.flatMap((w) => w.pointers).filter((p) => p.startsWith("/keywords/")),
        path,
      ).toHaveLength(changed.length);
      keywords += given.length;
    }
    expect(keywords).toBeGreaterThan(0);
  });

  test("has a warning for each foreign key, all of which are beside the schema; inside it they are relationships", async () => {
    const importer = createImporter({ allowPrivate: false });
    const seen = { misplaced: 0, relationships: 0, outside: 0 };
    for (const [path, source] of files) {
      const misplaced = (source.resources ?? []).flatMap((r, i) =>
        r.foreignKeys ? [`/resources/${i}/foreignKeys`] : [],
      );
      expect(
        [...placesOf(resultOf(path))].filter((p) => p.includes("foreignKeys")),
        path,
      ).toEqual(misplaced);
      expect(resultOf(path).document.relationships, path).toEqual([]);
      seen.misplaced += misplaced.length;
      if (misplaced.length === 0) continue;

      const { document, warnings } = await importer.read({ content: { ...source, resources: corrected(source) } }, {});
      const outside = warnings.flatMap((w) => w.pointers).filter((p) => p.includes("/schema/foreignKeys/"));
      const inside = (source.resources ?? []).flatMap((r) =>
        (r.foreignKeys ?? [])
          .filter(({ reference }) => reference.package === undefined)
          .map(({ fields }) => [r.name, ...listOf(fields)].join("_")),
      );
      expect(
        document.relationships.map((r) => r.key),
        path,
      ).toEqual(inside);
      for (const { roles } of document.relationships) expect(roles, path).toHaveLength(2);
      expect(outside, path).toHaveLength(misplaced.length - inside.length);
      seen.relationships += inside.length;
      seen.outside += outside.length;
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  });

  test("has each of its facts in the model and in the exported descriptor", () => {
    const kinds = new Map<string, { facts: number; told: number; back: number; isKnown: boolean; lost: string[] }>();
    for (const [path, trip] of trips) {
      const lists = new Set(
        [...leavesOf(normal(trip.back))].map(([way, leaf]) => order([way.filter((step) => !/^\d+$/.test(step)), leaf])),
      );
      for (const fact of factsOf(trip)) {
        const row = kinds.get(fact.kind) ?? { facts: 0, told: 0, back: 0, isKnown: fact.isKnown, lost: [] };
        kinds.set(fact.kind, row);
        row.facts++;
        if (isTold(fact)) row.told++;
        else row.lost.push(`${path}#/${fact.pointer.join("/")} in the model`);
        // The list in which a value stands is sorted, so that its place there is another one; the next test compares exactly.
        const way = fact.pointer.filter((step) => !/^\d+$/.test(step));
        if (isDefault(fact) || lists.has(order([way, fact.value]))) row.back++;
        else row.lost.push(`${path}#/${fact.pointer.join("/")} in the descriptor`);
      }
    }
    const rows = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const sum = (of: "facts" | "told" | "back") => rows.reduce((all, [, row]) => all + row[of], 0);
    const share = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`.padStart(8);
    const line = (kind: string, facts: number, told: number, back: number) =>
      `${kind.padEnd(34)}${String(facts).padStart(7)}${share(told, facts)}${share(back, facts)}`;
    console.log(
      [
        `${"kind of fact".padEnd(34)}  facts   model  export`,
        ...rows.map(([kind, { facts, told, back }]) => line(kind, facts, told, back)),
        line(`all of ${trips.size} files`, sum("facts"), sum("told"), sum("back")),
      ].join("\n"),
    );
    for (const [kind, { isKnown, lost }] of rows) if (isKnown) expect(lost, kind).toEqual([]);
    expect(sum("told") / sum("facts")).toBeGreaterThanOrEqual(0.95);
    expect(sum("back") / sum("facts")).toBeGreaterThanOrEqual(0.95);
    expect(sum("facts")).toBeGreaterThan(5_000);
  });

  test("is equal after import and export, except for order and defaults", () => {
    for (const [path, { source, back }] of trips) {
      const { name = undefined, ...rest } = normal(source) as Json;
      expect(normal(back), path).toEqual({ ...rest, ...(name !== undefined && { name }) });
    }
  });

  test("is equal in YAML", async () => {
    for (const [path, { source }] of trips) {
      expect(await parseYaml(stringify(source, { aliasDuplicateObjects: false })), path).toEqual({ value: source });
    }
  });
});
