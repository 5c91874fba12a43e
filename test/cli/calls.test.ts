import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ended } from "./support/command.ts";
import { type SignedIn, signedIn } from "./support/signed-in.ts";

let here: SignedIn;

beforeAll(async () => {
  here = await signedIn();
}, 60_000);

afterAll(() => here.service.interrupt());

const run = (...args: string[]): Promise<Ended> => here.user.run(args);
const loan = ["--modelRef=key:library", "--entityRef=key:loan"];

/** The JSON of a call that was done. */
function json({ code, stdout, stderr }: Ended) {
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

test("the audit log shows calls of the command line as the channel cli", async () => {
  json(await run("model", "type_create", "--modelRef=key:library", "--typeKey=from-cli"));
  const payload = { modelRef: "key:library", typeKey: "from-program" };
  expect((await here.service.call("model/type_create", payload, here.token)).status).toBe(200);
  const { items } = json(await run("model", "history_version_changes", "--modelRef=key:library"));
  const rows = items.filter(({ kind }: { kind: string }) => kind === "type");
  expect(rows.map(({ key, channel }: { key: string; channel: string }) => [key, channel])).toEqual([
    ["from-cli", "cli"],
    ["from-program", "http"],
  ]);
});

describe("values come in every form", () => {
  test("as in the sample calls of the specification", async () => {
    const renamed = await run("models", "model_update_name", "--modelRef=key:library", "--name=New name");
    expect(json(renamed)).toMatchObject({ status: "ok", key: "library", changed: true });
    const got = json(await run("models", "model_get", "--modelRef=key:library"));
    expect(got.name).toBe("New name");
  });

  test("with a space, in kebab case, by an alias", async () => {
    const renamed = await run("model", "model-update-name", "--model-ref", "key:library", "--value", "City library");
    expect(json(renamed).changed).toBe(true);
  });

  test("of a switch", async () => {
    const attribute = [...loan, "--attributeRef=key:member"];
    for (const [flag, optional] of [
      ["--value", true],
      ["--no-value", false],
      ["--value=true", true],
      ["--value=false", false],
    ] as const) {
      json(await run("model", "entity_attribute_update_optional", ...attribute, flag));
      expect(json(await run("model", "entity_attribute_get", ...attribute)).optional).toBe(optional);
    }
  });

  test("from a file, from stdin, and a text that begins with @", async () => {
    const file = join(here.user.home, "text.md");
    await writeFile(file, "From a file.\n");
    const describeLoan = (value: string, stdin = "") =>
      here.user.run(["model", "entity_update_description", ...loan, `--value=${value}`], { stdin });
    const shown = async () => json(await run("model", "entity_get", ...loan)).description;
    json(await describeLoan(`@${file}`));
    expect(await shown()).toBe("From a file.");
    json(await describeLoan("-", "From stdin.\nIn two lines.\n"));
    expect(await shown()).toBe("From stdin.\nIn two lines.");
    json(await describeLoan("@@home"));
    expect(await shown()).toBe("@home");
  });

  test("as a whole payload, with flags beside it", async () => {
    const file = join(here.user.home, "payload.json");
    await writeFile(file, JSON.stringify({ modelRef: "key:library", entityKey: "shelf" }));
    json(await run("model", "entity_create", `--input=${file}`, "--name=Shelf"));
    expect(json(await run("model", "entity_get", "--modelRef=key:library", "--entityRef=key:shelf")).name).toBe(
      "Shelf",
    );
    const twice = await run("model", "entity_create", `--input=${file}`, "--entityKey=other");
    expect(twice).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "--entityKey is also set in --input; keep one of them.\n",
    });
  });

  test("of a list: repeated, or as JSON text", async () => {
    const set = (...flags: string[]) => run("model", "entity_primary_key_update", ...loan, ...flags);
    const count = async () => json(await run("model", "entity_get", ...loan)).primaryKey.length;
    json(await set("--attributeRef=key:book"));
    expect(await count()).toBe(1);
    json(await set("--attributeRef=key:book", "--attributeRef=key:member"));
    expect(await count()).toBe(2);
    json(await set('--attributeRef=["key:member"]'));
    expect(await count()).toBe(1);
  });
});

