import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import MiniSearch from "minisearch";
import { beforeAll, expect, test } from "vitest";
import { buildSite } from "../../docs/site/build.ts";
import { SEARCH_OPTIONS, search } from "../../docs/site/search.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { allPages } from "./support/pages.ts";

const folder = createFolder();
const pages = new Map<string, string>();

beforeAll(async () => {
  await buildSite(folder);
  for (const place of await readdir(folder, { recursive: true })) {
    if (place.endsWith(".html")) pages.set(place, await readFile(join(folder, place), "utf8"));
  }
}, 60_000);

const targetsOf = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = ""]) => target);

const leads = (target: string, place: string) => {
  if (/^https?:/.test(target)) return true;
  const [path = "", anchor] = target.split("#");
  const to = path === "" ? place : posix.normalize(posix.join(posix.dirname(place), path));
  if (!existsSync(join(folder, to))) return false;
  return anchor === undefined || (pages.get(to) ?? "").includes(` id="${anchor}"`);
};

test("has every page", () => {
  const places = allPages().map((path) => path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
  expect([...pages.keys()]).toEqual(expect.arrayContaining(places));
});

test("every link and every picture has a target, and every anchor a heading", () => {
  const broken = [...pages].flatMap(([place, html]) =>
    targetsOf(html)
      .filter((target) => !leads(target, place))
      .map((target) => `${place}: ${target}`),
  );
  expect(broken).toEqual([]);
  expect(leads("http.html#errors", "docs/cli.html")).toBe(true);
  expect(leads("http.html#terrors", "docs/cli.html")).toBe(false);
});

test("loads nothing from other hosts, and has no inline scripts and styles", () => {
  for (const [place, html] of pages) {
    expect(html, place).toContain("default-src 'none'");
    expect(html, place).not.toMatch(/<script(?![^>]* src="[^":]*search\.js")|<style| style="| src="https?:|@import/);
  }
});

test("every page links all pages of the index", () => {
  for (const [place, html] of pages) {
    const navigation = /<nav aria-label="All pages">[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";
    expect(targetsOf(navigation).length, place).toBeGreaterThan(20);
  }
});

test.each([
  ["idempotency", "docs/http.html"],
  ["idempotenci", "docs/http.html"],
  ["METACTION_DATA_DIR", "docs/settings.html"],
  ["keycloak", "docs/identity.html"],
  ["point-in-time restore", "docs/deploy.html"],
  ["exit codes", "docs/cli.html"],
  ["model_release", "docs/actions.html"],
])("a search for %s lists %s among the first results", async (words, place) => {
  const index = MiniSearch.loadJSON(await readFile(join(folder, "search-index.json"), "utf8"), SEARCH_OPTIONS);
  const found = search(index, words).slice(0, 5);
  expect(found.map(({ id }) => id.split("#")[0])).toContain(place);
  for (const { id } of found) expect(leads(id, "index.html"), id).toBe(true);
});
