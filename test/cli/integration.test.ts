import { mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf } from "../readme/support/steps.ts";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { commandLine } from "./support/command.ts";

const ROOT = join(import.meta.dirname, "../..");

let service: LocalProcess;

beforeAll(async () => {
  service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-integration-")));
  await becomeAdministrator(service);
}, 60_000);

afterAll(() => service.interrupt());

test("the integration of docs/cli.md fails a build on a breaking change, and only then", async () => {
  const page = await readFile(join(ROOT, "docs/cli.md"), "utf8");
  const [script, ...others] = blocksOf(page).filter(({ language }) => language === "sh");
  expect(others).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), "metaction-build-"));
  await writeFile(join(folder, "build.sh"), script?.text ?? "");
  // `npx` finds the command as in a project that has the package installed.
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await symlink(join(ROOT, "cli"), join(folder, "cli"));
  await writeFile(join(folder, "package.json"), await readFile(join(ROOT, "package.json"), "utf8"));
  const schema = JSON.parse(await readFile(join(ROOT, "examples/library/datapackage.json"), "utf8"));
  const user = await commandLine(service.url);
  const build = async (change: (tables: Table[]) => void, version: string) => {
    const changed = structuredClone(schema);
    change(changed.resources);
    await writeFile(join(folder, "schema.json"), JSON.stringify(changed));
    const environment = { METACTION_PASSWORD: ADMINISTRATOR.password };
    return user.shell(`cd '${folder}' && sh build.sh schema.json ${version}`, { environment });
  };

  const first = await build(() => undefined, "2.0.0");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain('"status": "ok"');
  expect((await build(() => undefined, "2.0.0")).code).toBe(0);
  const grown = await build(([table]) => table?.schema.fields.push({ name: "shelf", type: "string" }), "2.0.0");
  expect(grown).toMatchObject({ code: 0, stderr: "" });
  expect(await readFile(join(folder, "difference.md"), "utf8")).toContain(
    "| additive | added | entity attribute book.shelf |",
  );
  const broken = await build((tables) => tables.at(-1)?.schema.fields.pop(), "2.0.0");
  expect(broken.code).toBe(8);
  expect(await readFile(join(folder, "difference.md"), "utf8")).toContain(
    "| breaking | deleted | entity attribute loan.due |",
  );
}, 120_000);

interface Table {
  readonly schema: { readonly fields: object[] };
}