describe("invalid arguments end with 2 and a remedy", () => {
  test.each([
    [["modl", "entity_create"], "Unknown group modl; did you mean models?"],
    [["model", "entity_creat"], "Unknown action model entity_creat; did you mean entity_create?"],
    [["whoam"], "Unknown group or command whoam; did you mean whoami?"],
    [
      ["model", "entity_create", "--entitykey=x"],
      "model entity_create has no flag --entitykey; did you mean --entityKey?",
    ],
    [
      ["model", "entity_get", ...loan, "more"],
      "Unexpected argument more; write parameters as --name=value (see: metaction help models entity_get).",
    ],
    [["model", "entity_get", "--modelRef"], "--modelRef needs a value: --modelRef=<value>"],
    [
      ["model", "entity_get", "--modelRef", "--entityRef=key:x"],
      "--modelRef needs a value; if --entityRef=key:x is the value, write --modelRef=--entityRef=key:x",
    ],
    [["model", "entity_get", ...loan, "--modelRef=key:x"], "--modelRef was given twice."],
    [["model", "entity_get", ...loan, "--dry-run"], "Flag --dry-run does not apply to model entity_get."],
    [["model", "entity_list", "--modelRef=key:library", "--limit=ten"], "--limit=ten: expected a number."],
    [
      ["model", "entity_get", ...loan, "--output=xml"],
      "--output=xml: write json, yaml, table, ndjson, raw; did you mean yaml?",
    ],
    [["model", "model_compare", "--fail-on=much"], "--fail-on=much: write breaking, additive, cosmetic"],
    [
      ["model", "entity_get", ...loan, "--url=nowhere"],
      '--url: "nowhere" is not the URL of a service; write one like http://127.0.0.1:8080',
    ],
  ] as const)("%j", async (args, sentence) => {
    const ended = await run(...args);
    expect(ended.stderr.trim()).toBe(sentence);
    expect(ended.code).toBe(2);
  });

  test("a file that does not exist", async () => {
    const ended = await run("import", "nowhere.json");
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: "--content: nowhere.json does not exist\n" });
  });
});

describe("problems of the service keep their exit codes", () => {
  test.each([
    [3, ["model", "entity_get", "--modelRef=key:library", "--entityRef=key:none"]],
    [6, ["model", "entity_create", "--modelRef=key:library", "--entityKey=loan"]],
    [
      6,
      [
        "model",
        "entity_create",
        "--modelRef=key:library",
        "--entityKey=x",
        "--if-match=01890a5d-ac96-774b-bcce-b302099a8057-1",
      ],
    ],
    [2, ["model", "entity_create", "--modelRef=library"]],
    [4, ["model", "model_list", "--token=nonsense"]],
    [2, ["model", "import", "--content={}"]],
  ] as const)("%i from %j", async (code, args) => {
    const ended = await run(...args);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).not.toBe("");
  });

  test("all faults of a call are reported", async () => {
    const { stderr } = await run("model", "entity_create", "--modelRef=id:library");
    expect(stderr.split("\n")).toHaveLength(4);
  });
});

describe("controls", () => {
  test("a dry run writes nothing", async () => {
    const rehearsed = json(await run("model", "type_create", "--modelRef=key:library", "--typeKey=never", "--dry-run"));
    expect(rehearsed).toMatchObject({ dryRun: true, changed: true });
    const got = await run("model", "type_get", "--modelRef=key:library", "--typeRef=key:never");
    expect(got.code).toBe(3);
  });

  test("the same idempotency key gives the same answer", async () => {
    const create = () =>
      run("model", "type_create", "--modelRef=key:library", "--typeKey=once", "--idempotency-key=k1", "--verbose");
    const [first, second] = [await create(), await create()];
    expect(second.stdout).toBe(first.stdout);
    expect(second.stderr).toMatch(/^> POST http.*\n< 200 in \d+ ms, request id \S+\n$/);
  });

  test("an action that takes no idempotency key is sent without one", async () => {
    const create = ["auth", "token_create", "--name=CI", "--expiresInDays=1"];
    const shown = await run(...create, "--curl");
    expect(shown.stdout).not.toContain("idempotency-key");
    const made = await run(...create, "--verbose");
    expect(made.code).toBe(0);
    expect(made.stderr.match(/^> POST/gm)).toHaveLength(1);
  });

  test("--curl prints the call and does not send it", async () => {
    const args = ["model", "type_create", "--modelRef=key:library", "--typeKey=it's", "--idempotency-key=k2"];
    const shown = await run(...args, "--curl");
    expect(shown.stdout).toBe(
      `curl ${here.service.url}/api/model/type_create -H "Authorization: Bearer $METACTION_TOKEN" -H 'idempotency-key: k2' --json '{"modelRef":"key:library","typeKey":"it'\\''s"}'\n`,
    );
    // The key is none, which the service tells of the very same call.
    const made = await here.user.shell(shown.stdout, { environment: { METACTION_TOKEN: here.token } });
    expect(made.stdout).toContain("bad_parameters");
  });
});
