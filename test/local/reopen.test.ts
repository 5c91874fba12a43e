import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { becomeAdministrator, signIn, startProcess } from "../support/local-process.ts";
import { type Ran, runProgram } from "../support/run-program.ts";
import { realRuntime } from "../support/runtime.ts";
import { createFolder } from "../support/temporary-folder.ts";

const reopen = (environment: Record<string, string>, ...words: string[]): Promise<Ran> =>
  runProgram("local/reopen.ts", environment, ...words);

const GRACE = { username: "grace", fullname: "Grace Hopper", password: "Moth in the relay 1947" };

describe("npm run admin:reopen", () => {
  const folder = createFolder();
  const here = { METACTION_DATA_DIR: folder };

  test("gives a new administrator to an instance without one", { timeout: 90_000 }, async () => {
    const first = await startProcess(folder);
    const neverUsed = await reopen(here);
    expect(neverUsed).toMatchObject({ code: 2, out: "" });
    expect(neverUsed.said).toMatch(/^Another process uses .*metaction\.db: stop it, .*\n$/);
    const lost = await becomeAdministrator(first);
    await first.call("model/model_create", { key: "kept", name: "Kept" }, lost);
    await first.interrupt();

    const { code, out, said } = await reopen(here);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^[\w-]{43}\n$/) });
    const secret = out.trim();
    expect(said).toContain("metaction.db");
    expect(said).not.toContain(secret);

    const second = await startProcess(folder);
    try {
      expect(second.said()).not.toContain("admin_bootstrap");
      const wrong = await second.call("auth/admin_bootstrap", { ...GRACE, secret: "x".repeat(43) });
      expect(wrong.status).toBe(401);
      const made = await second.call("auth/admin_bootstrap", { ...GRACE, secret });
      expect(made.status).toBe(200);
      expect((await second.call("auth/admin_bootstrap", { ...GRACE, secret })).status).toBe(410);
      const token = made.body.access_token;
      const models = await second.call("model/model_list", {}, token);
      expect(models.body.map((m: { key: string }) => m.key)).toEqual(["kept"]);
      expect(await signIn(second)).toEqual(expect.any(String));
    } finally {
      await second.interrupt();
    }
    const again = await reopen(here, "--json");
    const { secret: newest, until } = JSON.parse(again.out);
    expect(newest).not.toBe(secret);
    expect(Date.parse(until)).toBeGreaterThan(realRuntime.now());
    const { said: checked, code: clean } = await runProgram("local/fsck.ts", here);
    expect({ checked, clean }).toEqual({ checked: expect.stringContaining("Nothing is wrong."), clean: 0 });
  });

  test("ends with 2 and a sentence if there is nothing to reopen", async () => {
    const nowhere = await reopen({ METACTION_DATA_DIR: join(folder, "nowhere") });
    expect(nowhere).toMatchObject({ code: 2, out: "" });
    expect(nowhere.said).toMatch(/^There is no .*metaction\.db: set METACTION_DATA_DIR, .*\n$/);
    expect(await reopen(here, "--force")).toMatchObject({ code: 2, out: "" });
    expect((await reopen(here, "--help")).out).toContain("--table");
  });
});
