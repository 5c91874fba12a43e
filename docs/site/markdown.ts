import { Marked, type Token, type Tokens } from "marked";
import { createAnchors } from "./anchors.ts";

/** A part of a page under one heading, as it is searched. */
export interface Section {
  readonly heading: string;
  /** The anchor of the heading. */
  readonly anchor: string;
  readonly depth: number;
  /** The Markdown below the heading, up to the next one. */
  readonly text: string;
}

/** A page as it is shown and searched. */
export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Makes HTML of a Markdown page; `hrefOf` says where a link of the page leads on the site. */
export function renderMarkdown(markdown: string, hrefOf: (link: string) => string): Rendered {
  const anchorOf = createAnchors();
  const sections: Section[] = [];
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(plainText(tokens));
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(hrefOf(href))}" alt="${escaped(text)}">`;
      },
      // Text that looks like an element is ours, such as List<type>; comments are for the authors of the page.
      html: ({ text }) => (text.startsWith("<!--") ? "" : escaped(text)),
    },
  });
  const tokens = marked.lexer(markdown);
  const sectionAnchor = createAnchors();
  for (const token of tokens) {
    const last = sections.at(-1);
    if (isHeading(token)) {
      const heading = plainText(token.tokens);
      sections.push({ heading, anchor: sectionAnchor(heading), depth: token.depth, text: "" });
    } else if (last) sections[sections.length - 1] = { ...last, text: last.text + token.raw };
  }
  return { html: marked.parser(tokens), sections };
}

/** A group of links, as the index of all pages lists them. */
export interface LinkGroup {
  readonly heading: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

/** The first links of the rows of a page's tables, by the heading above each. */
export function linksInTables(markdown: string): readonly LinkGroup[] {
  const groups: LinkGroup[] = [];
  for (const token of new Marked().lexer(markdown)) {
    const last = groups.at(-1);
    if (isHeading(token)) groups.push({ heading: plainText(token.tokens), links: [] });
    else if (token.type === "table" && last) {
      const firsts = (token as Tokens.Table).rows.flatMap(([cell]) => cell?.tokens ?? []).filter(isLink);
      const links = firsts.map(({ href, tokens }) => ({ href, text: plainText(tokens) }));
      groups[groups.length - 1] = { ...last, links: [...last.links, ...links] };
    }
  }
  return groups.filter(({ links }) => links.length > 0);
}

/** The targets of all links and images of a page, in order. */
export function targetsIn(markdown: string): readonly string[] {
  const targets: string[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (isLink(token) || token.type === "image") targets.push(String(token.href));
  });
  return targets;
}

/** A text that means itself in HTML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
const isLink = (token: Token): token is Tokens.Link => token.type === "link";

/** The text of tokens without their marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ("tokens" in token && token.tokens) return plainText(token.tokens);
      return "text" in token ? String(token.text) : token.raw;
    })
    .join("");
}
