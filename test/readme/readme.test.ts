import { expect, test } from "vitest";
import { pageAt } from "./support/pages.ts";
import { blocksOf } from "./support/steps.ts";

const README = pageAt("README.md");

test("the README shows commands and outputs only in blocks of these languages", () => {
  const languages = new Set(blocksOf(README).map(({ language }) => language));
  expect([...languages].filter((language) => !["console", "json", "sh", "text"].includes(language))).toEqual([]);
});
