import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalProcess, startProcess } from "../support/local-process.ts";
import { API, type CertifiedProvider, CLI, ROBOT, startCertifiedProvider } from "./support/certified-provider.ts";
import { commandLine } from "./support/command.ts";
import { fillForms } from "./support/form-filler.ts";

let provider: CertifiedProvider;
let service: LocalProcess;

beforeAll(async () => {
  provider = await startCertifiedProvider();
  const { issuer } = provider;
  const folder = await mkdtemp(join(tmpdir(), "metaction-certified-"));
  const issuers = join(folder, "issuers.json");
  const clientIds = [ROBOT.client_id, CLI];
  await writeFile(issuers, JSON.stringify({ issuers: [{ issuer, audiences: [API], clientIds }] }));
  service = await startProcess(folder, { METACTION_ISSUERS: issuers });
}, 60_000);

afterAll(async () => {
  await service.interrupt();
  provider.close();
});

const forApi = [`--resource=${API}`, "--scope=metadata"];

test("a program signs in at a certified provider and calls the service", async () => {
  const user = await commandLine(service.url);
  const login = ["login", `--issuer=${provider.issuer}`, `--client-id=${ROBOT.client_id}`, "--client-secret=-"];
  const ended = await user.run([...login, ...forApi], { stdin: ROBOT.client_secret });
  expect(ended.stderr).toContain("Signed in to");
  expect(ended.code).toBe(0);
  const { stdout } = await user.run(["whoami"]);
  expect(JSON.parse(stdout)).toMatchObject({ issuer: provider.issuer, sub: "robot", admin: false });
  const refused = await user.run(login, { stdin: "another" });
  expect(refused).toMatchObject({ code: 4, stdout: "" });
  expect(refused.stderr).toMatch(/did not sign you in: .+\n$/);
});

test("a person signs in on its pages, with PKCE, and an expired token is refreshed", async () => {
  const user = await commandLine(service.url);
  const pages: Promise<string>[] = [];
  const ended = await user.run(
    ["login", `--issuer=${provider.issuer}`, `--client-id=${CLI}`, "--port=0", `--resource=${API}`],
    {
      visit: /^http\S+\/auth\?\S+$/m,
      visitor: (address) => pages.push(fillForms(address, { login: "ada@example.org", password: "any" })),
    },
  );
  expect(ended.stderr).toContain("Signed in to");
  expect(ended.code).toBe(0);
  expect(await Promise.all(pages)).toEqual(["You can close this page and go back to the terminal.\n"]);
  const me = { issuer: provider.issuer, sub: "ada@example.org", admin: false };
  expect(JSON.parse((await user.run(["whoami"])).stdout)).toMatchObject(me);

  const file = join(user.home, ".config/metaction/config.toml");
  const [kept] = [await readFile(file, "utf8")];
  const [first] = refreshTokens(kept);
  await writeFile(
    file,
    kept.replace(/^token = .*$/m, 'token = "old.old.old"').replace(/^expires = .*$/m, "expires = 1"),
  );
  expect(JSON.parse((await user.run(["whoami"])).stdout)).toMatchObject(me);
  const [second] = refreshTokens(await readFile(file, "utf8"));
  expect([first, second]).toEqual([expect.stringMatching(/^.{20,}$/), expect.stringMatching(/^.{20,}$/)]);
});

const refreshTokens = (toml: string): readonly string[] =>
  [...toml.matchAll(/^refresh_token = "(.*)"$/gm)].map(([, token = ""]) => token);
