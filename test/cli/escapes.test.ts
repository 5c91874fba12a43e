import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CommandLine, commandLine, type Ended } from "./support/command.ts";
import { OBEYED, startHostileService } from "./support/hostile-service.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
let hostile: Awaited<ReturnType<typeof startHostileService>>;
let user: CommandLine;

beforeAll(async () => {
  hostile = await startHostileService(here.service.url);
  user = await commandLine(hostile.url);
});

afterAll(() => hostile.close());

/** The characters of an output that a terminal obeys, but tabs, line ends and what moves over the line of a job's progress. */
function obeyedIn({ stdout, stderr }: Ended): readonly string[] {
  const text = `${stdout}${stderr}`.replaceAll("\r\n", "\n").replaceAll("\r\u001b[K", "");
  return (text.match(/[\p{Cc}\p{Bidi_Control}]/gu) ?? []).filter((character) => !/[\n\t]/.test(character));
}

function expectEscaped(ended: Ended) {
  expect(obeyedIn(ended)).toEqual([]);
  expect(`${ended.stdout}${ended.stderr}`).toContain("\\u001b");
}

const CALLS: readonly (readonly string[])[] = [
  ["help"],
  ["help", "model"],
  ["help", "model", "entity_create"],
  ["model", "model_list", "--output=table"],
  ["model", "model_list", "--output=json"],
  ["model", "model_list", "--output=yaml"],
  ["model", "model_list", "--output=ndjson"],
  ["model", "model_list", "--output=raw"],
  ["model", "model_get", "--modelRef=key:x", "--output=table"],
  ["model", "model_get", "--modelRef=key:x", "--query=name"],
  ["model", "model_list", "--verbose"],
  ["model", "model_list", "--curl", `--cursor=${OBEYED}`.replaceAll("\0", "")],
  ["model", "entity_list", "--modelRef=key:x"],
  ["model", "model_copy", "--modelRef=key:x", "--modelNewKey=y"],
  ["diff", "a", "b", "--output=text"],
  ["diff", "a", "b", "--output=markdown"],
  ["complete", "--", "metaction models entity_c"],
  ["\u001b[2J"],
  ["model", "\u001b[2J"],
  ["model", "model_list", "--\u001b[2J=x"],
  ["model", "model_list", "--query=\u001b[2J"],
  ["import", "\u001b[2J"],
];

describe("no text of a service, a provider or an argument controls the terminal", () => {
  test.each(CALLS)("%j %j %j %j %j", async (...args) => {
    expectEscaped(await user.run(args.filter((arg) => arg !== undefined)));
  });

  test.each([
    "metaction help model",
    "metaction model model_list",
    "metaction model model_get --modelRef=key:x",
    "metaction model model_get --modelRef=key:x --query=name -o raw",
    "metaction config inspect_config_text",
    "metaction model entity_list --modelRef=key:x",
    "metaction model model_copy --modelRef=key:x --modelNewKey=y",
    "metaction diff a b",
  ])("on a terminal: %s", async (command) => expectEscaped(await user.onTerminal(`NO_COLOR=1 ${command}`)));

  test("the progress of a job is shown, and replaced by how it ended", async () => {
    const { stdout } = await user.onTerminal("NO_COLOR=1 metaction model model_copy --modelRef=key:x --modelNewKey=y");
    const lines = stdout.split("\r\u001b[K");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^\\u001b\]0;.* of \\u001b\]0;/);
  });

  test("bold texts contain only the sequences for bold", async () => {
    const { stdout, ...rest } = await user.run("model model_get --modelRef=key:x -o table --color".split(" "));
    const [begin, end] = ["\u001b[1m", "\u001b[0m"];
    const pieces = stdout.split(begin).flatMap((piece, i) => (i === 0 ? [piece] : piece.split(end, 2)));
    const plain = pieces.join("");
    expect(plain).not.toBe(stdout);
    expectEscaped({ stdout: plain, ...rest });
  });

  test("in the question before a deletion", async () => {
    const { stdout } = await user.onTerminal("NO_COLOR=1 metaction model model_delete --modelRef=key:x", [
      { after: "[y/N]", text: "n\n" },
    ]);
    expectEscaped({ stdout: stdout.slice(0, stdout.indexOf("[y/N]")), stderr: "", code: 0 });
  });

  test("in the refusal of a provider, in the browser or for a program", async () => {
    const login = ["login", `--issuer=${hostile.url}`, "--client-id=cli"];
    const refused = [
      await user.run([...login, "--port=0"], { visit: /^http\S+\/authorize\S+$/m }),
      await user.run([...login, "--client-secret=-"], { stdin: "hush" }),
    ];
    for (const ended of refused) {
      expect(ended.code).toBe(4);
      expect(ended.stderr).toContain("did not sign you in: access_denied: \\u001b");
      expectEscaped(ended);
    }
  });

  test("in a sentence, which stays on its line", async () => {
    const { stderr } = await user.run(["model", "entity_list", "--modelRef=key:x"]);
    expect(stderr.split("\n")).not.toContain("Signed in.");
  });
});

describe("an escaped text is unchanged for a program", () => {
  const list = ["model", "model_list"];

  test("as JSON, as YAML and line by line", async () => {
    const body = hostile.body("model/model_list") as unknown[];
    expect(JSON.parse((await user.run(list)).stdout)).toEqual(body);
    expect(JSON.parse((await user.run([...list, "-o", "raw"])).stdout)).toEqual(body);
    expect(parse((await user.run([...list, "-o", "yaml"])).stdout)).toEqual(body);
    const lines = (await user.run([...list, "-o", "ndjson"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(body);
  });

  test("in a file", async () => {
    const { stdout } = await user.run([...list, "--query=values([1])[-1]", "-o", "raw"]);
    expect(stdout).toBe(`two\nlines\t${OBEYED}\n`);
  });
});
