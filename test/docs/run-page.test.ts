import { describe, expect, test } from "vitest";
import { runPage } from "./support/run-page.ts";

describe("the check of a page reports", () => {
  test("a wrong output, with its line", async () => {
    const { differences } = await runPage("# Page\n\n```sh\necho 4\n```\n\n```text\n5\n```\n");
    expect(differences).toEqual(["line 7: shows 5\ncame  4"]);
  });

  test("a command that fails, also when another follows it and no output is shown", async () => {
    const { differences } = await runPage("```sh\nls /does-not-exist\necho done\n```\n\n```sh\necho 4\n```\n");
    expect(differences).toEqual([expect.stringMatching(/^line 1: a command fails: .*does-not-exist/)]);
  });

  test("a command that cannot be read", async () => {
    const { differences } = await runPage("```sh\necho 'open\n```\n");
    expect(differences).toHaveLength(1);
  });

  test("an output without commands", async () => {
    await expect(runPage("```json\n{}\n```\n")).rejects.toThrow("line 1: an output without commands before it");
  });

  test("an omitted output", async () => {
    const { differences } = await runPage("```sh\necho 4\necho 5\n```\n\n```text\n4\n```\n");
    expect(differences).toEqual(["line 6: came also: 5"]);
  });

  test("two ids with one placeholder", async () => {
    const [one, other] = ["01a1fd56-c003-779e-92ff-4df12bcd6c23", "01a1fd56-c002-76f1-a2b3-b62cd42a290e"];
    const page = `\`\`\`sh\necho ${one}\necho ${other}\n\`\`\`\n\n\`\`\`text\n${one}\n${one}\n\`\`\`\n`;
    expect((await runPage(page)).differences).toEqual([`line 6: shows ${one}\ncame  ${other}`]);
  });

  test("a session keeps variables and folders", async () => {
    const page = "```sh\nX=4\ncd test\n```\n\n```sh\necho $X\nls -d docs\n```\n\n```text\n4\ndocs\n```\n";
    expect((await runPage(page)).differences).toEqual([]);
  });
});
