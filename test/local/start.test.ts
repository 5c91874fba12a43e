import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { serve } from "../formats/source-server.ts";
import { becomeAdministrator, signIn, startProcess } from "../support/local-process.ts";
import { runProgram } from "../support/run-program.ts";
import { createFolder } from "../support/temporary-folder.ts";

describe("npm start", () => {
  test("shows the bootstrap until it is used, and has all data after a restart", async () => {
    const folder = createFolder();
    const first = await startProcess(folder);
    expect(first.said()).toContain("/api/auth/admin_bootstrap");
    expect(first.said()).toContain(folder);
    // The shortest way comes first, and whole: the data are not where the command line looks by itself.
    const ways = first.said().slice(first.said().indexOf("no administrator"));
    expect(
      ways.indexOf(`npx metaction init --url=${first.url} --secret=@${folder}/bootstrap-secret\n`),
    ).toBeGreaterThan(0);
    expect(ways.indexOf("npx metaction")).toBeLessThan(ways.indexOf("curl"));
    const token = await becomeAdministrator(first);
    await first.call("model/model_create", { key: "kept", name: "Kept" }, token);
    expect(await first.interrupt()).toBe(0);

    const second = await startProcess(folder);
    expect(second.said()).not.toContain("admin_bootstrap");
    const models = await second.call("model/model_list", {}, await signIn(second));
    expect(models.body.map((m: { key: string }) => m.key)).toEqual(["kept"]);
    expect(await second.interrupt()).toBe(0);
  });

  test("refuses a second service on the same data", async () => {
    const folder = createFolder();
    const service = await startProcess(folder);
    const second = await runProgram("local/main.js", { PORT: "0", METACTION_DATA_DIR: folder });
    expect(second).toEqual({ code: 2, out: "", said: expect.stringContaining("METACTION_DATA_DIR") });
    await service.interrupt();
  });
});

/** A module hook that prints on stderr which modules the process loads. */
const LOADS = `
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => { writeSync(2, url + "\\n"); return next(url, context); } });
`;

test("a start on SQLite loads nothing of AWS", async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(LOADS)}`;
  const service = await startProcess(undefined, { NODE_OPTIONS });
  await service.interrupt();
  const loaded = service.said();
  // The actions are loaded too, after the service has begun to answer.
  for (const file of ["local/sqlite/table.ts", "shared/actions/model/entity.ts"]) expect(loaded).toContain(file);
  expect(loaded).not.toMatch(/aws-sdk|smithy/);
});

describe("a refused start has a reason in one sentence", () => {
  test("port in use", async () => {
    const { port, close } = await serve(() => undefined);
    const PORT = String(port);
    const { code, said } = await runProgram("local/main.js", { PORT, METACTION_DATA_DIR: createFolder() });
    await close();
    expect(code).toBe(1);
    expect(said.trim()).toBe(`Port ${PORT} on 127.0.0.1 is in use; set PORT to another one`);
  });

  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["METACTION_DYNAMODB_ENDPOINT", "localhost:8000"],
    ["METACTION_BOOTSTRAP_SECRET", "too short"],
    ["METACTION_IMPORT_ALLOW_PRIVATE", "yes"],
    ["METACTION_TOKEN_MINUTES", String(LIMITS.leastTokenMinutes - 1)],
    ["METACTION_TOKEN_MINUTES", String(LIMITS.mostTokenMinutes + 1)],
    ["METACTION_TOKEN_MINUTES", "1e2"],
    ["METACTION_CALLER_SECONDS", String(LIMITS.mostCallerSeconds + 1)],
    ["METACTION_CACHED_OBJECTS", "many"],
    ["METACTION_ALLOWED_HOSTS", "https://meta.example"],
  ])("%s=%s", async (name, value) => {
    const { code, said } = await runProgram("local/main.js", { METACTION_DATA_DIR: createFolder(), [name]: value });
    expect(code).toBe(2);
    expect(said.trim().split("\n")).toEqual([expect.stringContaining(name)]);
  });
});
