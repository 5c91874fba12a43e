import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { targetsIn } from "./markdown.ts";

/** The files of the repository that the site has, by their paths from the root. */
export interface SiteFiles {
  /** Each Markdown page with its text. */
  readonly pages: ReadonlyMap<string, string>;
  /** Other files that pages link to or show. */
  readonly others: ReadonlySet<string>;
}

/** The pages that links lead to from these ones, and the other files they link to; an error for a link to no file. */
export function siteFiles(root: string, starts: readonly string[]): SiteFiles {
  const pages = new Map<string, string>();
  const others = new Set<string>();
  const visit = (path: string): void => {
    if (pages.has(path)) return;
    const text = readFileSync(join(root, path), "utf8");
    pages.set(path, text);
    for (const target of targetsIn(text).flatMap((link) => fileOf(link, path) ?? [])) {
      if (!existsSync(join(root, target))) throw new Error(`${path} links to ${target}, which is not there`);
      if (target.endsWith(".md")) visit(target);
      else others.add(target);
    }
  };
  for (const start of starts) visit(start);
  return { pages, others };
}

/** The file that a link of a page leads to, from the root; undefined for a link to elsewhere or into the same page. */
export function fileOf(link: string, page: string): string | undefined {
  const [file = ""] = link.split("#");
  if (file === "" || /^[a-z]+:/.test(file)) return undefined;
  return posix.normalize(posix.join(posix.dirname(page), file));
}

/** Path of a page on the site: a README is the index of its folder. */
export function placeOf(page: string): string {
  return page.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");
}
