import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { json, run } = here;
const folder = createFolder();

describe("import and export", () => {
  test("copy a model from one file to another", async () => {
    const file = join(folder, "library.json");
    expect(await here.user.shell(`metaction export library > '${file}'`)).toMatchObject({ code: 0, stderr: "" });
    expect(await json`import ${file} --modelKey=copied`).toMatchObject({ key: "copied", changed: true });
    expect((await run`diff library copied -o text`).stdout).toBe("library@1.2.0 -> copied@1.2.0: no differences\n");
    const read = await run`diff library ${file} --output=markdown`;
    expect(read.stdout).toBe(`### \`library@1.2.0\` → \`${file} (file)\`: no differences\n`);
  });

  test("read stdin, and a released version", async () => {
    const source = JSON.stringify({ name: "offices", fields: [{ name: "code", type: "string" }] });
    const made = await here.user.run(["import", "-", "--model-key=offices"], { stdin: source });
    expect(JSON.parse(made.stdout).key).toBe("offices");
    const { stdout } = await run`export offices --version=0.0.1`;
    expect(JSON.parse(stdout).entities.map((e: { key: string }) => e.key)).toEqual(["offices"]);
  });

  test("read a file with any extension, in the given format", async () => {
    const file = await writeInto(folder, "offices.table.yml", "name: branches\nfields:\n  - name: code\n");
    const made = await json`import ${file}`;
    expect(made).toMatchObject({ key: "branches", recognised: { format: "frictionless", sure: "likely" } });
    const same = await run`diff branches ${file} --output=text`;
    expect(same.stdout).toBe(`branches@0.0.1 -> ${file} (file): no differences\n`);
    const refused = await run`import ${file} --format=metaction --modelKey=other`;
    expect(refused.stderr).toContain("it is a Table Schema (frictionless), because it has fields");
  });

  test("write a file of another format, and list the omitted members on stderr", async () => {
    const file = join(folder, "library.dbml");
    const written = await run`export library --as=dbml --out=${file}`;
    expect(written).toMatchObject({ code: 0, stdout: "" });
    expect(written.stderr).toMatch(/^not_written: .*\n(?:.*\n)*.*Wrote .*library\.dbml\.\n$/);
    for (const out of [[], ["--out=-"]])
      expect((await run`export library --as dbml --quiet ${out}`).stdout).toBe(await readFile(file, "utf8"));
    expect((await run`export -o yaml library`).stdout).toMatch(/^"?\$schema"?: /);
    const back = await json`import ${file} --modelKey=drawn`;
    expect(back).toMatchObject({ counts: { entities: 2, attributes: 6, relationships: 1 } });
    expect((await run`export library --as=svg`).stdout).toMatch(/^<svg /);
    const unknown = await run`export library --as=paper`;
    expect(unknown.stderr).toContain("--as: must be one of");
    expect(unknown.code).not.toBe(0);
    expect((await run`export none --as=dbml`).stderr).not.toContain("--as");
    expect(await run`export library --as=dbml --output=json`).toMatchObject({ code: 2, stdout: "" });
  });

  test("leave a URL to the service", async () => {
    const shown = await run`import https://example.com/datapackage.json --curl`;
    expect(shown.stdout).toContain('{"from":"https://example.com/datapackage.json"}');
  });
});

