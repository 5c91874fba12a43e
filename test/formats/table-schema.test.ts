import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const FIFTEEN =
  "any array boolean date datetime duration geojson geopoint integer number object string time year yearmonth".split(
    " ",
  );

describe("a stand-alone Table Schema", () => {
  const schema = {
    $schema: "https://specs.frictionlessdata.io/schemas/table-schema.json",
    name: "offices",
    title: "Offices",
    description: "All *offices*.",
    homepage: " https://example.org/offices ",
    version: "v1.2.3",
    fields: [
      { name: "code", title: "Code", type: "string", format: "default", constraints: { required: true } },
      { name: "opened", type: "date", description: "First day." },
      { name: "note" },
    ],
    primaryKey: "code",
  };

  test("becomes a model with one entity of the same key", async () => {
    const { document, warnings } = await readContent(schema);
    const { entities: _, types, ...model } = document;
    expect(model).toEqual({
      ...{ $schema: "urn:metaction:model:2", key: "offices", name: "Offices", description: "All *offices*." },
      ...{ version: "1.2.3", authority: "system", documentationHome: "https://example.org/offices" },
      properties: {
        "frictionless:$schema": "https://specs.frictionlessdata.io/schemas/table-schema.json",
        "frictionless:descriptor": "table-schema",
        "frictionless:homepage": " https://example.org/offices ",
        "frictionless:version": "v1.2.3",
      },
      ...{ relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
    });
    expect(types).toEqual(FIFTEEN.map((key) => ({ key })));
    expect(listParts(document)).toEqual(["offices (code string, opened date?, note string?) code"]);
    expect(getDetails(document)).toEqual({
      offices: { name: "Offices", description: "All *offices*.", documentationHome: "https://example.org/offices" },
      "offices/code": { name: "Code" },
      "offices/opened": { description: "First day." },
    });
    expect(warnings).toEqual([]);
  });

  test("has the caller's name, and its entity the source's name", async () => {
    const { document } = await readContent(schema, { modelKey: "mine", modelName: "My offices" });
    const entities = [{ key: "offices", name: "Offices" }];
    expect(document).toMatchObject({ key: "mine", name: "My offices", entities });
  });

  test("without a name is unknown, with a warning, unless the caller gives a name", async () => {
    const unnamed = { fields: [{ name: "a" }] };
    const alone = await readContent(unnamed);
    const entities = [{ key: "unknown" }];
    expect(alone.document).toMatchObject({ key: "unknown", name: "unknown", version: "0.0.1", entities });
    expect(pointers(alone.warnings)).toEqual([""]);
    const named = await readContent({ ...unnamed, name: "  " }, { modelKey: "mine" });
    expect(named.document).toMatchObject({ key: "mine", name: "mine", entities: [{ key: "mine" }] });
    expect(named.warnings).toEqual([]);
  });

  test("is recognised even with a list of resources", async () => {
    const source = { name: "a", fields: [{ name: "x" }], resources: [{ path: "x.csv" }] };
    const { document, warnings } = await readContent(source);
    expect(document.entities.map((e) => e.attributes.length)).toEqual([1]);
    expect(document.properties).toMatchObject({ "frictionless:resources": [{ path: "x.csv" }] });
    expect(warnings).toEqual([]);
  });

  test("keeps a key as a list, in its order", async () => {
    const fields = ["a", "b", "c"].map((name) => ({ name, constraints: { required: true } }));
    const { document, warnings } = await readContent({ name: "t", fields, primaryKey: ["c", "a", "c"] });
    expect(document.entities[0]?.primaryKey).toEqual(["key:c", "key:a"]);
    expect(pointers(warnings)).toEqual(["/primaryKey/2"]);
  });

  test("adds the type list of version 2 if a field uses it", async () => {
    const { document } = await readContent({ name: "t", fields: [{ name: "a", type: "list" }] });
    expect(document.types.map((t) => t.key)).toEqual([...FIFTEEN, "list"].sort());
    expect(document.entities[0]?.attributes[0]?.type).toBe("key:list");
  });

  test("of version 2 warns if a missing type means any there", async () => {
    const v2 = { $schema: "https://datapackage.org/profiles/2.0/tableschema.json", name: "t", fields: [{ name: "a" }] };
    const { document, warnings } = await readContent(v2);
    expect(document.entities[0]?.attributes[0]?.type).toBe("key:string");
    expect(pointers(warnings)).toEqual(["/fields/0"]);
  });

  test("without fields is an entity without attributes, with a warning", async () => {
    const { document, warnings } = await readContent({ name: "t", fields: [] });
    expect(document.entities[0]?.attributes).toEqual([]);
    expect(pointers(warnings)).toEqual(["/fields"]);
  });
});

test("a member with its default value is not reported", async () => {
  const fields = [{ name: "a", format: "default", title: null, constraints: { required: false } }];
  const { warnings } = await readContent({ name: "t", fieldsMatch: "exact", missingValues: [""], fields });
  expect(warnings).toEqual([]);
});

describe("texts and keys above a limit", () => {
  test("are cut, with a warning", async () => {
    const { document, warnings } = await readContent({
      name: 'Référentiel "été"',
      title: "One\n  two \r\n three",
      description: "é".repeat(LIMITS.descriptionBytes),
      homepage: "not a url",
      version: "1.0",
      fields: [
        { name: "prénom", title: "x".repeat(201) },
        { name: "nom d'usage" },
        { name: "prenom" },
        { name: "prenom", title: "   " },
      ],
      primaryKey: ["nom d'usage"],
    });
    expect(document).toMatchObject({ key: "Referentiel _ete_", name: "One two three", version: "0.0.1" });
    expect(document.documentationHome).toBeUndefined();
    expect(Buffer.byteLength(document.description ?? "")).toBeLessThanOrEqual(LIMITS.descriptionBytes);
    expect(document.description).toMatch(/^é{49000,}…$/);
    const [entity] = document.entities;
    const named = (name: string, title?: string) => ({
      type: "key:string",
      optional: true,
      properties: { "frictionless:name": name, ...(title !== undefined && { "frictionless:title": title }) },
    });
    expect(entity?.attributes).toEqual([
      { key: "prenom_2", name: `${"x".repeat(199)}…`, ...named("prénom", "x".repeat(201)) },
      { key: "nom d_usage", name: "nom d'usage", ...named("nom d'usage") },
      { key: "prenom", type: "key:string", optional: true },
      { key: "prenom_3", name: "prenom", ...named("prenom", "   ") },
    ]);
    expect(entity?.primaryKey).toEqual(["key:nom d_usage"]);
    const changed = ["name", "title", "description", "homepage", "version", "primaryKey/0"];
    const inFields = ["0/name", "0/title", "1/name", "3/name"].map((place) => `fields/${place}`);
    expect(new Set(pointers(warnings))).toEqual(new Set([...changed, ...inFields].map((place) => `/${place}`)));
  });

  test.each([
    ["v2.3.0", "2.3.0", 0],
    ["2.0.0-rc.1", "2.0.0-rc.1", 0],
    [undefined, "0.0.1", 0],
    [null, "0.0.1", 0],
    [" ", "0.0.1", 0],
    ["1.2.3+build", "0.0.1", 1],
    ["2024-01", "0.0.1", 1],
    [1.2, "0.0.1", 1],
    ["v", "0.0.1", 1],
    [`1.0.0-${"a".repeat(122)}`, `1.0.0-${"a".repeat(122)}`, 0],
    [`1.0.0-${"a".repeat(123)}`, "0.0.1", 1],
  ])("version %j becomes %s with %i warnings", async (version, expected, count) => {
    const { document, warnings } = await readContent({ name: "t", version, fields: [] });
    expect(document.version).toBe(expected);
    expect(warnings.filter((w) => w.pointers.includes("/version"))).toHaveLength(count);
  });
});

test.each([
  [`https://example.org/${"a".repeat(LIMITS.urlCharacters - 20)}`, true],
  [`https://example.org/${"a".repeat(LIMITS.urlCharacters - 19)}`, false],
  ["example.org", false],
  ["javascript:alert(1)", false],
])("a home page is kept if it is a link, and is a warning otherwise (%#)", async (homepage, kept) => {
  const { document, warnings } = await readContent({ name: "t", homepage, fields: [{ name: "a" }] });
  expect(document.documentationHome).toBe(kept ? homepage : undefined);
  expect(pointers(warnings)).toEqual(kept ? [] : ["/homepage"]);
});

test("a home page with a password is dropped, and the warning does not repeat it", async () => {
  const homepage = "https://ada:hunter2@example.org/";
  const { document, warnings } = await readContent({ name: "t", homepage, fields: [{ name: "a" }] });
  expect(document.documentationHome).toBeUndefined();
  expect(pointers(warnings)).toEqual(["/homepage"]);
  expect(JSON.stringify(warnings)).not.toContain("hunter2");
});

test("a primary key uses the first of two fields with its name", async () => {
  const { document } = await readContent({ name: "t", fields: [{ name: "a" }, { name: "a" }], primaryKey: ["a"] });
  expect(document.entities[0]?.attributes.map((a) => a.key)).toEqual(["a", "a_2"]);
  expect(document.entities[0]?.primaryKey).toEqual(["key:a"]);
});

describe("a schema that cannot be read", () => {
  test("is refused with every problem and its pointer", async () => {
    const faulty = [
      { name: "a", type: "text" },
      "b",
      { title: "no name" },
      { name: "", type: "string" },
      { name: 5 },
      { name: "c", type: ["string"] },
      null,
    ];
    const problem = await problemOf(readContent({ name: "t", fields: faulty, primaryKey: ["a", "nope", 3] }));
    expect(problem.code).toBe("invalid_content");
    expect(pointers(problem.members.errors)).toEqual([
      ...["/fields/1", "/fields/2/name", "/fields/3/name", "/fields/4/name", "/fields/6"],
      ...["/fields/0/type", "/fields/5/type", "/primaryKey/1", "/primaryKey/2"],
    ]);
    expect(problem.message).toMatch(/9 problems/);
    expect(problem.members.errors?.[5]?.detail).toContain('"text"');
  });

  test("reports at most 100 problems and counts all", async () => {
    const faulty = Array.from({ length: 250 }, () => ({ name: "x", type: "y" }));
    const problem = await problemOf(readContent({ fields: faulty }));
    expect(problem.members.errors).toHaveLength(LIMITS.importProblems);
    expect(problem.message).toMatch(/250 problems; the first 100/);
  });

  test.each([[{ fields: "a" }], [{ fields: null }], [{ fields: {} }]])("%j has no list of fields", async (schema) => {
    const problem = await problemOf(readContent(schema));
    expect(problem).toMatchObject({ code: "invalid_content", members: { errors: [{ pointer: "/fields" }] } });
  });

  const fields = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `f${i}` }));

  test("may have at most 100 fields in its primary key", async () => {
    const keyed = (n: number) =>
      readContent({ name: "t", fields: fields(n), primaryKey: fields(n).map((f) => f.name) });
    const most = LIMITS.primaryKeyAttributes;
    expect((await keyed(most)).document.entities[0]?.primaryKey).toHaveLength(most);
    expect(pointers((await problemOf(keyed(most + 1))).members.errors)).toEqual(["/primaryKey"]);
  });

  test("is too large above the limit of objects of a job, types included", async () => {
    const most = LIMITS.objectsPerJob - 1 - 1 - 15;
    const { document } = await readContent({ name: "t", fields: fields(most) });
    expect(document.entities[0]?.attributes).toHaveLength(most);
    const problem = await problemOf(readContent({ name: "t", fields: fields(most + 1) }));
    expect(problem.code).toBe("too_large");
    expect(problem.message).toContain(String(LIMITS.objectsPerJob));
  });
});
