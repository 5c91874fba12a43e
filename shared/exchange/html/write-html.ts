import { createHash } from "node:crypto";
import { escapedText } from "../../diagram/markup-text.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { drawnModel } from "../drawing/drawn-model.ts";
import type { Findings } from "../findings.ts";
import { DICTIONARY } from "../markdown/write-markdown.ts";
import type { WrittenFile } from "../writer.ts";
import { warnUncovered } from "../writing/coverage.ts";
import { fileName } from "../writing/written-name.ts";
import { sectionsOf } from "./dictionary-sections.ts";

import { SEARCH_SCRIPT } from "./search-script.ts";
import { STYLE } from "./style.ts";

/** Writes a model as a page that needs nothing else: its diagram, a dictionary of everything in it, and a search box. */
export async function writeHtml(document: ModelDocument, findings: Findings): Promise<WrittenFile> {
  warnUncovered(document, { ...DICTIONARY, format: "HTML" }, findings);
  const svg = (await drawnModel(document, findings)) ?? "";
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SEARCH_SCRIPT)}; base-uri 'none'; form-action 'none'`;
  const { contents, sections } = sectionsOf(document);
  const { name, key, version } = document;
  const lines = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapedText(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapedText(name)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<header>",
    `<h1>${escapedText(name)}</h1>`,
    `<p class="facts"><code>${escapedText(key)}</code> version ${escapedText(version)}</p>`,
    '<label class="search">Search <input type="search" id="search" autocomplete="off" placeholder="entity, attribute, text"></label>',
    '<p id="found" role="status"></p>',
    "</header>",
    `<nav aria-label="Contents">${contents}</nav>`,
    "<main>",
    svg === "" ? "" : `<section class="diagram" aria-label="Diagram">${svg}</section>`,
    sections,
    "</main>",
    `<script>${SEARCH_SCRIPT}</script>`,
    "</body>",
    "</html>",
  ];
  return { fileName: fileName(key, ".html"), content: `${lines.join("\n")}\n` };
}
