import type { RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { listParts, pointers, problemOf, readContent } from "./reading.ts";
import { type Listening, serve } from "./source-server.ts";

let server: Listening | undefined;
const asked: string[] = [];
afterEach(async () => {
  asked.length = 0;
  await server?.close();
});

/** Serves files by path and imports one of them; `HERE` in a file stands for the server's own address. */
async function importFiles(files: Readonly<Record<string, unknown>>, path = "/pkg/datapackage.json") {
  const answer: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    const file = files[request.url ?? ""];
    if (typeof file === "string" && file.startsWith("/")) response.writeHead(302, { location: file }).end();
    else if (file === undefined) response.writeHead(404).end();
    else response.end((typeof file === "string" ? file : JSON.stringify(file)).replaceAll("HERE", here));
  };
  server = await serve(answer);
  const here = `http://127.0.0.1:${server.port}`;
  return { here, work: createImporter({ allowPrivate: true }).read({ from: here + path }, {}) };
}

const schema = (name: string, ...fields: readonly string[]) => ({
  name,
  title: `T ${name}`,
  fields: fields.map((f) => ({ name: f })),
});

test("schemas in files are read, each file once, under any of its names", async () => {
  const { here, work } = await importFiles({
    "/pkg/datapackage.json": {
      name: "p",
      resources: [
        { name: "a", title: "Mine", schema: "schemas/a.json" },
        { name: "b", schema: "../b.json" },
        { name: "c", schema: "HERE/c.json?token=x&v=1" },
        { name: "d", schema: "./schemas/a.json" },
      ],
    },
    "/pkg/schemas/a.json": schema("one", "x"),
    "/b.json": { fields: [{ name: "y", constraints: { minimum: "a" } }] },
    "/c.json?token=x&v=1": schema("three", "z"),
  });
  const { document, warnings } = await work;
  expect(asked.sort()).toEqual(["/b.json", "/c.json?token=x&v=1", "/pkg/datapackage.json", "/pkg/schemas/a.json"]);
  expect(document.origin).toBe(`${here}/pkg/datapackage.json`);
  expect(document.entities.map((e) => [e.key, e.name, e.origin])).toEqual([
    ["b", undefined, `${here}/pkg/datapackage.json#/b`],
    ["one", "T one", `${here}/pkg/datapackage.json#/a`],
    ["one_2", "T one", `${here}/pkg/datapackage.json#/d`],
    ["three", "T three", `${here}/pkg/datapackage.json#/c`],
  ]);
  expect(new Set(pointers(warnings))).toEqual(
    new Set(["/resources/1/schema/fields/0/constraints/minimum", "/resources/2/schema", "/resources/3/schema/name"]),
  );
  expect(warnings.find((w) => w.code === "kept_as_property")?.detail).toMatch(/\(in "\.\.\/b\.json"\)$/);
  expect(document.entities.map((e) => e.properties?.["frictionless:schema"])).toEqual([
    "../b.json",
    "schemas/a.json",
    "./schemas/a.json",
    `${here}/c.json?v=1`,
  ]);
  expect(document.entities[1]?.properties).toMatchObject({
    "frictionless:resourceMembers": { name: "a", title: "Mine" },
    "frictionless:inSchema": ["name", "title"],
  });
});

test("paths are relative to the address of the package after redirects", async () => {
  const { here, work } = await importFiles({
    "/pkg/datapackage.json": "/moved/datapackage.json",
    "/moved/datapackage.json": { name: "p", resources: [{ name: "a", schema: "a.json" }] },
    "/moved/a.json": schema("one", "x"),
  });
  const { document } = await work;
  expect(document.origin).toBe(`${here}/pkg/datapackage.json`);
  expect(document.entities[0]?.origin).toBe(`${here}/pkg/datapackage.json#/a`);
});

test("every file that cannot be read is a problem with its pointer", async () => {
  const { work } = await importFiles({
    "/pkg/datapackage.json": {
      name: "p",
      resources: "gone.json page.html list.json package.json http://[ bad.json good.json half.json"
        .split(" ")
        .map((file) => ({ name: file, schema: file })),
    },
    "/pkg/page.html": "<!doctype html>",
    "/pkg/list.json": "[]",
    "/pkg/package.json": { resources: [] },
    "/pkg/bad.json": { fields: [{ name: "a", type: "b" }] },
    "/pkg/good.json": schema("good", "x"),
    "/pkg/half.json": '{"fields":[{"name":"\\ud800"}]}',
  });
  const problem = await problemOf(work);
  expect(problem.code).toBe("invalid_content");
  const details = new Map(problem.members.errors?.map((e) => [e.pointer, e.detail]));
  const places = [...[0, 1, 2, 3, 4].map((i) => `${i}/schema`), "5/schema/fields/0/type", "7/schema/fields/0/name"];
  expect([...details.keys()].sort()).toEqual(places.map((place) => `/resources/${place}`));
  expect(details.get("/resources/0/schema")).toMatch(/"gone.json" could not be fetched: HTTP 404/);
  expect(details.get("/resources/1/schema")).toMatch(/HTML or XML page/);
});

