import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import type { Ended } from "./support/command.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
let folder: string;
let round = 0;

beforeEach(async () => {
  round += 1;
  folder = createFolder();
  await mkdir(join(folder, "deep/er"), { recursive: true });
  await document("a.json", { key: keyed("a"), name: "A" });
  await put("deep/er/b.yaml", `$schema: urn:metaction:model:2\nkey: ${keyed("b")}\nentities:\n  - key: one\n`);
});

const keyed = (name: string) => `${name}${round}`;
const put = (name: string, content: unknown) => writeInto(folder, name, content);
const document = (name: string, object: object) => put(name, { $schema: "urn:metaction:model:2", ...object });

const run = async (...command: Parameters<typeof here.run>): Promise<Ended> => {
  const ended = await here.run(...command);
  return { ...ended, stdout: plain(ended.stdout), stderr: plain(ended.stderr) };
};
const plain = (text: string) => text.replaceAll(folder, "F").replaceAll(new RegExp(`\\b([a-z])${round}\\b`, "g"), "$1");
const revisionOf = async (name: string): Promise<number | undefined> =>
  (await here.service.call("model/model_get", { modelRef: `key:${keyed(name)}` }, here.token)).body.revision;

const squeezed = (text: string) => text.replace(/(?<=\S) {2,}/g, "  ");

/** Files of every sort that is no model, or one that cannot be read. */
async function addOthers() {
  await put("README.md", "# Models");
  await put(".hidden.json", "{");
  await put("package.json", '{"name":"npm"}');
  await put("table.json", '{"fields":[{"name":"isbn"}]}');
  await put("broken.yaml", "key: [1, 2\n");
}

