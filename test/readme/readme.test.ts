import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS } from "../../shared/domain/permissions.ts";
import { createComparison } from "./support/comparison.ts";
import { falsified } from "./support/falsified.ts";
import { readyPage } from "./support/place.ts";
import { type PageRun, runPage } from "./support/run-page.ts";
import { blocksOf, stepsOf } from "./support/steps.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

async function run(text: string): Promise<PageRun> {
  const { page, place } = await readyPage(text);
  try {
    return await runPage(page, place);
  } finally {
    await rm(place.scratch, { recursive: true });
  }
}

describe("the README", () => {
  let ran: PageRun = { differences: [], recorded: [] };

  beforeAll(async () => {
    ran = await run(README);
  }, 90_000);

  test("shows what its commands print, word by word and in order", () => {
    expect(ran.differences).toEqual([]);
    expect(ran.recorded).toHaveLength(stepsOf(README).filter(({ shown }) => shown).length);
  });

  test("is noticed with any single value or name in its outputs changed", () => {
    for (const { shown, came } of ran.recorded) expect(createComparison().difference(shown, came)).toBeUndefined();
    const checked = ran.recorded.flatMap(({ shown, came }) => falsified(shown).map((wrong) => ({ wrong, came })));
    const missed = checked.filter(({ wrong, came }) => createComparison().difference(wrong, came) === undefined);
    expect(missed.map(({ wrong }) => wrong)).toEqual([]);
    expect(checked.length).toBeGreaterThan(100);
  });

  test("shows commands and outputs only in blocks of these languages", () => {
    const languages = new Set(blocksOf(README).map(({ language }) => language));
    expect([...languages].sort()).toEqual(["console", "json", "sh", "text"]);
  });

  test("links to files that exist, and to headings that they have", () => {
    for (const [, file = "", , heading] of README.matchAll(/\]\((?!https?:)([^)#]*)(#([^)]*))?\)/g)) {
      const path = join(ROOT, file || "README.md");
      expect(existsSync(path), file).toBe(true);
      if (heading) expect(headingsOf(readFileSync(path, "utf8")), `${file}#${heading}`).toContain(heading);
    }
  });

  test("lists every setting of the local service, and no other", () => {
    const sources = ["local/settings.ts", "local/data-files.ts"].map((file) => readFileSync(join(ROOT, file), "utf8"));
    const read = [...sources.join("\n").matchAll(/(?:text\("|environment\.)([A-Z_]+)\b/g)].map(([, name]) => name);
    expect(firstColumn("Settings").flatMap(names).sort()).toEqual(read.sort());
  });

  test("lists every permission with what it implies", () => {
    const section = README.slice(README.indexOf("\n## Who may do what"));
    for (const [permission, { implies }] of Object.entries(PERMISSIONS)) {
      const row = section.split("\n").find((line) => line.startsWith("|") && names(cell(line, 1)).includes(permission));
      expect(row, permission).toBeDefined();
      if (permission !== "admin") expect(names(cell(row ?? "", 3)), permission).toEqual(implies);
    }
  });
});

describe("a page that does not say the truth is noticed", () => {
  test("a wrong output, with its line", async () => {
    const { differences } = await run("# Page\n\n```sh\necho 4\n```\n\n```text\n5\n```\n");
    expect(differences).toEqual(["line 7: shows 5\ncame  4"]);
  });

  test("a command that fails, also when another follows it and no output is shown", async () => {
    const { differences } = await run("```sh\nls /does-not-exist\necho done\n```\n\n```sh\necho 4\n```\n");
    expect(differences).toEqual([expect.stringMatching(/^line 1: a command fails: .*does-not-exist/)]);
  });

  test("a command that cannot be read", async () => {
    const { differences } = await run("```sh\necho 'open\n```\n");
    expect(differences).toHaveLength(1);
  });

  test("an output without commands", async () => {
    await expect(run("```json\n{}\n```\n")).rejects.toThrow("line 1: an output without commands before it");
  });

  test("output that is not shown", async () => {
    const { differences } = await run("```sh\necho 4\necho 5\n```\n\n```text\n4\n```\n");
    expect(differences).toEqual(["line 6: came also: 5"]);
  });

  test("two ids that are shown as one", async () => {
    const [one, other] = ["01a1fd56-c003-779e-92ff-4df12bcd6c23", "01a1fd56-c002-76f1-a2b3-b62cd42a290e"];
    const page = `\`\`\`sh\necho ${one}\necho ${other}\n\`\`\`\n\n\`\`\`text\n${one}\n${one}\n\`\`\`\n`;
    expect((await run(page)).differences).toEqual([`line 6: shows ${one}\ncame  ${other}`]);
  });

  test("the rest runs in one session: variables and folders stay", async () => {
    const page = "```sh\nX=4\ncd test\n```\n\n```sh\necho $X\nls -d readme\n```\n\n```text\n4\nreadme\n```\n";
    expect((await run(page)).differences).toEqual([]);
  });
});

/** The anchors that GitHub gives the headings of a page. */
function headingsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The first cell of each row of the first table of a section. */
function firstColumn(section: string): readonly string[] {
  const text = README.slice(README.indexOf(`\n## ${section}\n`));
  const table = /(?:^\|.*\n)+/m.exec(text)?.[0] ?? "";
  return table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => cell(line, 1));
}

function cell(row: string, column: number): string {
  return row.split("|")[column]?.trim() ?? "";
}

function names(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}