test("a control character in a schema file is replaced, with a warning that names the file", async () => {
  const { work } = await importFiles({
    "/pkg/datapackage.json": { name: "p", resources: [{ name: "r", schema: "s.json" }] },
    "/pkg/s.json": { fields: [{ name: "x", title: "a\u0000\u001b[31mb\u009b" }] },
  });
  const { document, warnings } = await work;
  expect(document.entities[0]?.attributes[0]?.name).toBe("a\ufffd\ufffd[31mb\ufffd");
  const detail = 'contained control characters (NUL, ESC or C1), which became U+FFFD (in "s.json")';
  expect(warnings).toEqual([
    { code: "text_changed", count: 1, pointers: ["/resources/0/schema/fields/0/title"], detail },
  ]);
});

test("a package may name a limited number of files", async () => {
  const resources = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `r${i}`, schema: `s${i}.json` }));
  const naming = (n: number) => ({ "/pkg/datapackage.json": { name: "p", resources: resources(n) } });
  const problem = await problemOf((await importFiles(naming(LIMITS.sourceFiles + 1))).work);
  expect(problem.code).toBe("too_large");
  expect(problem.message).toContain(String(LIMITS.sourceFiles));
  expect(asked).toEqual(["/pkg/datapackage.json"]);
  await server?.close();
  const files = Object.fromEntries(resources(LIMITS.sourceFiles).map((r) => [`/pkg/${r.schema}`, schema(r.name, "x")]));
  const most = await importFiles({ ...naming(LIMITS.sourceFiles), ...files });
  expect((await most.work).document.entities).toHaveLength(LIMITS.sourceFiles);
});

test("an address with a password is not fetched, and not repeated", async () => {
  const content = { name: "p", resources: [{ name: "r", schema: "http://ada:hunter2@127.0.0.1:9/far.json" }] };
  const problem = await problemOf(createImporter({ allowPrivate: true }).read({ content }, {}));
  expect(pointers(problem.members.errors)).toEqual(["/resources/0/schema"]);
  const told = JSON.stringify([problem.message, problem.members]);
  expect(told).toContain("user name or a password");
  expect(told).not.toContain("hunter2");
});

test("content given inline may name files by URL", async () => {
  server = await serve((_, response) => response.end(JSON.stringify(schema("far", "x"))));
  const content = { name: "p", resources: [{ name: "r", schema: `http://127.0.0.1:${server.port}/far.json` }] };
  const { document } = await createImporter({ allowPrivate: true }).read({ content }, {});
  expect(document.entities.map((e) => e.key)).toEqual(["far"]);
  expect(document.origin).toBeUndefined();
  expect(document.entities[0]?.origin).toBeUndefined();
});

const YAML_PACKAGE = `# A package
name: crm
title: "Customers: all"
created: 2024-05-01
x-texts: &texts
  description: Who buys
resources:
  - name: customer
    <<: *texts
    schema: schemas/customer.yaml
`;
const YAML_SCHEMA = `fields:
  - {name: id, type: integer, constraints: {required: true, minimum: 1}}
  - name: email
    type: string
primaryKey: id
`;

describe("a package in YAML", () => {
  const paths = ["/datapackage.yml", "/datapackage.yaml", "/x/datapackage.YML"];
  test.each(paths)("is read with its schemas: %s", async (path) => {
    const schema = path.replace(/[^/]*$/, "schemas/customer.yaml");
    const { document } = await (await importFiles({ [path]: YAML_PACKAGE, [schema]: YAML_SCHEMA }, path)).work;
    expect(document).toMatchObject({ key: "crm", name: "Customers: all", entities: [{ description: "Who buys" }] });
    expect(listParts(document)).toEqual(["customer (id integer, email string?) id"]);
  });

  test("may be JSON, which is valid YAML", async () => {
    const { document } = await (await importFiles({ "/p.yml": '{"name": "t", "fields": [{"name": "a"}]}' }, "/p.yml"))
      .work;
    expect(document.entities[0]?.attributes).toHaveLength(1);
  });

  test("is read under any file name, and as content", async () => {
    const { document } = await (await importFiles({ "/p.json": YAML_SCHEMA }, "/p.json")).work;
    expect(document.entities[0]?.attributes).toHaveLength(2);
    const inline = await readContent(YAML_SCHEMA);
    expect(inline.document.entities[0]?.attributes).toHaveLength(2);
    expect(inline.recognised).toMatchObject({ format: "frictionless", sure: "likely" });
  });

  test("is refused with the name of its format", async () => {
    const { work } = await importFiles({ "/m.yml": "name: shop\nmodel-paths: [models]\n" }, "/m.yml");
    const problem = await problemOf(work);
    expect(problem).toMatchObject({ code: "source_not_recognised" });
    expect(problem.message).toContain("it is a dbt project");
  });
});
