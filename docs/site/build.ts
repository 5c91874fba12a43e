import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { framed } from "./frame.ts";
import { linksInTables, type Rendered, renderMarkdown } from "./markdown.ts";
import { searchIndex } from "./search.ts";
import { fileOf, placeOf, siteFiles } from "./site-files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The page whose tables are the navigation of the site. */
const INDEX = "docs/README.md";

/** Makes the static site of all pages in a folder, whose content it replaces: pages, pictures, search. */
export async function buildSite(folder: string): Promise<void> {
  const { pages, others } = siteFiles(ROOT, ["README.md", INDEX]);
  const groups = linksInTables(pages.get(INDEX) ?? "").map(({ heading, links }) => ({
    heading,
    links: links.map(({ text, href }) => ({ text, href: placeOf(fileOf(href, INDEX) ?? href) })),
  }));
  const rendered = new Map([...pages].map(([path, text]) => [placeOf(path), rendering(path, text)]));
  await rm(folder, { recursive: true, force: true });
  for (const [place, page] of rendered) await put(folder, place, framed(place, page, groups));
  for (const path of others) await cp(join(ROOT, path), join(folder, path));
  const sections = new Map([...rendered].map(([place, page]) => [place, page.sections]));
  await put(folder, "search-index.json", searchIndex(sections));
  await put(folder, "site.css", await readFile(new URL("site.css", import.meta.url), "utf8"));
  await build({
    entryPoints: [fileURLToPath(new URL("browser/search-box.ts", import.meta.url))],
    outfile: join(folder, "search.js"),
    bundle: true,
    minify: true,
    format: "iife",
    logLevel: "warning",
  });
}

/** A page whose links lead to pages of the site, and to files next to them. */
function rendering(path: string, text: string): Rendered {
  return renderMarkdown(text, (link) => {
    const file = fileOf(link, path);
    if (file === undefined) return link;
    const [, anchor] = link.split("#");
    const to = posix.relative(posix.dirname(placeOf(path)), file.endsWith(".md") ? placeOf(file) : file);
    return anchor === undefined ? to : `${to}#${anchor}`;
  });
}

async function put(folder: string, place: string, text: string): Promise<void> {
  const file = join(folder, place);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

if (import.meta.main) await buildSite(join(ROOT, "dist/site"));
