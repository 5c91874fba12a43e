import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Ended } from "./support/command.ts";
import { type SignedIn, signedIn } from "./support/signed-in.ts";

let here: SignedIn;

beforeAll(async () => {
  here = await signedIn();
}, 60_000);

afterAll(() => here.service.interrupt());

const run = (...args: string[]): Promise<Ended> => here.user.run(args);
const list = ["model", "entity_list", "--modelRef=key:library"];

/** An output without what differs from run to run. */
function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/01[0-9a-f]{6}-[0-9a-f-]*…/g, "<uuid>…")
    .replaceAll(here.service.url, "<url>")
    .replaceAll(here.user.home, "<home>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

describe("help", () => {
  test.each([
    ["help"],
    ["help", "batch"],
    ["help", "models", "entity_create"],
    ["model", "entity-delete", "--help"],
    ["help", "login"],
    ["help", "diff"],
  ])("%j", async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(masked(stdout)).toMatchSnapshot();
  });

  test("of every action says its example in a form that is understood", async () => {
    const { stdout } = await run("help", "model", "entity_attribute_create");
    const example = stdout.slice(stdout.indexOf("EXAMPLE")).split("\n")[1]?.trim() ?? "";
    const ended = await here.user.shell(`${example} --curl`);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('"optional":false');
  });

  test("works without the service once it was asked", async () => {
    await run("help", "model");
    const cached = await here.user.run(["help", "model"], { environment: { METACTION_URL: here.service.url } });
    const never = await here.user.run(["help", "model"], { environment: { METACTION_URL: "http://127.0.0.1:9" } });
    const root = await here.user.run(["help"], { environment: { METACTION_URL: "http://127.0.0.1:9" } });
    expect(cached.code).toBe(0);
    expect(never).toMatchObject({ code: 1, stdout: "" });
    expect(never.stderr).toContain("http://127.0.0.1:9 cannot be reached");
    expect(root.code).toBe(0);
    expect(root.stdout).toContain("COMMANDS");
  });
});

describe("answers", () => {
  test("are JSON when piped, and the very body of the service", async () => {
    const { stdout } = await run(...list);
    const called = await here.service.call("model/entity_list", { modelRef: "key:library" }, here.token);
    expect(JSON.parse(stdout)).toEqual(called.body);
  });

  test("are a table on a terminal", async () => {
    const { stdout, code } = await here.user.onTerminal(`metaction ${list.join(" ")}`);
    expect(code).toBe(0);
    expect(masked(stdout.replaceAll("\u001b", "<esc>"))).toMatchSnapshot();
    const plain = await here.user.onTerminal(`NO_COLOR=1 metaction ${list.join(" ")}`);
    expect(plain.stdout).not.toContain("\u001b");
  });

  test("in every other form", async () => {
    const body = JSON.parse((await run(...list)).stdout);
    expect(parse((await run(...list, "--output=yaml")).stdout)).toEqual(body);
    const lines = (await run(...list, "-o", "ndjson")).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(body.items);
    expect(JSON.parse((await run(...list, "-o", "raw")).stdout)).toEqual(body);
    expect(masked((await run("model", "model_list", "-o", "table")).stdout)).toMatchSnapshot();
    expect(masked((await run("model", "model_get", "--modelRef=key:library", "-o", "table")).stdout)).toMatchSnapshot();
  });

  test("are cut by a query", async () => {
    const keys = await run(...list, "--query=items[].key");
    expect(JSON.parse(keys.stdout)).toEqual(["book", "loan"]);
    const one = await run(...list, "--query=items[0].key", "-o", "raw");
    expect(one.stdout).toBe("book\n");
    const wrong = await run(...list, "--query=items[");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
  });

  test("tell on stderr that there is more, unless quiet", async () => {
    const page = await run(...list, "--limit=1");
    const [, cursor] = /^There is more: --cursor=(\S+)\n$/.exec(page.stderr) ?? [];
    const next = await run(...list, "--limit=1", `--cursor=${cursor}`, "--query=items[].key");
    expect(JSON.parse(next.stdout)).toEqual(["loan"]);
    expect((await run(...list, "--limit=1", "--quiet")).stderr).toBe("");
  });

  test("of text are the text", async () => {
    const { stdout } = await run("config", "inspect_config_text");
    expect(stdout).not.toMatch(/^"/);
    expect(stdout.length).toBeGreaterThan(20);
  });
});

describe("a closed pipe", () => {
  test("ends the command quietly", async () => {
    const piped = await here.user.shell(`metaction help model | head -n 1; echo "\${PIPESTATUS[0]}"`);
    expect(piped).toMatchObject({ stdout: "NAME\n0\n", stderr: "" });
  });
});

describe("a deletion", () => {
  const remove = "metaction model type_delete --modelRef=key:library --typeRef=key:any";

  test("asks on a terminal, and takes only yes for yes", async () => {
    const no = await here.user.onTerminal(remove, [{ after: "[y/N]", text: "n\n" }]);
    expect(no.stdout).toContain(
      `Delete type modelRef=key:library typeRef=key:any on ${here.service.url}: go on? [y/N]`,
    );
    expect(no.stdout).toContain("nothing was deleted");
    expect(no.code).toBe(130);
    const yes = await here.user.onTerminal(remove, [{ after: "[y/N]", text: "y\n" }]);
    expect(yes.code).toBe(0);
    expect((await run("model", "type_get", "--modelRef=key:library", "--typeRef=key:any")).code).toBe(3);
  });

  test("does not ask with --yes, or where nobody could answer", async () => {
    for (const key of ["a", "b"]) await run("model", "type_create", "--modelRef=key:library", `--typeKey=${key}`);
    const asked = await here.user.onTerminal(
      "metaction model type_delete --modelRef=key:library --typeRef=key:a --yes",
    );
    expect(asked.stdout).not.toContain("[y/N]");
    expect(asked.code).toBe(0);
    expect((await run("model", "type_delete", "--modelRef=key:library", "--typeRef=key:b")).code).toBe(0);
  });
});