describe("a folder of models", () => {
  test("is one apply for each file, with one summary", async () => {
    const plan = await run`plan ${folder} --create --output=text`;
    expect({ ...plan, stdout: squeezed(plan.stdout) }).toMatchSnapshot();
    const applied = await run`apply ${folder} --create --output=table`;
    expect(applied.code).toBe(0);
    expect(squeezed(applied.stdout)).toMatchSnapshot();
    expect([await revisionOf("a"), await revisionOf("b")]).toEqual([1, 1]);
    await document("a.json", { key: keyed("a"), name: "Another" });
    expect(JSON.parse((await run`apply ${folder}`).stdout).items).toMatchObject([
      { file: "F/a.json", model: "a", outcome: "updated", impact: "cosmetic", answer: { changed: true, revision: 2 } },
      { file: "F/deep/er/b.yaml", model: "b", outcome: "unchanged", answer: { changed: false, revision: 1 } },
    ]);
  });

  test("continues after a file that cannot be read, and reports files that are not models", async () => {
    await addOthers();
    const applied = await run`apply ${folder} --create --output=table`;
    expect(applied.code).toBe(2);
    expect(squeezed(applied.stdout)).toMatchSnapshot();
    expect(applied.stderr).not.toContain("broken");
    await document("wrong.json", { key: keyed("w"), entities: [{ key: "a\\b" }, { key: "c'd" }] });
    const piped = await run`plan ${folder} --create`;
    expect(piped.stderr).toMatch(
      /^F\/broken\.yaml: is not valid YAML.*\nF\/wrong\.json: .*\n +\/entities\/0\/key .*\n +\/entities\/1\/key /m,
    );
    const [, broken, , ignored] = JSON.parse(piped.stdout).items;
    expect(broken).toMatchObject({ reason: expect.stringContaining("is not valid YAML"), exit: 2 });
    expect(ignored).toMatchObject({ reason: expect.stringContaining("it is not a model document") });
    expect(applied.stderr).toContain("Ignored, because they do not end in .json, .yaml, .yml or .dbml: F/README.md.\n");
    expect(applied.stdout + applied.stderr).not.toContain("hidden");
    expect([await revisionOf("a"), await revisionOf("b")]).toEqual([1, 1]);
  });

  test("applies nothing after a refused file with --fail-fast", async () => {
    await addOthers();
    const { code, stdout } = await run`apply ${folder} --create --fail-fast --output=table`;
    expect([code, stdout.match(/not applied/g)?.length]).toEqual([2, 2]);
    expect([await revisionOf("a"), await revisionOf("b")]).toEqual([undefined, undefined]);
  });

  test("ends with the code of the first refused file, also with --fail-on", async () => {
    await run`apply ${folder} --create`;
    await document("a.json", { key: keyed("a"), name: "Another" });
    const held = await run`apply ${folder} --fail-on=cosmetic --output=table`;
    expect(held.code).toBe(8);
    expect(held.stdout).toMatch(/a\.json +a +refused +cosmetic +1 +a: 1 step is cosmetic/);
    await document("c.json", { key: keyed("c") });
    expect((await run`apply ${folder} --fail-on=cosmetic`).code).toBe(3);
    expect(await revisionOf("a")).toBe(1);
  });

  test("refuses two files of one model, and flags for a single model", async () => {
    await document("twin.json", { key: keyed("a"), name: "Twin" });
    const { code, stderr } = await run`apply ${folder} --create`;
    expect(code).toBe(2);
    expect(stderr).toContain("F/a.json: describes model a, and so does F/twin.json; keep one of them\n");
    expect([await revisionOf("a"), await revisionOf("b")]).toEqual([undefined, 1]);
    for (const flag of ["--model=a", "--plan=a", "--if-match=a", "--idempotency-key=a"]) {
      const said = `${flag.slice(0, -2)} applies to one model, and a folder may contain several; name one file\n`;
      expect(await run`apply ${folder} ${flag}`).toEqual({ code: 2, stdout: "", stderr: said });
    }
  });

  test("is one curl command for each model", async () => {
    await put("package.json", '{"name":"npm"}');
    const { code, stdout } = await run`apply ${folder} --create --curl`;
    expect([code, stdout.match(/^curl \S+\/api\/model\/model_apply /gm)?.length]).toEqual([0, 2]);
    expect(await revisionOf("a")).toBeUndefined();
  });

  test("has no model of a file whose key is empty or no text", async () => {
    for (const key of [5, "", ["q"]]) {
      const file = await document("odd.json", { key });
      const stderr = "F/odd.json has no key that names its model; name the model with --model=<key>\n";
      expect(await run`plan ${file} --create`).toEqual({ code: 2, stdout: "", stderr });
    }
  });

  test("asks for confirmation once on a terminal", async () => {
    const { stdout } = await here.user.onTerminal(`cd '${folder}'; metaction apply . --create; echo "code $?"`, [
      { after: "Apply to 2 models on", text: "y\n" },
    ]);
    expect(stdout.match(/Continue\?/g)).toHaveLength(1);
    expect(plain(stripVTControlCharacters(stdout))).toMatch(/^a\.json +a +created +additive +1\r$/m);
    expect(stdout).toContain("code 0");
  });

  test("mixes kinds of files; the model of a text file is the one with its name", async () => {
    await put(`${keyed("c")}.dbml`, "Table goods {\n  id int [pk]\n  price decimal\n}\n");
    await put("d.json", { name: keyed("d"), fields: [{ name: "isbn" }] });
    await put("notes.txt", "Table of contents");
    const { code, stdout, stderr } = await run`apply ${folder} --create --output=table`;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Ignored, because they do not end in .json, .yaml, .yml or .dbml: F/notes.txt.\n");
    const models = stdout.split("\n").slice(1, 5);
    expect(models.map((line) => line.split(/ +/).slice(0, 3))).toEqual([
      ["F/a.json", "a", "created"],
      ["F/c.dbml", "c", "created"],
      ["F/d.json", "d", "created"],
      ["F/deep/er/b.yaml", "b", "created"],
    ]);
    await put(`${keyed("c")}.dbml`, "Table goods {\n  id int [pk]\n  amount decimal\n}\n");
    const plan = await run`plan ${folder} --prune --output=text`;
    expect(plan.stdout).toContain("+ create attribute amount");
    expect(plan.stdout).toContain("- delete attribute price");
  });

  test("must contain a model", async () => {
    const empty = createFolder();
    expect((await here.run`plan ${empty}`).stderr).toBe(`${empty} contains no .json, .yaml, .yml or .dbml file\n`);
    await writeInto(empty, "package.json", "{}");
    const { code, stderr } = await here.run`plan ${empty}`;
    expect([code, stderr]).toEqual([2, `${empty} contains no model\n`]);
  });
});
