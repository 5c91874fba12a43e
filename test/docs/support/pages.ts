import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createAnchors } from "../../../docs/site/anchors.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** The text of a page, by its path from the root. */
export const pageAt = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Where the reader of a page comes from: another page, read up to a heading. */
interface Before {
  readonly page: string;
  readonly until: string;
}

/** The reader has the service, and the model of the example in it. */
const IMPORTED: Before = { page: "docs/http.md", until: "## Read a model" };

const SIGNED_IN: Before = { page: "README.md", until: "### A model" };

/** Pages whose commands are run, each with where its reader comes from. */
const RUN: Readonly<Record<string, Before | undefined>> = {
  "README.md": undefined,
  "docs/http.md": undefined,
  "docs/formats.md": IMPORTED,
  "docs/access.md": SIGNED_IN,
  "docs/breaking-changes.md": SIGNED_IN,
  "docs/govern.md": SIGNED_IN,
  "docs/model-by-hand.md": SIGNED_IN,
  "docs/operate.md": SIGNED_IN,
  "docs/history.md": IMPORTED,
  "docs/follow-a-source.md": IMPORTED,
};

/** Pages with commands that are not run, each with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  "docs/actions.md": "generated; its examples are of no real model",
  "docs/cli.md": "its script is run with arguments, by test/docs/cli-build.test.ts",
  "docs/deploy.md": "needs an account at AWS",
  "docs/fsck.md": "needs a service that is stopped, and is run by test/local",
  "docs/identity.md": "needs accounts at identity providers",
  "docs/packages.md": "installs and starts, as test/packaged does with what npm packs; no Docker is needed",
};

/** Every page whose commands are run, with what its reader has run before. */
export const RUN_PAGES = Object.entries(RUN).map(([path, before]) => ({ path, before: before ? upTo(before) : "" }));

/** Every page of the repository that a reader of the product finds, by its path from the root. */
export function allPages(): readonly string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return ["README.md", ...docs.filter((path) => path.endsWith(".md")).map((path) => `docs/${path}`)];
}

/** The anchors that GitHub gives the headings of a page; not those of lines in code that look like one. */
export function anchorsOf(page: string): readonly string[] {
  const anchorOf = createAnchors();
  const headings = page.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title = ""]) => anchorOf(title));
}

function upTo({ page, until }: Before): string {
  const text = pageAt(page);
  const end = text.indexOf(`\n${until}\n`);
  if (end < 0) throw new Error(`${page} has no heading ${until}`);
  return text.slice(0, end + 1);
}
