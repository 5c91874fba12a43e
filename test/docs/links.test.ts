import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { allPages, anchorsOf, pageAt } from "./support/pages.ts";

const ROOT = join(import.meta.dirname, "../..");

function broken(path: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, file = "", anchor]) => {
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(file === "" ? text : pageAt(target)).includes(anchor);
    })
    .map(([link]) => link);
}

test.each(allPages())("%s links to files that exist, and to headings that they have", (path) => {
  expect(broken(path, pageAt(path))).toEqual([]);
});

test("a broken link is found", () => {
  const page =
    "# A page\n\n[a](#a-page) [b](#b) [c](http.md#errors) [d](http.md#d) [e](e.md) [f](https://f.example/#g)\n";
  expect(broken("docs/web.md", page)).toEqual(["](#b)", "](http.md#d)", "](e.md)"]);
});

test("the index links every page once", () => {
  const index = pageAt("docs/README.md");
  const listed = [...index.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \|/gm)].map(([, to = ""]) => posix.join("docs", to));
  const pages = allPages().filter((path) => path.startsWith("docs/") && !path.startsWith("docs/decisions/"));
  expect(listed.filter((path) => /^docs\/[^/]+\.md$/.test(path)).sort()).toEqual(
    pages.filter((path) => path !== "docs/README.md").sort(),
  );
});

test("the index of decisions links each of them", () => {
  const index = pageAt("docs/decisions/README.md");
  const decisions = allPages().filter((path) => /^docs\/decisions\/\d/.test(path));
  expect(decisions.length).toBeGreaterThan(20);
  for (const path of decisions) expect(index).toContain(`](${posix.basename(path)})`);
});
