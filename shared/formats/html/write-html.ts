import { createHash } from "node:crypto";
import { escapeMarkup } from "../../diagram/diagram-text.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { drawModel } from "../svg/write-svg.ts";
import { createSections } from "./dictionary-sections.ts";

import { SEARCH_SCRIPT, STYLE } from "./page-assets.ts";

/** Writes a model as a self-contained page: diagram, dictionary and search box. */
export async function writeHtml(document: ModelDocument, diagnostics: Diagnostics): Promise<string> {
  const svg = (await drawModel(document, diagnostics)) ?? "";
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SEARCH_SCRIPT)}; base-uri 'none'; form-action 'none'`;
  const { contents, sections } = createSections(document);
  const { name, key, version } = document;
  const lines = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(name)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<header>",
    `<h1>${escapeMarkup(name)}</h1>`,
    `<p class="facts"><code>${escapeMarkup(key)}</code> version ${escapeMarkup(version)}</p>`,
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
  return `${lines.join("\n")}\n`;
}
