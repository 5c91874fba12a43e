import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { parseYaml } from "../../shared/formats/common/source-text.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { problemOf } from "./reading.ts";
import { type Listening, serve } from "./source-server.ts";

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Imports one of some files that a server has. */
async function importFile(files: Readonly<Record<string, string>>, path: string) {
  const server = await serve((request, response) => response.end(files[request.url ?? ""] ?? ""));
  open.push(server);
  return createImporter({ allowPrivate: true }).read({ from: `http://127.0.0.1:${server.port}${path}` }, {});
}

const PACKAGE = `# A package
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
const SCHEMA = `fields:
  - {name: id, type: integer, constraints: {required: yes, minimum: 1}}
  - name: email
    type: string
primaryKey: id
`;

describe("a package in YAML", () => {
  test.each([
    "/datapackage.yml",
    "/datapackage.yaml",
    "/x/datapackage.YML",
  ])("is read with its schemas: %s", async (path) => {
    const schema = path.replace(/[^/]*$/, "schemas/customer.yaml");
    const { document } = await importFile({ [path]: PACKAGE, [schema]: SCHEMA.replace("yes", "true") }, path);
    expect(document).toMatchObject({
      key: "crm",
      name: "Customers: all",
      entities: [
        {
          key: "customer",
          description: "Who buys",
          primaryKey: ["key:id"],
          attributes: [
            { key: "id", type: "key:integer", optional: false },
            { key: "email", type: "key:string", optional: true },
          ],
        },
      ],
    });
  });

  test("may be JSON, which is valid YAML", async () => {
    const { document } = await importFile({ "/p.yml": '{"name": "t", "fields": [{"name": "a"}]}' }, "/p.yml");
    expect(document.entities[0]?.attributes).toHaveLength(1);
  });

  test("is read under any file name, and as content", async () => {
    const text = SCHEMA.replace("yes", "true");
    const { document } = await importFile({ "/p.json": text }, "/p.json");
    expect(document.entities[0]?.attributes).toHaveLength(2);
    const inline = await createImporter({ allowPrivate: false }).read({ content: text }, {});
    expect(inline.document.entities[0]?.attributes).toHaveLength(2);
    expect(inline.recognised).toMatchObject({ format: "frictionless", sure: "likely" });
  });

  test("is refused with the name of its format", async () => {
    const problem = await problemOf(importFile({ "/m.yml": "name: shop\nmodel-paths: [models]\n" }, "/m.yml"));
    expect(problem).toMatchObject({ code: "source_not_recognised" });
    expect(problem.message).toContain("it is a dbt project");
  });
});

describe("a YAML text", () => {
  const many = (count: number, text: string): string => text.repeat(count);

  test.each([
    ["nests without end", many(3_000, "["), /not YAML/],
    ["nests in maps", Array.from({ length: 40 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), /deeper than 32 levels/],
    ["refers to itself", "a: &a [*a]", /deeper than 32 levels/],
    ["holds two documents", "a: 1\n---\nb: 2", /not YAML \(MULTIPLE_DOCS/],
    ["holds a member twice", "a: 1\nb: {c: 1, c: 2}", /two members named "c"/],
    ["holds a number without end", "a: .inf", /JSON does not have/],
    ["holds a date", "%YAML 1.1\n---\na: 2020-01-01", /JSON does not have/],
    ["holds binary data", "%YAML 1.1\n---\na: !!binary aGVsbG8=", /JSON does not have/],
    ["holds a set", "%YAML 1.1\n---\na: !!set {b, c}", /JSON does not have/],
    ["is broken", "a: [1, 2", /not YAML/],
    ["is SQL", "CREATE TABLE a (b int);", /it is SQL/],
  ])("that %s is refused", async (_, text, reason) => {
    expect(await parseYaml(text)).toMatch(reason);
  });

  test("keeps dates and words as texts, resolves anchors and merges members", async () => {
    const text = "a: &a {x: 2020-01-01, y: yes}\nb: *a\nc:\n  <<: *a\n  y: 1.0\nd: !unknown e\n__proto__: 1";
    const value = {
      a: { x: "2020-01-01", y: "yes" },
      b: { x: "2020-01-01", y: "yes" },
      c: { x: "2020-01-01", y: 1 },
      d: "e",
    };
    expect(await parseYaml(text)).toEqual({
      value: JSON.parse(JSON.stringify(value).replace(/}$/, ',"__proto__":1}')),
    });
  });

  test(`may have at most ${LIMITS.yamlBytes} bytes`, async () => {
    const text = `a: "${"x".repeat(LIMITS.yamlBytes - 5)}"`;
    expect(await parseYaml(text)).toHaveProperty("value");
    expect(await parseYaml(`${text} `)).toMatch(/more than 500000 bytes/);
  });

  test(`may use an anchor at most ${LIMITS.yamlAliases} times`, async () => {
    const uses = (count: number): string => `a: &a {x: 1}\nb: [${Array(count).fill("*a").join(",")}]`;
    expect(await parseYaml(uses(LIMITS.yamlAliases - 1))).toHaveProperty("value");
    expect(await parseYaml(uses(LIMITS.yamlAliases + 1))).toMatch(/one anchor more than 1000 times/);
    const laughs = "bcdefghij"
      .split("")
      .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(",")}]`);
    expect(await parseYaml(`a: &a [x]\n${laughs.join("\n")}`)).toMatch(/one anchor more than/);
  });

  test(`may have at most ${LIMITS.yamlAnchors} anchors and aliases`, async () => {
    const pairs = (count: number): string =>
      Array.from({ length: count }, (_, i) => `- &a${i} {n: ${i}}\n- *a${i}\n`).join("");
    const { value } = (await parseYaml(pairs(LIMITS.yamlAnchors / 2))) as { readonly value: readonly object[] };
    const n = LIMITS.yamlAnchors / 2 - 1;
    expect(value.slice(-2)).toEqual([{ n }, { n }]);
    const more = await parseYaml(`- &b 1\n${pairs(LIMITS.yamlAnchors / 2)}`);
    expect(more).toBe("it has more than 5000 anchors and aliases; expand them");
  });

  test("may not expand by its aliases to more than a source may have, in members and in characters", async () => {
    const aliases = (text: string, count: number) => `a: &a ${text}\nb: [${Array(count).fill("*a").join(",")}]`;
    expect(await parseYaml(aliases("x".repeat(400_000), 60))).toHaveProperty("value");
    expect(await parseYaml(aliases("x".repeat(400_000), 70))).toMatch(
      /larger than 25000000 bytes with aliases expanded/,
    );
    expect(await parseYaml(aliases(`[${"1,".repeat(2_000)}]`, 200))).toMatch(/more than 250000 members or items/);
  });
});
