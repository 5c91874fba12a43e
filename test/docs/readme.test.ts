import { expect, test } from "vitest";
import { pageAt } from "./support/pages.ts";
import { runPage } from "./support/run-page.ts";
import { blocksOf } from "./support/steps.ts";

const README = pageAt("README.md");
const AS_ON_A_TERMINAL = `metaction() {
  case $1 in
    search) npx metaction "$@" --output=table ;;
    diff) npx metaction "$@" --output=text ;;
    *) npx metaction "$@" ;;
  esac
}
`;

test("the README is short, and has the two setup commands", () => {
  expect(README.split("\n").length).toBeLessThanOrEqual(221);
  expect(README).toContain("npm ci && npm start");
  expect(README).toContain("npm ci && npm test");
});

test("the README shows commands and outputs in blocks of known languages only", () => {
  const languages = new Set(blocksOf(README).map(({ language }) => language));
  expect([...languages].sort()).toEqual(["console", "sh", "text"]);
});

test("the capture at the top equals the output on a terminal", { timeout: 60_000 }, async () => {
  const [capture] = blocksOf(README);
  const lines = (capture?.text ?? "").trimEnd().split("\n");
  const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  const shown = lines.filter((line) => !line.startsWith("$ "));
  expect(capture?.language).toBe("console");
  expect([commands.length, shown.length]).toEqual([3, 8]);
  const begun = README.slice(README.indexOf("\n## Two minutes\n"), README.indexOf("\n### A model\n"));
  const run = `\`\`\`sh\n${AS_ON_A_TERMINAL}${commands.join("\n")}\n\`\`\`\n\n\`\`\`text\n${shown.join("\n")}\n\`\`\`\n`;
  expect((await runPage(`${begun}\n\n${run}`)).differences).toEqual([]);
});
