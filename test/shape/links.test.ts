import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { pathsNamed } from "./support/page-tables.ts";
import { FOLDERS } from "./support/sources.ts";

const ROOT = new URL("../../", import.meta.url);
const below = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`);

const PAGES = ["AGENTS.md", "CHANGELOG.md", "README.md", ...below("docs"), ...below("test")].filter(
  (path) => path.endsWith(".md") && path !== "docs/actions.md" && !path.endsWith("permission-matrix.md"),
);

const missing = (page: string, folder: string): readonly string[] =>
  pathsNamed(page, folder, FOLDERS).filter((path) => !existsSync(new URL(path, ROOT)));

test.each(PAGES)("%s names existing files", (path) => {
  expect(missing(readFileSync(new URL(path, ROOT), "utf8"), posix.dirname(path))).toEqual([]);
});

const misnumbered = (page: string): readonly string[] =>
  [...page.matchAll(/\[decision (\d+)\]\((?:decisions\/)?(\d+)-[^)]*\)/gi)]
    .filter(([, said, is]) => Number(said) !== Number(is))
    .map(([link]) => link);

test("decisions are named by their numbers", () => {
  const pages = PAGES.map((path) => readFileSync(new URL(path, ROOT), "utf8"));
  expect(pages.join("\n")).toMatch(/\[decision \d+\]\(/);
  expect(pages.flatMap(misnumbered)).toEqual([]);
  expect(misnumbered("[decision 4](decisions/0005-x.md), [decision 5](0005-x.md)")).toEqual([
    "[decision 4](decisions/0005-x.md)",
  ]);
});

test("a missing file is found, as a link and in code letters", () => {
  const page =
    "[a](../AGENTS.md#map), [b](attic.md), `docs/cellar.md`, `shared/domain`, `model/model_get`, [c](https://d/e.md)";
  expect(pathsNamed(page, "docs", FOLDERS)).toEqual(["docs/cellar.md", "shared/domain", "AGENTS.md", "docs/attic.md"]);
  expect(missing(page, "docs")).toEqual(["docs/cellar.md", "docs/attic.md"]);
});
