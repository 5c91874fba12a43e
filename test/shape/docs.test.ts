import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generatedPages } from "../../docs/generate-actions.ts";
import { LIMITS, PROPERTY_LIMITS, SWEEP } from "../../shared/domain/limits.ts";
import { GENERATORS } from "../interop/support/generators.ts";
import { VERSIONS } from "../interop/support/versions.ts";
import { ACTIONS } from "../support/actions.ts";
import { codeOnly } from "./support/code-only.ts";
import { codeIn, tableUnder } from "./support/page-tables.ts";
import { sources } from "./support/sources.ts";

const pages = await generatedPages();

test.each([...pages])("docs/%s equals the definitions; `node docs/generate-actions.ts` updates it", (name, text) => {
  const written = readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
  expect(written === text, `docs/${name} is stale`).toBe(true);
});

test("the reference has a section, a place in the contents and a call for every action", () => {
  const page = pages.get("actions.md") ?? "";
  for (const { group, name } of ACTIONS) {
    expect(page).toContain(`\n### ${group}/${name}\n`);
    expect(page).toContain(`](#${group}${name})`);
    expect(page).toContain(`"$METACTION_URL/api/${group}/${name}"`);
  }
});

test("the page of limits states every limit once", () => {
  const page = pages.get("limits.md") ?? "";
  for (const [name, value] of [LIMITS, PROPERTY_LIMITS, SWEEP].flatMap((table) => Object.entries(table)))
    expect(page.split(`| \`${name}\` | ${value.toLocaleString("en-US")} | `), name).toHaveLength(2);
});

test("the page of generators has a row for each of them, and the tested versions", () => {
  const page = readFileSync(new URL("../../docs/generators.md", import.meta.url), "utf8");
  const { openapiGenerator, npm, python } = VERSIONS;
  const tried = Object.entries({ ...python, ...npm, "openapi-generator": openapiGenerator });
  const rows = page.split("\n").filter((line) => line.endsWith(" runs |"));
  expect(rows).toHaveLength(GENERATORS.length);
  for (const { name } of GENERATORS) expect(rows.filter((row) => row.startsWith(`| ${name} |`))).toHaveLength(1);
  const shown = tried.filter(([name]) => page.includes(name));
  expect(shown.length).toBeGreaterThan(5);
  for (const [name, version] of shown) expect(page, name).toContain(version);
});

describe("test/README.md", () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const firsts = (heading: string) => tableUnder(page, heading).flatMap(([cell = ""]) => codeIn(cell));

  test("has a row for every folder, whose command runs it", () => {
    const rows = tableUnder(page, "| folder | proves | run |");
    const entries = readdirSync(new URL("../", import.meta.url), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rows.flatMap(([folder = ""]) => codeIn(folder))).toEqual(folders.sort());
    const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    for (const [folder = "", , run = ""] of rows) {
      for (const command of codeIn(run)) {
        const [, name] = /^npm run (\S+)$/.exec(command) ?? [];
        if (name) expect(Object.keys(scripts), folder).toContain(name);
        else if (command.startsWith("npx vitest run test/"))
          expect(command).toBe(`npx vitest run test/${folder.replaceAll("`", "")}`);
      }
    }
  });

  test("has a row for every setting that tests read", () => {
    const read = sources()
      .filter(({ path }) => path.startsWith("test/"))
      // A program that a test expects as a text reads nothing.
      .flatMap(({ text }) => [
        ...codeOnly(text).matchAll(/process\.env\.(METACTION_\w+)/g),
        ...text.matchAll(/countOfRun\("(METACTION_\w+)/g),
      ])
      .map(([, name = ""]) => name);
    expect([...firsts("| variable | default | sets |")].sort()).toEqual([...new Set(read)].sort());
  });
});
