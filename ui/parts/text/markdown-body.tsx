import type { ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

/** Loads nothing external for text that a person wrote, and keeps headings below those of the page. */
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noreferrer noopener nofollow">
      {alt || (typeof src === "string" ? src : "")}
    </a>
  ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  input: ({ checked }) => <span aria-hidden>{checked ? "☑" : "☐"}</span>,
};

/** Parsed Markdown; a separate module because the parser is larger than most screens. */
export function MarkdownBody({ text }: { readonly text: string }): ReactNode {
  return (
    <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
      {text}
    </Markdown>
  );
}
