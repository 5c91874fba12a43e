import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { formatTable } from "../../cli/output/table.ts";
import { renderText } from "../../cli/terminal/text-stream.ts";
import { useSignedIn } from "./support/signed-in.ts";

const CLI = join(import.meta.dirname, "../../cli");

const SOURCES = readdirSync(CLI, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map(
    (file) => [file, readFileSync(join(CLI, file), "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")] as const,
  );

const filesWith = (pattern: RegExp): readonly string[] =>
  SOURCES.flatMap(([file, code]) => (pattern.test(code) ? [file] : []));

test("only one file of the command line contains colours and cursor movements", () => {
  expect(filesWith(/["'`](red|green|yellow|blue|magenta|cyan|gr[ae]y|white|black)["'`]|styleText/)).toEqual([
    "terminal/text-stream.ts",
  ]);
  expect(filesWith(/\\u001b|\\u\{1b\}|\\x1b|\\033|\\e\[/i)).toEqual(["terminal/text-stream.ts"]);
});

test("only the columns of classes are coloured, in tables and records", () => {
  const rows = [
    { key: "breaking", class: "breaking", steps: "one two three", outcome: "refused" },
    { key: "b", class: "additive", steps: "one", outcome: "" },
    { key: "c", class: "none", steps: "one", outcome: "updated" },
  ];
  const rendered = (width: number, isStyled: boolean) => renderText(formatTable(rows, width), isStyled);
  for (const width of [80, 36, 20]) {
    const colours = rendered(width, true);
    expect(colours.match(/\[3\dm\w+/g)).toEqual(["[31mbreaking", "[31mrefused", "[32madditive", "[33mupdated"]);
    expect(stripVTControlCharacters(colours)).toBe(rendered(width, false));
  }
});

describe("colours on a terminal", () => {
  const here = useSignedIn();
  const { run } = here;

  beforeAll(() => run`models entity_create --modelRef=library --entityKey=shelf`);

  const red = (text: string) => `\u001b[31m${text}\u001b[0m`;
  const green = (text: string) => `\u001b[32m${text}\u001b[0m`;
  const shown = async (command: string, before = "unset NO_COLOR"): Promise<string> =>
    (await here.user.onTerminal(`${before}; metaction ${command}`)).stdout;

  const compared = "models model_compare --leftModelRef=library --rightModelRef=library --rightModelVersion=1.2.0";

  test("show classes in tables and in texts", async () => {
    expect(await shown(compared)).toContain(red("breaking"));
    expect(await shown("diff library library@1.2.0")).toContain(red("breaking"));
    await here.user.run(["login", "--username=nobody"], { stdin: "Wrong and forgotten 1\n" });
    expect(await shown("auth audit_list --outcome=refused")).toContain(red("refused"));
    expect(await shown("diff library@1.2.0 library")).toContain(green("additive"));
    expect(await shown("show none")).toMatch(new RegExp(`^${RegExp.escape("\u001b[31m")}.*none`));
  });

  test.each([
    ["NO_COLOR", "export NO_COLOR=1", ""],
    ["--no-color", "unset NO_COLOR", " --no-color"],
    ["TERM=dumb", "unset NO_COLOR; export TERM=dumb", ""],
  ])("are off by %s, for answers and for errors", async (_, before, flag) => {
    expect(await shown(`${compared}${flag}`, before)).not.toContain("\u001b");
    expect(await shown(`show none${flag}`, before)).not.toContain("\u001b");
    expect(await shown(`help models${flag} --no-pager`, before)).not.toContain("\u001b");
  });

  test("are on in a pipe by --color and FORCE_COLOR, for errors too", async () => {
    expect((await run`show none`).stderr).not.toContain("\u001b");
    expect((await run`show none --color`).stderr).toContain("\u001b[31m");
    const environment = { FORCE_COLOR: "1" };
    expect((await here.user.run(["show", "none"], { environment })).stderr).toContain("\u001b[31m");
    expect((await run`${compared.split(" ")} --output=table --color`).stdout).toContain(red("breaking"));
  });
});
