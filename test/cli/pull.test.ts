import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { call, json, run } = here;
const folder = createFolder();
const ROOT = join(import.meta.dirname, "../..");
const EXAMPLE = "examples/library/datapackage.json";

const YAML = `# The customers' model, kept by the team of sales.
$schema: urn:metaction:model:2
key: crm
name: Customers
version: 0.0.1
authority: system

types:
  - key: string
entities:
  # Whoever buys.
  - key: customer
    attributes:
      - { key: name, type: "key:string", optional: false } # in full
    primaryKey: [key:name]
`;

describe("pull", () => {
  test("writes the changes into a YAML file, and keeps the rest as it is", async () => {
    const file = await writeInto(folder, "crm.yaml", YAML);
    expect((await run`apply ${file} --create --quiet`).code).toBe(0);
    const same = await run`pull crm ${file} --check --output=text`;
    expect(same).toEqual({ code: 0, stdout: `${file}: matches the model\n`, stderr: "" });
    const customer = { modelRef: "key:crm", entityRef: "key:customer" };
    await call("model/entity_update_name", { ...customer, value: "Customer" });
    await call("model/entity_attribute_create", {
      ...customer,
      attributeKey: "mail",
      type: "key:string",
      optional: true,
    });

    const told = `${file}: 2 changes\n  + entities.customer.name: Customer\n  + entities.customer.attributes.mail\n`;
    const checked = await run`pull crm ${file} --check --output=text`;
    expect([checked.code, checked.stdout]).toEqual([8, told]);
    expect(await readFile(file, "utf8")).toBe(YAML);
    const pulled = await run`pull crm ${file} --output=text`;
    expect([pulled.code, pulled.stdout]).toEqual([0, told]);
    expect(await readFile(file, "utf8")).toBe(
      YAML.replace("- key: customer\n", "- key: customer\n    name: Customer\n").replace(
        "# in full\n",
        "# in full\n      - { key: mail, type: key:string, optional: true }\n",
      ),
    );
    const before = await stat(file);
    expect(await json`pull crm ${file}`).toEqual({ file, new: false, changed: false, changes: [] });
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
    expect((await json`plan ${file} --prune`).stepCount).toBe(0);
  });

  test("keeps the order of a JSON descriptor, its indentation, and its inline data", async () => {
    const file = join(folder, "datapackage.json");
    const descriptor = {
      resources: [
        { name: "loan", data: [{ book: "1" }], schema: { fields: [{ type: "string", name: "book" }] } },
        { path: "book.csv", name: "book", schema: { fields: [{ type: "string", name: "isbn" }] } },
      ],
      version: "1.0.0",
      name: "lending",
    };
    await writeFile(file, JSON.stringify(descriptor, undefined, "\t"));
    expect((await run`apply ${file} --create --quiet`).code).toBe(0);
    await call("model/entity_update_description", { modelRef: "key:lending", entityRef: "key:book", value: "A book." });
    const { stdout } = await run`pull lending ${file} --output=text`;
    expect(stdout).toBe(`${file}: 1 change\n  + resources.book.description: A book.\n`);
    const [loan, book] = descriptor.resources;
    const { path, name, ...rest } = book as { path: string; name: string };
    const now = { ...descriptor, resources: [loan, { path, name, description: "A book.", ...rest }] };
    expect(await readFile(file, "utf8")).toBe(JSON.stringify(now, undefined, "\t"));
  });

  test("keeps unchanged parts of a JSON file byte by byte", async () => {
    const example = await readFile(join(ROOT, EXAMPLE), "utf8");
    const file = join(folder, "written.json");
    const text = example.replace('"name": "library"', '"name": "written"');
    await writeFile(file, text);
    expect((await run`apply ${file} --create --quiet`).code).toBe(0);
    const book = { modelRef: "key:written", entityRef: "key:book" };
    await call("model/entity_attribute_update_name", { ...book, attributeRef: "key:title", value: "The title" });
    await call("model/entity_attribute_create", {
      ...book,
      attributeKey: "pages",
      type: "key:integer",
      optional: true,
    });
    expect((await run`pull written ${file}`).code).toBe(0);
    expect(await readFile(file, "utf8")).toBe(
      text
        .replace('{ "name": "title", "type"', '{ "name": "title", "title": "The title", "type"')
        .replace('"type": "date" }\n', '"type": "date" },\n          { "name": "pages", "type": "integer" }\n'),
    );
  });

  test("lists 200 changes of many", async () => {
    const file = await writeInto(
      folder,
      "many.yaml",
      "$schema: urn:metaction:model:2\nkey: many\ntypes:\n  - key: t0\n",
    );
    const types = Array.from({ length: 203 }, (_, i) => ({ key: `t${i}` }));
    await call("model/import", { content: { $schema: "urn:metaction:model:2", key: "many", types } });
    const { stdout } = await run`pull many ${file} --check --output=text`;
    const [, count] = /: (\d+) changes\n/.exec(stdout) ?? [];
    expect(stdout.split("\n").slice(201)).toEqual([`  and ${Number(count) - 200} more`, ""]);
  });

  test("creates a file named by the key, in the requested format", async () => {
    const made = await here.user.shell(`cd '${folder}' && metaction pull library --output=text && cat library.json`);
    expect(made.stdout).toMatch(/^library\.json: new\n/);
    const { stdout } = await run`export library`;
    expect(made.stdout).toBe(`library.json: new\n${stdout}`);
    const known = await here.user.shell(`cd '${folder}' && metaction pull key:crm`);
    expect(JSON.parse(known.stdout)).toMatchObject({ file: "crm.yaml", changed: false });
    const descriptor = join(folder, "library-package.json");
    expect((await run`pull library ${descriptor} --format=frictionless`).code).toBe(0);
    expect(JSON.parse(await readFile(descriptor, "utf8")).resources).toHaveLength(2);
    const yaml = join(folder, "library.yaml");
    expect((await run`pull library ${yaml}`).code).toBe(0);
    expect((await readFile(yaml, "utf8")).startsWith("$schema: urn:metaction:model:2\nid: ")).toBe(true);
  });

  test.each([
    [[], 2, "pull needs a model, and takes its file: metaction pull crm crm.yaml"],
    [["crm", "-"], 2, "pull writes to a file; use export to write to stdout"],
    [["a/b"], 2, "Name the file too: metaction pull a/b <file>"],
    [["crm", "a.json", "b.json"], 2, "pull takes a model and a file; unexpected argument b.json"],
    [["nobody", "nowhere.json"], 3, "no model key:nobody"],
    [["crm", "nowhere.json", "--format=medatarun"], 2, "--format=medatarun: write metaction, frictionless"],
    [["crm", EXAMPLE, "--format=metaction"], 2, "is written in frictionless"],
    [["crm", "README.md"], 2, "README.md is not valid YAML"],
  ])("ends with an error: %j", async (args, exit, sentence) => {
    // Copies, because a defect in pull would overwrite them.
    for (const path of ["README.md", EXAMPLE]) await cp(join(ROOT, path), join(folder, path));
    const { code, stderr, stdout } = await here.user.run(["pull", ...args], { cwd: folder });
    expect([code, stdout, stderr]).toEqual([exit, "", expect.stringContaining(sentence)]);
  });

  test.each([
    ["sold.dbml", "Table a {\n  id int\n}\n"],
    ["new.dbml", undefined],
    ["contract.yaml", "apiVersion: v3.0.0\nkind: DataContract\nid: sold\n"],
    ["record.avsc", '{"type":"record","name":"a","fields":[]}'],
    ["schema.json", '{"$schema":"https://json-schema.org/draft/2020-12/schema"}'],
  ])("does not change a file in a format without a writer: %s", async (name, text) => {
    const file = join(folder, name);
    if (text !== undefined) await writeFile(file, text);
    const { code, stderr } = await run`pull crm ${file}`;
    expect([code, stderr]).toEqual([
      2,
      `${file} is not a model document, Data Package or Table Schema, the formats that pull writes; pull into another file\n`,
    ]);
    expect(await readFile(file, "utf8").catch(() => undefined)).toBe(text);
  });

  test("does not change a file that cannot be written completely", async () => {
    const file = join(folder, "nowhere/crm.yaml");
    const { code, stderr } = await run`pull crm ${file}`;
    expect([code, stderr.startsWith(`${file} cannot be written: ENOENT`)]).toEqual([2, true]);
  });
});
