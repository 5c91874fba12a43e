import { describe, expect, test } from "vitest";
import { writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();

const { json, run } = here;
const loan = ["--modelRef=key:library", "--entityRef=key:loan"];

test("the audit log shows calls of the command line as the channel cli", async () => {
  await json`model type_create --modelRef=key:library --typeKey=from-cli`;
  await here.call("model/type_create", { modelRef: "key:library", typeKey: "from-program" });
  const { items } = await json`model history_version_changes --modelRef=key:library`;
  expect(items.filter(({ kind }: { kind: string }) => kind === "type")).toMatchObject([
    { key: "from-cli", channel: "cli" },
    { key: "from-program", channel: "http" },
  ]);
});

describe("values come in every form", () => {
  const attribute = [...loan, "--attributeRef=key:member"];
  const loanNow = async (member: string) => (await json`model entity_get ${loan}`)[member];

  test("as in the sample calls of the specification", async () => {
    const renamed = await json`models model_update_name --modelRef=key:library --name=${"New name"}`;
    expect(renamed).toMatchObject({ status: "ok", key: "library", changed: true });
    expect((await json`models model_get --modelRef=key:library`).name).toBe("New name");
  });

  test("with a space, in kebab case, by an alias", async () => {
    expect((await json`model model-update-name --model-ref key:library --value ${"City library"}`).changed).toBe(true);
  });

  test.each([
    ["--value", true],
    ["--no-value", false],
    ["--value=true", true],
    ["--value=false", false],
  ])("of a switch: %s", async (flag, optional) => {
    await json`model entity_attribute_update_optional ${attribute} ${flag}`;
    expect((await json`model entity_attribute_get ${attribute}`).optional).toBe(optional);
  });

  test("from a file, from stdin, and a text that begins with @", async () => {
    const file = await writeInto(here.user.home, "text.md", "From a file.\n");
    for (const [value, stdin, description] of [
      [`@${file}`, "", "From a file."],
      ["-", "From stdin.\nIn two lines.\n", "From stdin.\nIn two lines."],
      ["@@home", "", "@home"],
    ] as const) {
      const ended = await here.user.run(["model", "entity_update_description", ...loan, `--value=${value}`], { stdin });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(await loanNow("description")).toBe(description);
    }
  });

  test("as a whole payload, with flags beside it", async () => {
    const file = await writeInto(here.user.home, "payload.json", { modelRef: "key:library", entityKey: "shelf" });
    await json`model entity_create --input=${file} --name=Shelf`;
    expect((await json`model entity_get --modelRef=key:library --entityRef=key:shelf`).name).toBe("Shelf");
    const twice = await run`model entity_create --input=${file} --entityKey=other`;
    expect(twice).toEqual({ code: 2, stdout: "", stderr: "--entityKey is also set in --input; keep one of them.\n" });
  });

  test("of any type: JSON text or plain text, but a source is an object or a text", async () => {
    const shown = await run`model entity_update_property ${loan} --property=days --value=365 --curl`;
    expect(shown.stdout).toContain('"value":365}');
    expect((await here.user.run(["import", "-", "--curl"], { stdin: "17" })).stdout).toContain('{"content":"17"}');
  });

  test.each([
    ["--attributeRef=key:book", 1],
    ["--attributeRef=key:book --attributeRef=key:member", 2],
    ['--attributeRef=["key:member"]', 1],
  ])("of a list, repeated or as JSON text: %s", async (flags, count) => {
    await json`model entity_primary_key_update ${loan} ${flags.split(" ")}`;
    expect(await loanNow("primaryKey")).toHaveLength(count);
  });
});

const getLoan = `model entity_get ${loan.join(" ")}`;

test.each([
  [
    `${getLoan} more`,
    "Unexpected argument more; write parameters as --name=value (see: metaction help models entity_get).",
  ],
  ["model entity_get --modelRef", "--modelRef needs a value: --modelRef=<value>"],
  [
    "model entity_get --modelRef --entityRef=key:x",
    "--modelRef needs a value; if --entityRef=key:x is the value, write --modelRef=--entityRef=key:x",
  ],
  [`${getLoan} --modelRef=key:x`, "--modelRef was given twice."],
  [`${getLoan} --dry-run`, "Flag --dry-run does not apply to model entity_get."],
  ["model entity_list --modelRef=key:library --limit=ten", "--limit=ten: expected a number."],
  [
    "model model_compare --fail-on=much",
    "--fail-on=much: write breaking, behavioural, additive, operational, cosmetic, readers, writers",
  ],
  [`${getLoan} --url=nowhere`, '--url: "nowhere" is not the URL of a service; write one like http://127.0.0.1:8080'],
  [
    "modelz model_list --url=nowhere",
    '--url: "nowhere" is not the URL of a service; write one like http://127.0.0.1:8080',
  ],
  ["logout now", "logout takes no argument now; see: metaction help logout"],
  ["import nowhere.json", "--content: nowhere.json does not exist"],
])("invalid arguments end with 2 and a remedy: %s", async (command, sentence) => {
  expect(await run`${command.split(" ")}`).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
});

describe("problems of the service keep their exit codes", () => {
  test.each([
    [3, "model entity_get --modelRef=key:library --entityRef=key:none"],
    [6, "model entity_create --modelRef=key:library --entityKey=loan"],
    [6, "model type_create --modelRef=key:library --typeKey=x --if-match=01890a5d-ac96-774b-bcce-b302099a8057-1"],
    [2, "model entity_create --modelRef=library"],
    [4, "model model_list --token=nonsense"],
    [2, "model import --content={}"],
  ])("%i from %s", async (code, command) => {
    expect(await run`${command.split(" ")}`).toEqual({ code, stdout: "", stderr: expect.stringMatching(/./) });
  });

  test("all faults of a call are reported", async () => {
    expect((await run`model entity_create --modelRef=id:library`).stderr.split("\n")).toHaveLength(4);
  });
});

describe("controls", () => {
  test("a dry run writes nothing", async () => {
    const rehearsed = await json`model type_create --modelRef=key:library --typeKey=never --dry-run`;
    expect(rehearsed).toMatchObject({ dryRun: true, changed: true });
    expect((await run`model type_get --modelRef=key:library --typeRef=key:never`).code).toBe(3);
  });

  test("the same idempotency key gives the same answer", async () => {
    const create = () => run`model type_create --modelRef=key:library --typeKey=once --idempotency-key=k1 --verbose`;
    const began = performance.now();
    const [first, second] = [await create(), await create()];
    expect(second.stdout).toBe(first.stdout);
    const [, ms] = /^> POST http.*\n< 200 in (\d+) ms, request id \S+\n$/.exec(second.stderr) ?? [];
    expect(Number(ms)).toBeLessThan(performance.now() - began);
  });

  test("an action that takes no idempotency key is sent without one", async () => {
    const create = ["auth", "token_create", "--name=CI", "--expiresInDays=1"];
    expect((await run`${create} --curl`).stdout).not.toContain("idempotency-key");
    const made = await run`${create} --verbose`;
    expect([made.code, made.stderr.match(/^> POST/gm)?.length]).toEqual([0, 1]);
  });

  test("--curl prints the call and does not send it", async () => {
    const args = ["model", "type_create", "--modelRef=key:library", "--typeKey=it's", "--idempotency-key=k2"];
    const shown = await run`${args} --curl`;
    expect(shown.stdout).toBe(
      `curl ${here.service.url}/api/model/type_create -H "Authorization: Bearer $METACTION_TOKEN" -H 'idempotency-key: k2' --json '{"modelRef":"key:library","typeKey":"it'\\''s"}'\n`,
    );
    expect((await run`auth login --username=ada --curl`).stdout).not.toContain("Authorization");
    // The key is none, which the service tells of the very same call.
    const made = await here.user.shell(shown.stdout, { environment: { METACTION_TOKEN: here.token } });
    expect(made.stdout).toContain("bad_parameters");
  });
});
