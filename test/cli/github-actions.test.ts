import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createFolder } from "../support/temporary-folder.ts";
import type { Ended } from "./support/command.ts";
import { useSignedIn } from "./support/signed-in.ts";
import { outputsIn, runStep, type Step, textOf } from "./support/workflow-steps.ts";

const ROOT = join(import.meta.dirname, "../..");

const here = useSignedIn();
let folder: string;
let workflow: object;
let jobs: Readonly<Record<"plan" | "apply", { readonly steps: readonly Step[] }>>;

/** A stand-in for GitHub's program: takes a comment as GitHub would, or refuses it for its length. */
const GH = `#!/bin/sh
[ "$1 $2 $3 $4 $5 $6" = "pr comment 7 --edit-last --create-if-none --body-file" ] || { echo "not known: $*" >&2; exit 1; }
[ -n "$GH_TOKEN" ] && [ -s "$7" ] && [ "$(wc -m < "$7")" -le 65536 ] || { echo "Body is too long or empty" >&2; exit 1; }
cat "$7" > comment.md
`;

beforeAll(async () => {
  const parsed = parse(await readFile(join(ROOT, "examples/github-actions/models.yml"), "utf8"));
  workflow = parsed;
  ({ jobs } = parsed);
});

beforeEach(async () => {
  folder = createFolder();
  for (const name of ["node_modules", "cli"]) await symlink(join(ROOT, name), join(folder, name));
  await writeFile(join(folder, "package.json"), await readFile(join(ROOT, "package.json"), "utf8"));
  await mkdir(join(folder, "models"));
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/gh"), GH);
  await writeFile(
    join(folder, "bin/metaction"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "cli/metaction.js")}' "$@"\n`,
  );
  for (const name of ["gh", "metaction"]) await chmod(join(folder, "bin", name), 0o755);
});

/** Runs the steps of a job as a runner does, until one fails; what `npm install` does has been done. Returns the end of the last one. */
async function job(name: "plan" | "apply", given: Readonly<Record<string, string>> = {}): Promise<Ended> {
  for (const file of ["output", "summary.md", "comment.md"]) await rm(join(folder, file), { force: true });
  let ended: Ended = { code: 0, stdout: "", stderr: "" };
  for (const step of jobs[name].steps) {
    if (step.run === undefined || step.run.startsWith("npm install ")) continue;
    const expressions = {
      "${{ vars.METACTION_URL }}": here.service.url,
      "${{ secrets.METACTION_TOKEN }}": given.token ?? here.token,
      "${{ github.token }}": "a token of GitHub's",
      "${{ github.event.pull_request.number }}": "7",
      "${{ steps.plan.outputs.code }}": (await outputsIn(folder)).code ?? "",
      "${{ contains(github.event.pull_request.labels.*.name, 'breaking') }}": given.meant ?? "false",
    };
    ended = await runStep(step, folder, expressions, {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
    });
    if (ended.code !== 0) break;
  }
  return ended;
}

const fileOf = (name: string): Promise<string> => textOf(folder, name);
const model = (text: string) =>
  writeFile(join(folder, "models/crm.yaml"), `$schema: urn:metaction:model:2\nkey: crm\n${text}`);
const revision = async () =>
  (await here.service.call("model/model_get", { modelRef: "key:crm" }, here.token)).body.revision;

test("only the steps that run the pinned command line get the token, and no file of a pull request chooses the code that runs", () => {
  expect(Object.keys(workflow)).not.toContain("env");
  for (const one of Object.values(jobs)) {
    expect(Object.keys(one)).not.toContain("env");
    const { steps } = one;
    for (const { name = "", env = {} } of steps) {
      const hasToken = Object.values(env).some((text) => text.includes("secrets."));
      expect([name, hasToken]).toEqual([name, ["Plan", "Apply"].includes(name)]);
    }
    const install = steps.findIndex(({ run = "" }) => run.startsWith("npm "));
    expect(steps[install]?.run).toMatch(/^npm install --global --ignore-scripts metaction@\d+\.\d+\.\d+$/);
    expect(install).toBeLessThan(steps.findIndex(({ uses = "" }) => uses.startsWith("actions/checkout@")));
    for (const { run = "" } of steps) expect(run).not.toMatch(/\bnpx\b|npm (ci|run)/);
  }
});

test("a pull request gets a comment with its changes, and its merge is applied", async () => {
  await model(
    "types:\n  - key: string\nentities:\n  - key: customer\n    attributes: [{key: mail, type: key:string, optional: true}]\n",
  );
  expect(await job("plan")).toMatchObject({ code: 0 });
  expect(await fileOf("comment.md")).toContain("### `models/crm.yaml` → `crm`: 4 steps: 4 additive\n");
  expect(await fileOf("summary.md")).toBe(await fileOf("comment.md"));
  expect(await revision()).toBeUndefined();
  expect(await job("apply")).toMatchObject({ code: 0 });
  expect(await fileOf("summary.md")).toContain("**created**");
  expect(await revision()).toBe(1);

  // What breaks somebody is told, and fails unless it is meant.
  await model("types:\n  - key: string\nentities:\n  - key: customer\n    attributes: []\n");
  expect(await job("plan")).toMatchObject({ code: 8 });
  expect(await fileOf("comment.md")).toContain("| `-` | breaking | delete attribute `customer.mail` |");
  expect(await job("plan", { meant: "true" })).toMatchObject({ code: 0 });
  expect(await job("apply")).toMatchObject({ code: 0 });
  expect(await revision()).toBe(2);
}, 240_000);

test("a refused file fails, and is reported", async () => {
  await model("entities: [{key: 'a\\b'}]\n");
  expect((await job("plan", { meant: "true" })).code).toBe(2);
  expect(await fileOf("comment.md")).toContain("**refused**");
  expect(await job("plan", { token: "none" })).toMatchObject({ code: 4 });
  expect(await fileOf("comment.md")).toBe("");
}, 240_000);

test("a plan that is too long for a comment is cut, not refused", async () => {
  const entities = Array.from(
    { length: 1_500 },
    (_, i) => `  - key: entity ${i}\n    description: ${"ä".repeat(90)}\n`,
  );
  await model(`entities:\n${entities.join("")}`);
  await job("plan");
  const comment = await fileOf("comment.md");
  expect(comment).toContain("more lines do not fit into a comment");
  expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(LIMITS.commentBytes);
}, 240_000);
