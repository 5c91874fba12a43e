import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "../cli/support/command.ts";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { SHORT_NPX } from "./support/run-page.ts";
import { blocksOf } from "./support/steps.ts";

const ROOT = join(import.meta.dirname, "../..");

let service: LocalProcess;

beforeAll(async () => {
  service = await startProcess();
  await becomeAdministrator(service);
}, 60_000);

afterAll(() => service.interrupt());

test("the integration of docs/cli.md fails a build on a breaking change, and releases the additions of a branch", async () => {
  const page = await readFile(join(ROOT, "docs/cli.md"), "utf8");
  const [script, ...others] = blocksOf(page).filter(({ language }) => language === "sh");
  expect(others).toEqual([]);
  const folder = createFolder();
  await writeFile(join(folder, "build.sh"), script?.text ?? "");
  const schema = JSON.parse(await readFile(join(ROOT, "examples/library/datapackage.json"), "utf8"));
  const user = await commandLine(service.url);
  const build = async (change: (tables: Table[]) => void, version: string) => {
    const changed = structuredClone(schema);
    change(changed.resources);
    await writeFile(join(folder, "schema.json"), JSON.stringify(changed));
    return user.shell(`cd '${folder}' && PATH='${SHORT_NPX}':$PATH sh build.sh schema.json ${version}`, {
      environment: { METACTION_PASSWORD: ADMINISTRATOR.password },
    });
  };

  const versions = async () => {
    const { stdout } = await user.run([
      ...["models", "history_versions", "--modelRef=key:library", "--query=items[].version", "--profile=build"],
    ]);
    return JSON.parse(stdout);
  };
  const difference = () => readFile(join(folder, "difference.md"), "utf8");

  const first = await build(() => undefined, "2.0.0");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain('"status": "ok"');
  expect(await build(() => undefined, "2.0.0")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(await versions()).toEqual(["2.0.0", schema.version]);

  // The second version has what the file added.
  const grow = (tables: Table[]) => {
    tables[0]?.schema.fields.push({ name: "shelf", title: "Shelf", type: "string" });
    tables.push({ name: "shelf", title: "Shelves", schema: { fields: [{ name: "code", type: "string" }] } });
  };
  expect(await build(grow, "2.1.0")).toMatchObject({ code: 0, stderr: "" });
  expect(await difference()).toContain("### `library@2.0.0` → `schema.json (file)`: 3 additive");
  expect(await difference()).toContain("| additive | added | entity attribute book.shelf |");
  expect(await versions()).toEqual(["2.1.0", "2.0.0", schema.version]);
  const compared = await user.run(["diff", "library@2.0.0", "library@2.1.0", "--output=text", "--profile=build"]);
  expect(compared.stdout).toContain("library@2.0.0 -> library@2.1.0: 3 additive");
  expect(compared.stdout).toContain("+ entity attribute book.shelf  additive");
  expect(await build(grow, "2.1.0")).toMatchObject({ code: 0, stdout: "", stderr: "" });

  const broken = await build((tables) => {
    grow(tables);
    tables.find(({ name }) => name === "loan")?.schema.fields.pop();
  }, "2.2.0");
  expect(broken.code).toBe(8);
  expect(await difference()).toContain("| breaking | deleted | entity attribute loan.due |");
  const beyond = await build((tables) => {
    grow(tables);
    Object.assign(tables[0]?.schema ?? {}, {
      foreignKeys: [{ fields: "shelf", reference: { resource: "shelf", fields: "code" } }],
    });
  }, "2.2.0");
  expect(beyond.code).toBe(8);
  expect(await versions()).toEqual(["2.1.0", "2.0.0", schema.version]);
}, 240_000);

interface Table {
  readonly name: string;
  readonly title?: string;
  readonly schema: { readonly fields: object[] };
}
