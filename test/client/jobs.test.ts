import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, createClient } from "../../client/create-client.ts";
import { commandLine } from "../cli/support/command.ts";
import { becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";

let service: LocalProcess;
let token: string;
let api: Api;

beforeAll(async () => {
  service = await startProcess(await mkdtemp(join(tmpdir(), "metaction-jobs-")));
  token = await becomeAdministrator(service);
  api = createClient({ url: service.url, token });
}, 60_000);

afterAll(() => service.interrupt());

/** A source with more objects than one call may write. */
const LARGE = {
  name: "large",
  resources: Array.from({ length: 26 }, (_, table) => ({
    name: `t${table}`,
    schema: { fields: Array.from({ length: 800 }, (_, field) => ({ name: `f${field}`, type: "string" })) },
  })),
};

test("a write that became a job is awaited: it answers the result of the job, or its problem", async () => {
  const seen: number[] = [];
  const onProgress = ({ done }: { readonly done: number }) => seen.push(done);
  const calls = [api.model.import({ content: LARGE }, { onProgress }), api.model.import({ content: LARGE })];
  const ended = await Promise.allSettled(calls);
  expect(ended.find(({ status }) => status === "fulfilled")).toMatchObject({
    value: { status: "ok", key: "large", counts: { attributes: 20_800 } },
  });
  expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { name: "ApiProblem", code: "key_taken" },
  });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.length).toBeGreaterThan(0);
}, 240_000);

test("the command line waits too, and shows progress on a terminal, unless --no-wait is given", async () => {
  const user = await commandLine(service.url);
  const file = join(user.home, "large.json");
  await writeFile(file, JSON.stringify(LARGE));
  const environment = { METACTION_TOKEN: token };
  const run = (...args: string[]) => user.run(args, { environment });
  const accepted = await run("import", file, "--modelKey=later", "--no-wait");
  expect(accepted).toMatchObject({ code: 0, stderr: "" });
  const { job } = JSON.parse(accepted.stdout);
  const completed = await run("complete", "--", "metaction batch job_get --jobRef=");
  expect(completed.stdout).toContain(`--jobRef=${job}`);
  expect((await run("batch", "job_cancel", `--jobRef=${job}`)).code).toBe(0);
  const command = `metaction import '${file}' --token=${token} --modelKey=now --query=key -o raw`;
  const waited = await user.onTerminal(command);
  expect(waited.code).toBe(0);
  expect(waited.stdout).toMatch(/\d+ of \d+/);
  expect(waited.stdout).toMatch(/now\r\n$/);
}, 240_000);
