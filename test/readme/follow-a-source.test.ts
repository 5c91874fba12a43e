import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readyPage } from "./support/place.ts";
import { runPage } from "./support/run-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const PAGE = readFileSync(join(ROOT, "docs/follow-a-source.md"), "utf8");

test("docs/follow-a-source.md shows what its commands print, after those of the README up to the import", {
  timeout: 300_000,
}, async () => {
  const before = README.slice(0, README.indexOf("### Read it back"));
  const { page, place } = await readyPage(`${before}\n${PAGE}`);
  try {
    expect((await runPage(page, place)).differences).toEqual([]);
  } finally {
    await rm(place.scratch, { recursive: true });
  }
});

test("docs/follow-a-source.md links to files that exist", () => {
  for (const [, file = ""] of PAGE.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
    expect(existsSync(join(ROOT, "docs", file)), file).toBe(true);
  }
});
