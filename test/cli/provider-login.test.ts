import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { API, CLI, ROBOT, useCertifiedProvider } from "./support/certified-provider.ts";
import { type CommandLine, commandLine } from "./support/command.ts";

/** Follows redirects with cookies and submits forms, or cancels without answers; returns the last page's text. */
async function fillForms(start: string, answers?: Readonly<Record<string, string>>): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let pages = 0; pages < 20; pages++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get("location");
    form = undefined;
    if (location !== null) {
      url = new URL(location, url);
      continue;
    }
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    if (action === undefined) return page;
    const [, cancel] = / href="([^"]+\/abort)"/.exec(page) ?? [];
    if (answers === undefined && cancel !== undefined) {
      url = new URL(cancel, url);
      continue;
    }
    url = new URL(action, url);
    form = new URLSearchParams();
    for (const [input] of page.matchAll(/<input[^>]*>/g)) {
      const [, name = ""] = / name="([^"]*)"/.exec(input) ?? [];
      form.set(name, / value="([^"]*)"/.exec(input)?.[1] ?? answers?.[name] ?? "");
    }
  }
  throw new Error(`no end of pages at ${url}`);
}

const here = useCertifiedProvider();
const ADA = { login: "ada@example.org", password: "any" };

const fileOf = ({ home }: CommandLine) => join(home, ".config/metaction/config.toml");

const createLogin = () => ["login", `--issuer=${here.issuer}`, `--client-id=${CLI}`, `--resource=${API}`];

const signInOnPages = (user: CommandLine, visitor: (address: string) => unknown, command = createLogin()) =>
  user.run([...command, "--port=0"], { visit: /^http\S+\/auth\?\S+$/m, visitor });

const whoami = async (user: CommandLine): Promise<unknown> => JSON.parse((await user.run(["whoami"])).stdout);

test("a program signs in with its secret, which is not stored, and calls the service", async () => {
  const user = await commandLine(here.url);
  const login = ["login", `--issuer=${here.issuer}`, `--client-id=${ROBOT.client_id}`, "--client-secret=-"];
  const refused = await user.run(login, { stdin: "another" });
  expect(refused).toEqual({ code: 4, stdout: "", stderr: expect.stringMatching(/did not sign you in: .+\n$/) });
  const stdin = `${ROBOT.client_secret}\n`;
  const ended = await user.run([...login, `--resource=${API}`, "--scope=metadata"], { stdin });
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in to") });
  expect(await whoami(user)).toMatchObject({ issuer: here.issuer, sub: "robot", admin: false });
  expect(await readFile(fileOf(user), "utf8")).not.toContain(ROBOT.client_secret);
});

test("a person signs in on the provider's pages, with PKCE, and an expired token is refreshed", async () => {
  const user = await commandLine(here.url);
  const pages: Promise<string>[] = [];
  const ended = await signInOnPages(user, (address) => pages.push(fillForms(address, ADA)));
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in to") });
  expect(await Promise.all(pages)).toEqual(["You can close this page and go back to the terminal.\n"]);
  const me = { issuer: here.issuer, sub: ADA.login, admin: false };
  expect(await whoami(user)).toMatchObject(me);

  const kept = await readFile(fileOf(user), "utf8");
  const expired = kept.replace(/^token = .*$/m, 'token = "old.old.old"').replace(/^expires = .*$/m, "expires = 1");
  await writeFile(fileOf(user), expired);
  // The provider gives tokens that the service accepts only to requests that name the service.
  expect(await whoami(user)).toMatchObject(me);
  const refreshed = await readFile(fileOf(user), "utf8");
  expect(refreshed).not.toContain("old.old.old");
  for (const text of [kept, refreshed]) expect(text).toMatch(/^refresh_token = ".{20,}"$/m);
});

test("init signs in at a provider of the service, with the client, scopes and API that the service names", async () => {
  const user = await commandLine(here.url);
  const sentAddress = expect.stringMatching(/%3A(?!8400)\d+%2Fcallback&scope=openid\+metadata&/);
  for (const name of ["Acme", here.issuer]) {
    const ended = await signInOnPages(user, (address) => fillForms(address, ADA), ["init", `--issuer=${name}`]);
    expect(ended).toMatchObject({ code: 0, stderr: sentAddress });
  }
  expect(await whoami(user)).toMatchObject({ issuer: here.issuer, sub: ADA.login, admin: false });
});

test.each([
  ["metaction init", "3", "3 is not a number from 1 to 2"],
  ["metaction init", "", "Username: "],
  ["metaction init", "2", "Sign in at this address"],
  ["metaction init --password=-", undefined, "Username: "],
])("on a terminal, %s asks how to sign in: %j", async (command, choice, text) => {
  const user = await commandLine(here.url);
  const choose = choice === undefined ? [] : [{ after: "Sign in with [1]: ", text: `${choice}\n` }];
  const end = [{ after: text, text: "\u0003" }];
  const { stdout } = await user.onTerminal(command, choice === "3" ? choose : [...choose, ...end]);
  expect(stdout).toContain(text);
  expect(stdout.includes("Sign in with [1]: ")).toBe(choice !== undefined);
});

test("the sign-in ends only with the callback that has its state", async () => {
  const statuses: number[] = [];
  const ended = await signInOnPages(await commandLine(here.url), async (address) => {
    const { searchParams } = new URL(address);
    const [callback, state] = [searchParams.get("redirect_uri"), searchParams.get("state")];
    expect(callback).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    for (const [query, method] of [
      ["code=stolen", "GET"],
      ["code=stolen&state=another", "GET"],
      ["error=access_denied&error_description=Give+up&state=another", "GET"],
      ["error=access_denied", "GET"],
      [`code=stolen&state=${state}x`, "GET"],
      [`code=stolen&state=another&state=${state}`, "GET"],
      [`code=stolen&state=${state}`, "POST"],
      [`code=stolen&state=${state}`, "HEAD"],
    ] as const)
      statuses.push((await fetch(`${callback}?${query}`, { method })).status);
    await fillForms(address, ADA);
  });
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 405, 405]);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed in to") });
});

test("a refusal of the provider, an address without a provider, and a missing client are reported", async () => {
  const user = await commandLine(here.url);
  const refused = { code: 4, stdout: "", stderr: expect.stringMatching(/did not sign you in: .+\n$/) };
  expect(await signInOnPages(user, (address) => fillForms(address))).toEqual({
    ...refused,
    stderr: expect.stringMatching(/did not sign you in: access_denied.*\n$/),
  });
  expect(await user.run(["login", `--issuer=${here.url}/nowhere`, "--client-id=cli"])).toEqual(refused);
  const unsafe = await user.run(["login", "--issuer=http://127.0.0.2:1", "--client-id=cli"]);
  expect(unsafe).toEqual({ ...refused, stderr: expect.stringContaining("HTTPS") });
  expect((await user.run(["login", "--issuer=https://x.test"])).code).toBe(2);
  for (const port of ["http", "-1", "1.5", "65536"]) {
    const invalid = await user.run(["login", `--issuer=${here.issuer}`, `--client-id=${CLI}`, `--port=${port}`]);
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining(`--port=${port} is not a valid port`) });
  }
});