describe("diff", () => {
  test("writes a draft of a migration, or a report, as the raw file", async () => {
    const file = await writeInto(folder, "offices.json", { name: "sites", fields: [{ name: "code", type: "string" }] });
    expect(await run`diff library ${file} --as postgresql`).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^--- Draft of a PostgreSQL migration [\s\S]+\nCOMMIT;\n$/),
    });
    const report = await run`diff library ${file} --as=markdown --quiet`;
    expect(report).toMatchObject({ code: 0, stdout: expect.stringMatching(/^## Changes from `library, /), stderr: "" });
    expect((await run`diff library ${file} --as`).stderr).toContain("--as needs a format");
    expect(await run`diff --as=markdown --quiet -- library ${file}`).toEqual(report);
    expect((await run`diff --quiet -- library -none.json`).stderr).toContain("-none.json");
  });

  test("shows breaking changes of versions, in every output, and can fail on them", async () => {
    const file = await writeInto(folder, "before.json", (await run`export library`).stdout);
    await run`models entity_attribute_delete --modelRef=key:library --entityRef=key:loan --attributeRef=key:due --yes`;
    await run`models entity_create --modelRef=key:library --entityKey=shelf`;
    const unreleased = await run`diff library@1.2.0 library --output=text`;
    expect(unreleased.stdout).toMatch(/^library@1\.2\.0 -> library \(unreleased, revision 3\): /);
    await run`models model_release --modelRef=key:library --version=2.0.0`;
    const released = await run`diff library@1.2.0 library --output=text`;
    expect(released.stdout).toMatch(/^library@1\.2\.0 -> library@2\.0\.0: /);
    const earlier = await run`diff library library --leftRevision=2 --output=text`;
    expect(earlier.stdout).toMatch(/^library \(unreleased, revision 2\) -> library@2\.0\.0: /);
    expect((await run`diff library@1.2.0 library@2.0.0 --output=text`).stdout).toMatchSnapshot();
    expect((await run`export library --as=metaction --revision=1`).stdout).toBe(await readFile(file, "utf8"));
    expect((await run`export library --as=dbml --version=1.2.0`).stdout).toContain("due");
    expect((await run`export library --as=dbml`).stdout).not.toContain("due");
    const markdown = await run`diff ${file} library --output=markdown --fail-on=breaking`;
    expect(markdown.stdout.replace(folder, "<folder>")).toMatchSnapshot();
    expect(markdown.code).toBe(8);
    const piped = await run`diff library@1.2.0 library --fail-on=breaking`;
    expect(JSON.parse(piped.stdout).breaking).toBeGreaterThan(0);
    expect(piped.code).toBe(8);
    // The attribute that is gone breaks both sides of the first release, and nothing of the last one.
    for (const fault of ["--fail-on=readers", "--fail-on=writers", "--compatibility=full"])
      expect((await run`diff library@1.2.0 library ${fault}`).code, fault).toBe(8);
    expect((await run`diff library@2.0.0 library --compatibility=full --strict`).code).toBe(0);
    const transitive = await run`diff library@2.0.0 library --compatibility=backward_transitive`;
    expect(transitive).toMatchObject({ code: 8, stderr: "library@1.2.0: 1 difference is breaking for writers\n" });
    const ofFile = await run`diff ${file} ${file} --compatibility=full_transitive`;
    expect(ofFile).toMatchObject({ code: 2, stderr: expect.stringContaining("must be a model") });
    expect((await run`diff library library --compatibility=sideways`).stderr).toContain("write backward, ");
    const action = await run`models model_compare --leftModelRef=key:library --leftModelVersion=2.0.0
      --rightModelRef=key:library --fail-on=breaking`;
    expect(action.code).toBe(0);
  });

  test("fails on a tightened enum, and not on a longer one", async () => {
    const state = ["--modelRef=key:library", "--entityRef=key:loan", "--attributeRef=key:state"];
    const constrain = (value: object) =>
      run`models entity_attribute_update_constraints ${state} --value=${JSON.stringify(value)}`;
    await run`models entity_attribute_create --modelRef=key:library --entityRef=key:loan --attributeKey=state
      --type=key:string --optional=true --constraints={"enum":["open","closed"]}`;
    const file = await writeInto(folder, "states.json", (await run`export library`).stdout);
    expect((await constrain({ enum: ["open", "closed", "lost"] })).code).toBe(0);
    expect((await run`diff ${file} library --fail-on=breaking`).code).toBe(0);
    await constrain({ enum: ["open"] });
    const tightened = await run`diff ${file} library --output=text --fail-on=breaking`;
    expect(tightened.code).toBe(8);
    expect(tightened.stdout).toContain('enum no longer allows "closed": fewer values are allowed');
  });
});

test.each([
  ["leftModelVersion", "v1.1", "diff library@v1.1 library"],
  ["leftModelVersion", "1.1", "diff library@1.1 library"],
  ["leftModelVersion", "v1.2.0", "diff library@v1.2.0 library"],
  ["version", "v1.1", "models model_release --modelRef=key:library --version=v1.1"],
])("an invalid version is reported with the name of its parameter: %s, %s", async (name, version, command) => {
  const { code, stderr } = await run`${command.split(" ")}`;
  expect(stderr.indexOf(`${name}: "${version}" is not a valid version; use MAJOR.MINOR.PATCH`)).toBe(0);
  expect(code).toBe(2);
});

test("in the repository npx runs it", async () => {
  const { stdout } = await here.user.shell("npx --no -- metaction --version");
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect(stdout.trim()).toBe(version);
});
