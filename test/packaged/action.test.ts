import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { outputsIn, runStep, type Step, textOf } from "../cli/support/workflow-steps.ts";
import { serve } from "../formats/source-server.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { readPacked } from "./support/read-packed.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

let action: Action;
let service: LocalProcess;
let token: string;
const home = createFolder();
let folder: string;
/** The steps that are left to do; the first run of a job installs. */
let steps: readonly Step[];

beforeAll(async () => {
  action = parse(await readFile(join(ROOT, "action.yml"), "utf8"));
  service = await startProcess();
  token = await becomeAdministrator(service);
  await mkdir(join(home, "temp"));
  steps = action.runs.steps.filter(({ run }) => run !== undefined);
});

afterAll(() => service.interrupt());

beforeEach(async () => {
  folder = createFolder();
  await mkdir(join(folder, "models"));
});

async function run(given: Readonly<Record<string, string>> = {}) {
  const values: Record<string, string> = { url: service.url, token, package: (await readPacked()).tarball, ...given };
  const inputs = Object.entries(action.inputs).map(([name, { default: fallback = "" }]) => [
    `\${{ inputs.${name} }}`,
    values[name] ?? fallback,
  ]);
  const environment = {
    ...{ PATH: process.env.PATH, HOME: home, RUNNER_TEMP: join(home, "temp") },
    ...{ npm_config_offline: "true", npm_config_update_notifier: "false" },
  };
  const said = { code: 0 as number | null, stdout: "", stderr: "" };
  for (const step of steps) {
    const { code, stdout, stderr } = await runStep(step, folder, Object.fromEntries(inputs), environment);
    Object.assign(said, { code, stdout: said.stdout + stdout, stderr: said.stderr + stderr });
    if (code !== 0) break;
    if (step.id === "install") steps = steps.filter((one) => one !== step);
  }
  return { ...said, summary: await textOf(folder, "summary.md"), outputs: await outputsIn(folder) };
}

const model = (content: string) =>
  writeFile(join(folder, "models/crm.yaml"), `$schema: urn:metaction:model:2\nkey: crm\n${content}`);

const CUSTOMER =
  "types:\n  - key: string\nentities:\n  - key: customer\n    attributes: [{key: mail, type: key:string, optional: true}]\n";
const WITHOUT_MAIL = "types:\n  - key: string\nentities:\n  - key: customer\n    attributes: []\n";

describe("action.yml", () => {
  test("is a composite action with a shell for each step, and a step for each output", () => {
    expect(action.runs.using).toBe("composite");
    for (const { uses, shell, run: script } of action.runs.steps) {
      expect(uses ?? shell).toBeDefined();
      if (script !== undefined) expect(shell).toBe("bash");
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
    }
    const ids = action.runs.steps.flatMap(({ id }) => id ?? []);
    for (const { value } of Object.values(action.outputs))
      expect(ids).toContain(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1]);
  });

  test("passes on every input", () => {
    const handed = action.runs.steps.flatMap(({ env = {} }) => Object.values(env));
    for (const name of Object.keys(action.inputs)) expect(handed).toContain(`\${{ inputs.${name} }}`);
  });
});

describe("the action", () => {
  test("plans a folder into the summary, and fails for breaking changes", async () => {
    await model(CUSTOMER);
    const first = await run();
    expect(first).toMatchObject({ code: 0, outputs: { code: "0" } });
    expect(first.summary).toContain("### `models/crm.yaml` → `crm`: 4 steps: 4 additive\n");
    expect(await readFile(first.outputs.report ?? "", "utf8")).toBe(first.summary);
    expect((await service.call("model/model_list", {}, token)).body.items ?? []).toEqual([]);

    expect((await run({ "fail-on": "additive" })).code).toBe(8);
    expect(await run({ create: "false" })).toMatchObject({ code: 3 });

    const content = `$schema: urn:metaction:model:2\nkey: crm\n${CUSTOMER}`;
    const made = { content, modelKey: "crm", create: true, source: "models/crm.yaml" };
    expect((await service.call("model/model_apply", made, token)).status).toBe(200);
    await model(WITHOUT_MAIL);
    expect(await run()).toMatchObject({ code: 0, outputs: { code: "0" } });
    const breaking = await run({ prune: "true" });
    expect(breaking).toMatchObject({ code: 8, outputs: { code: "8" } });
    expect(breaking.summary).toContain("| `-` | breaking | delete attribute `customer.mail` |");
    expect((await run({ prune: "true", "fail-on": "" })).code).toBe(0);
  });

  test("compares two sides into the summary", async () => {
    await model(WITHOUT_MAIL);
    const compared = await run({ command: "diff", files: "crm\nmodels/crm.yaml\n" });
    expect(compared).toMatchObject({ code: 8, outputs: { code: "8" } });
    expect(compared.summary).toContain("customer.mail");
  });

  test.each([
    ...["--url=http:/127.0.0.1:PORT", "-y", "--", "@models", " --url=http://127.0.0.1:PORT"],
  ])("sends its token nowhere for a file named %s", async (name) => {
    const seen: string[] = [];
    const { port, close } = await serve((asked, answer) => {
      seen.push(`${asked.headers.authorization} ${asked.url}`);
      answer.end("{}");
    });
    const line = name.replace("PORT", String(port));
    await model(CUSTOMER);
    const ended = await run({ files: `models/crm.yaml\n${line}` });
    await close();
    expect(seen).toEqual([]);
    expect(ended).toMatchObject({ code: 2, summary: "" });
    expect(ended.stdout).toContain(`::error::files has the line '${line}'`);
  });

  test("installs one version, or a file", async () => {
    const left = steps;
    steps = action.runs.steps.filter(({ id }) => id === "install");
    for (const name of [
      ...["metaction", "metaction@latest", "metaction@^0.1.0", "other@1.0.0", "--registry=http://evil.example"],
    ]) {
      const ended = await run({ package: name });
      expect([name, ended.code]).toEqual([name, 2]);
      expect(ended.stdout).toContain(`package is '${name}'`);
    }
    steps = left;
  });

  test.each([
    ["an empty url", { url: "" }, 2, "url or token is empty"],
    ["an empty token", { token: "" }, 2, "url or token is empty"],
    ["a command there is not", { command: "apply" }, 2, "command is 'apply'; give plan or diff"],
    ["a token that is none", { token: "none" }, 4, "METACTION_TOKEN was refused"],
    ["a folder that does not exist", { files: "nowhere" }, 2, "nowhere"],
  ])("fails for %s, with the reason", async (_, given, code, said) => {
    await model(CUSTOMER);
    const ended = await run(given);
    expect(ended.code).toBe(code);
    expect(`${ended.stdout}${ended.stderr}${ended.summary}`).toContain(said);
  });
});
