import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ImportedDocument } from "../../shared/actions/contract/ports.ts";
import type { EntityDocument, ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

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

/** The descriptors that publishers wrote, and the models that the importer made of them, by the path of the file. */
const files = new Map<string, Descriptor>();
const results = new Map<string, ImportedDocument>();
let server: Server | undefined;
let address = "";

beforeAll(async () => {
  if (!existsSync(FOLDER)) {
    throw new Error(
      `This suite imports real files and needs them in ../shared/data beside the repository (${relative(process.cwd(), FOLDER)} does not exist)`,
    );
  }
  for (const entry of await readdir(FOLDER, { recursive: true })) {
    // The list of changes next to the versions of a schema is not a descriptor.
    if (/^(frictionless|versions)\/.*\.json$/.test(entry) && basename(entry) !== "changes.json")
      files.set(entry, JSON.parse(await readFile(join(FOLDER, entry), "utf8")));
  }
  server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    if (files.has(path)) response.end(await readFile(join(FOLDER, path)));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const importer = createImporter({ allowPrivate: true });
  for (const path of files.keys()) results.set(path, await importer.read({ from: `${address}/${path}` }, {}));
});

afterAll(() => {
  server?.close();
  const documents = [...results.values()].map(({ document }) => document);
  const sum = (count: (d: ModelDocument) => number) => documents.reduce((total, d) => total + count(d), 0);
  console.log(
    `${files.size} files: ${sum((d) => d.entities.length)} entities, ${sum((d) => d.entities.flatMap((e) => e.attributes).length)} attributes, ` +
      `${sum((d) => d.localTags.length)} keywords as local tags, ${sum((d) => d.relationships.length)} relationships, ` +
      `${[...results.values()].reduce((total, r) => total + r.warnings.length, 0)} warnings`,
  );
});

/** Every table of the folder: where it stands, and the entity that was made of it. */
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

describe("every real file", () => {
  test("exists: packages and stand-alone schemas, with tables in all of them", () => {
    const packages = [...files.values()].filter((f) => !f.fields);
    expect(packages.length).toBeGreaterThanOrEqual(4);
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

  test("gives every model the 15 types", () => {
    const fifteen =
      "any array boolean date datetime duration geojson geopoint integer number object string time year yearmonth";
    for (const [path] of files)
      expect(
        resultOf(path)
          .document.types.map((t) => t.key)
          .join(" "),
        path,
      ).toBe(fifteen);
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
    for (const { path, source, entity } of tables()) {
      expect(entity.primaryKey, path).toEqual(listOf(source.primaryKey).map((name) => `key:${name}`));
    }
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

  test("is imported equally a second time, from its own export", async () => {
    const importer = createImporter({ allowPrivate: false });
    for (const [path] of files) {
      const { document } = resultOf(path);
      const again = await importer.read({ content: JSON.parse(JSON.stringify(document)) }, {});
      const recognised = expect.objectContaining({ format: "metaction", sure: "certain" });
      expect(again, path).toEqual({ document, warnings: [], recognised });
    }
  });
});
