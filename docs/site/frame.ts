import { posix } from "node:path";
import { escaped, type LinkGroup, type Rendered } from "./markdown.ts";

/** What the site allows its pages: its own files, and nothing of elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** A page of the site in its frame: navigation, search, contents. `place` is its path; `groups` link to pages by their paths. */
export function framed(place: string, { html, sections }: Rendered, groups: readonly LinkGroup[]): string {
  const root = "../".repeat(place.split("/").length - 1);
  const title = sections[0]?.heading ?? place;
  const contents = sections.filter(({ depth }) => depth === 2);
  const link = (to: string, text: string): string =>
    `<a href="${escaped(posix.relative(posix.dirname(place), to))}"${to === place ? ' aria-current="page"' : ""}>${escaped(text)}</a>`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === "Metaction" ? title : `${title} - Metaction`)}</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}search.js" defer></script>
</head>
<body>
<header>
${link("index.html", "Metaction")}
<input id="search" type="search" placeholder="Search" aria-label="Search all pages" autocomplete="off">
<div id="found" aria-live="polite"></div>
</header>
<nav aria-label="All pages">
${groups.map(({ heading, links }) => `<h2>${escaped(heading)}</h2>\n${links.map(({ href, text }) => link(href, text)).join("\n")}`).join("\n")}
</nav>
<main>
${html}</main>
<nav class="contents" aria-label="On this page">
${contents.map(({ anchor, heading }) => `<a href="#${anchor}">${escaped(heading)}</a>`).join("\n")}
</nav>
</body>
</html>
`;
}
