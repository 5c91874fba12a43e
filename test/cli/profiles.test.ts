import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpsServer } from "node:https";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatErrorLines } from "../../cli/terminal/failure.ts";
import { ApiProblem } from "../../client/create-client.ts";
import { makeCertificate } from "../formats/certificate.ts";
import { serve, serveTcp, serveWith } from "../formats/source-server.ts";
import { writeInto } from "../support/temporary-folder.ts";
import { commandLine, type Ended } from "./support/command.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();

const { json, run } = here;
const fileOf = (home: string) => join(home, ".config/metaction/config.toml");

function expectSentence(ended: Ended, code: number, text: string | RegExp) {
  expect(ended).toMatchObject({ code, stderr: expect.stringMatching(text) });
  expect(ended.stderr.trim().split("\n")).toHaveLength(1);
}

describe("login", () => {
  test("stores the token in a file that only its owner can read", async () => {
    const file = fileOf(here.user.home);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain('username = "admin"');
    expect(await json`whoami`).toMatchObject({ sub: "admin", admin: true });
    // The description of the service is kept in the same way.
    const cache = join(here.user.home, ".cache/metaction");
    const kept = await Promise.all((await readdir(cache)).map(async (name) => (await stat(join(cache, name))).mode));
    expect(new Set(kept.map((mode) => mode & 0o777))).toEqual(new Set([0o600]));
  });

  test("asks for the password with hidden input", async () => {
    const user = await commandLine(here.service.url);
    const { stdout, code } = await user.onTerminal("metaction login", [
      { after: "Username: ", text: "admin\n" },
      { after: "Password of admin: ", text: "Violet-Harbor-7-Lantern\n" },
    ]);
    expect(stdout).toContain("Signed in to");
    expect([stdout, code]).toEqual([expect.not.stringContaining("Violet-Harbor"), 0]);
    expect((await user.run(["whoami"])).code).toBe(0);
  });

  test("warns before it sends a password over http to another machine", async () => {
    const user = await commandLine("http://metaction.invalid");
    const warning = "Warning: http://metaction.invalid is not encrypted";
    for (const [flags, isWarned] of [
      [[], true],
      [["--quiet"], false],
      [["--url=https://metaction.invalid"], false],
      [["--url=http://127.0.0.1:1"], false],
    ] as const) {
      const { code, stderr } = await user.run(["login", "--username=ada", ...flags], {
        stdin: "Violet-Harbor-7-Lantern",
      });
      expect([code, stderr.includes(warning)]).toEqual([1, isWarned]);
    }
  });

  test("refuses a wrong password, and stores nothing", async () => {
    const user = await commandLine(here.service.url);
    const ended = await user.run(["login", "--username=admin"], { stdin: "wrong" });
    expect(ended).toMatchObject({ code: 4, stderr: "The username or the password is not right\n" });
    await expect(stat(fileOf(user.home))).rejects.toThrow("ENOENT");
  });

  test("reads a token from stdin into a named profile", async () => {
    const user = await commandLine(here.service.url);
    await user.run(["login", "--with-token", "--profile=ci"], { stdin: `${here.token}\n` });
    expect((await user.run(["whoami", "--profile=ci"])).code).toBe(0);
    expect((await user.run(["whoami", "--profile=none"])).code).toBe(2);
    await user.run(["logout", "--profile=ci"]);
    expect((await user.run(["whoami", "--profile=ci"])).code).toBe(4);
    expect((await user.run(["logout", "--profile=ci"])).code).toBe(4);
  });

  test("begins a session that logout ends, or tells why it does not", async () => {
    const user = await commandLine(here.service.url);
    for (const [flags, stderr, code] of [
      [[], /^Signed out of profile default\.\n$/, 4],
      [
        ["--url=http://127.0.0.1:1"],
        /The token stays valid until it expires: http:\/\/127\.0\.0\.1:1 cannot be reached/,
        0,
      ],
    ] as const) {
      await user.run(["login", "--username=admin"], { stdin: "Violet-Harbor-7-Lantern" });
      const [, token] = /^token = "(.*)"$/m.exec(await readFile(fileOf(user.home), "utf8")) ?? [];
      expect(await user.run(["logout", ...flags])).toMatchObject({ code: 0, stderr: expect.stringMatching(stderr) });
      expect((await user.run(["whoami", `--token=${token}`, `--url=${here.service.url}`])).code).toBe(code);
    }
  });

  test("accepts an API token in every form", async () => {
    const { token, id } = await json`auth token_create --name=CI --permissions=model_read`;
    expect(token).toMatch(/^metaction_/);
    const user = await commandLine(here.service.url);
    const seen = async (args: string[], environment: Record<string, string> = {}) =>
      JSON.parse((await user.run(["whoami", ...args], { environment })).stdout);
    const expected = { sub: "admin", admin: false, permissions: ["model_read"] };
    expect(await seen([], { METACTION_TOKEN: token })).toMatchObject(expected);
    expect(await seen([`--token=${token}`])).toMatchObject(expected);
    const file = await writeInto(user.home, "token.txt", `${token}\n`);
    expect((await user.run(["login", `--token=@${file}`])).code).toBe(0);
    expect(await seen([])).toMatchObject(expected);
    const blank = await writeInto(user.home, "blank.txt", " \n\n");
    expect((await user.run(["login", `--token=@${blank}`, "--profile=other"])).code).toBe(2);
    expect((await user.run(["login", `--token=${token}`, "--profile=other"])).code).toBe(0);
    expect(await seen(["--profile=other"])).toMatchObject(expected);

    expect((await user.run(["model", "model_create", "--key=no"])).code).toBe(5);
    expect((await run`auth token_revoke --tokenId=${id} --yes`).code).toBe(0);
    expectSentence(await user.run(["whoami"]), 4, "");
  });

  test.each([
    ["a provider that requires another step", 403, "login_challenge", "Choose a new password at the provider", 4],
    ["a problem code of a newer service", 409, "something_new", "Something is new", 6],
  ])("ends with the sentence of the service for %s", async (_, status, code, detail, exitCode) => {
    const { port, close } = await serve((_, response) => {
      response.writeHead(status, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ code, detail, status, title: "A problem", retryable: false }));
    });
    const user = await commandLine(`http://127.0.0.1:${port}`);
    const ended = await user.run(["login", "--username=ada"], { stdin: "Violet-Harbor-7-Lantern" });
    await close();
    expect(ended).toEqual({ code: exitCode, stdout: "", stderr: `${detail}\n` });
  });

  test("repairs the mode of a file that others can read, and reports it", async () => {
    const user = await commandLine(here.service.url);
    await user.run(["login", "--with-token"], { stdin: here.token });
    const file = fileOf(user.home);
    await writeFile(file, await readFile(file), { mode: 0o644 });
    await chmod(file, 0o644);
    expect((await user.run(["whoami"])).stderr).toContain("was readable by others");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe("config", () => {
  const setting = async (name: string, args: string[], environment: Record<string, string> = {}) => {
    const { stdout } = await here.user.run(["config", ...args], { environment });
    return JSON.parse(stdout).find((row: { name: string }) => row.name === name);
  };

  test("shows the source of each value: flag, environment, profile, default", async () => {
    const none = { METACTION_URL: "" };
    const other = "http://other.test";
    expect(await setting("url", [`--url=${other}`])).toMatchObject({ value: other, from: "--url" });
    expect(await setting("url", [])).toMatchObject({ value: here.service.url, from: "METACTION_URL" });
    expect(await setting("output", [])).toMatchObject({ value: "by the terminal", from: "default" });
    expect(await setting("url", [], none)).toMatchObject({ value: here.service.url, from: "profile default" });
    const { stdout } = await (await commandLine("")).run(["config", "--query=[?name=='url'].from"]);
    expect(JSON.parse(stdout)).toEqual(["default"]);
  });

  test("does not show the token, and sends it to no other service", async () => {
    expect((await run`config`).stdout).not.toContain(here.token);
    expect(await setting("token", [])).toMatchObject({ from: "profile default" });
    expect(await setting("token", ["--url=http://other.test"])).toMatchObject({ value: "", from: "none" });
    expect(await setting("token", ["--token=x"])).toMatchObject({ from: "--token" });
    expect(await setting("token", [], { METACTION_TOKEN: "x" })).toMatchObject({ from: "METACTION_TOKEN" });
  });

  test("does not hide the actions of its group", async () => {
    expect((await run`config inspect_type_system`).code).toBe(0);
  });
});

describe("one sentence reports", () => {
  test("an expired token", async () => {
    const user = await commandLine(here.service.url);
    await run`help`;
    await user.run(["login", "--with-token"], { stdin: "x.y.z" });
    const { url } = here.service;
    const kept = `[profiles.default]\nurl = "${url}"\ntoken = "x.y.z"\nexpires = ${Date.now() - 1000}\n`;
    const stderr = `the sign-in of profile default has expired; sign in with: metaction login --url=${url}\n`;
    for (const withoutClient of ["", 'issuer = "http://127.0.0.1:1"\nrefresh_token = "x"\n']) {
      await writeFile(fileOf(user.home), `${kept}${withoutClient}`);
      expect(await user.run(["model", "model_list"])).toEqual({ code: 4, stdout: "", stderr });
    }
    const provider = 'issuer = "http://127.0.0.1:1"\nclient_id = "x"\nrefresh_token = "x"\n';
    await writeFile(fileOf(user.home), `${kept}${provider}`);
    expectSentence(await user.run(["model", "model_list"]), 4, /^http:\/\/127\.0\.0\.1:1 /);
  });

  test("a stored token that the service refuses", async () => {
    const user = await commandLine(here.service.url);
    await user.run(["login", "--with-token"], { stdin: "x.y.z" });
    const advice = /^(?!the token from).*; sign in with: metaction login .*--url=/;
    expectSentence(await user.run(["model", "model_list"]), 4, advice);
  });

  test.each([
    [
      [],
      { METACTION_TOKEN: "nonsense" },
      /^the token from METACTION_TOKEN was refused \(.+\); set another one, or unset it and sign in with: /,
    ],
    [
      ["--token=nonsense"],
      {},
      /^the token from --token was refused \(.+\); give another one, or leave it out and sign in with: /,
    ],
    [["--token=nonsense"], { METACTION_TOKEN: "other" }, /^the token from --token was refused/],
  ])("an invalid token: %j %j", async (args, environment: Record<string, string>, advice) => {
    const ended = await here.user.run(["model", "model_list", ...args], { environment });
    expectSentence(ended, 4, advice);
    expect(ended.stderr).toContain(`metaction login --profile=default --url=${here.service.url}`);
    expect(ended.stderr).not.toContain("nonsense");
  });

  test("a profile without a token", async () => {
    const ended = await (await commandLine(here.service.url)).run(["model", "model_list"]);
    expect(ended).toMatchObject({ stderr: expect.not.stringContaining("the token of"), code: 4 });
  });

  test("an address without a service", async () => {
    const ended = await run`model model_list --url=http://127.0.0.1:1`;
    expectSentence(ended, 1, /^http:\/\/127\.0\.0\.1:1 cannot be reached.*\n$/);
    const { port, close } = await serveTcp(() => undefined);
    await close();
    const refused = await run`model model_list --url=http://127.0.0.1:${port}`;
    expect(refused.stderr).toContain("nothing listens there; is the service running?");
    expect((await run`model model_list --url=http://nowhere.invalid`).stderr).toContain(": unknown host name");
  });

  test("a call that was not answered in time", () => {
    const members = { status: 0, title: "No answer", retryable: true };
    const problem = new ApiProblem("no_answer", "No answer", members, { cause: AbortSignal.abort().reason });
    expect(formatErrorLines(problem)).toEqual(["No answer"]);
  });

  test("another server", async () => {
    const { port, close } = await serveTcp((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"));
    const ended = await run`model model_list --url=http://127.0.0.1:${port}`;
    await close();
    expectSentence(ended, 1, "is not a Metaction service");
  });

  test("an untrusted certificate", async () => {
    const { port, close } = await serveWith(
      createHttpsServer(makeCertificate("localhost"), (_, response) => response.end("{}")),
    );
    const ended = await run`model model_list --url=https://localhost:${port}`;
    await close();
    expectSentence(ended, 1, "its certificate is not signed by an authority that this machine trusts");
  });

  test.each(["model model_list", "init"])("Ctrl-C while the service does not answer: %s", async (command) => {
    const { port, close } = await serveTcp(() => undefined);
    const args = [...command.split(" "), `--url=http://127.0.0.1:${port}`];
    const ended = await here.user.run(args, { interruptAfter: 2500 });
    await close();
    expect(ended).toEqual({ code: 130, stdout: "", stderr: "Interrupted.\n" });
  });

  test("a configuration that is not TOML", async () => {
    const user = await commandLine(here.service.url);
    await user.run(["login", "--with-token"], { stdin: "x" });
    await writeFile(fileOf(user.home), "url = ");
    expect(await user.run(["whoami"])).toMatchObject({ code: 2, stderr: expect.stringContaining("is not valid TOML") });
    await rm(fileOf(user.home));
    await mkdir(fileOf(user.home));
    expectSentence(await user.run(["whoami"]), 2, "config.toml cannot be read: EISDIR");
  });
});
