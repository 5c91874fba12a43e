import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readyPage } from "./support/place.ts";
import { runPage } from "./support/run-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
/** The part of the README after which a reader has a service with the model of these pages. */
const BEFORE = README.slice(0, README.indexOf("### Read it back"));

describe.each(["history.md", "follow-a-source.md"])("docs/%s", (name) => {
  const text = readFileSync(join(ROOT, "docs", name), "utf8");

  test("shows what its commands print, after those of the README up to the import", { timeout: 300_000 }, async () => {
    const { page, place } = await readyPage(`${BEFORE}\n${text}`);
    try {
      expect((await runPage(page, place)).differences).toEqual([]);
    } finally {
      await rm(place.scratch, { recursive: true });
    }
  });

  test("links to files that exist", () => {
    for (const [, file = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(existsSync(join(ROOT, "docs", file)), file).toBe(true);
    }
  });
});
