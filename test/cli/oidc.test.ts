import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLine, type Ended } from "./support/command.ts";
import { type OidcProvider, startProvider } from "./support/provider.ts";
import { type SignedIn, signedIn } from "./support/signed-in.ts";

let here: SignedIn;
let provider: OidcProvider;

beforeAll(async () => {
  here = await signedIn();
  provider = await startProvider(here.token);
}, 60_000);

afterAll(async () => {
  provider.close();
  await here.service.interrupt();
});

const login = (...args: string[]): string[] => ["login", `--issuer=${provider.issuer}`, ...args];

describe("sign-in at an OIDC provider", () => {
  test("uses the browser, with PKCE, and refreshes an expired token", async () => {
    const user = await commandLine(here.service.url);
    const ended = await user.run(login("--client-id=cli", "--port=0", "--resource=https://api.test"), {
      visit: /^http\S+\/authorize\S+$/m,
    });
    expect(ended.stderr).toContain("Signed in to");
    expect(ended.code).toBe(0);
    expect(provider.grants.at(-1)?.get("redirect_uri")).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    expect(provider.grants.at(-1)?.get("resource")).toBe("https://api.test");
    expect((await user.run(["whoami"])).code).toBe(0);

    const file = join(user.home, ".config/metaction/config.toml");
    const kept = await readFile(file, "utf8");
    expect(kept).toContain('refresh_token = "again"');
    await writeFile(
      file,
      kept.replace(/^token = .*$/m, 'token = "old.old.old"').replace(/^expires = .*$/m, "expires = 1"),
    );
    expect((await user.run(["whoami"])).code).toBe(0);
    expect(provider.grants.at(-1)?.get("grant_type")).toBe("refresh_token");
    expect(provider.grants.at(-1)?.get("resource")).toBe("https://api.test");
    expect(await readFile(file, "utf8")).not.toContain("old.old.old");
  });

  test("ends only with the callback that has its state", async () => {
    const user = await commandLine(here.service.url);
    const statuses: number[] = [];
    const ended = await user.run(login("--client-id=cli", "--port=0"), {
      visit: /^http\S+\/authorize\S+$/m,
      visitor: async (address) => {
        const { searchParams } = new URL(address);
        const [callback, state] = [searchParams.get("redirect_uri"), searchParams.get("state")];
        const before = provider.grants.length;
        for (const [query, method] of [
          ["code=stolen", "GET"],
          ["code=stolen&state=another", "GET"],
          ["error=access_denied&error_description=Give+up&state=another", "GET"],
          ["error=access_denied", "GET"],
          [`code=stolen&state=${state}x`, "GET"],
          [`code=stolen&state=another&state=${state}`, "GET"],
          [`code=stolen&state=${state}`, "POST"],
          [`code=stolen&state=${state}`, "HEAD"],
        ] as const) {
          statuses.push((await fetch(`${callback}?${query}`, { method })).status);
        }
        expect(provider.grants.length).toBe(before);
        await fetch(address);
      },
    });
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 405, 405]);
    expect(ended.stderr).toContain("Signed in to");
    expect(ended.code).toBe(0);
  });

  test("works for a program with a secret", async () => {
    const user = await commandLine(here.service.url);
    const signIn = (secret: string): Promise<Ended> =>
      user.run(login("--client-id=ci", "--client-secret=-"), { stdin: secret });
    expect((await signIn("wrong")).code).toBe(4);
    expect((await signIn("hush\n")).code).toBe(0);
    expect((await user.run(["whoami"])).code).toBe(0);
    expect(await readFile(join(user.home, ".config/metaction/config.toml"), "utf8")).not.toContain("hush");
  });

  test("reports the refusal of a provider, and an address without a provider", async () => {
    const user = await commandLine(here.service.url);
    const none = await user.run(["login", `--issuer=${here.service.url}/nowhere`, "--client-id=cli"]);
    expect(none.stderr).toMatch(/did not sign you in: .+\n$/);
    expect(none.code).toBe(4);
    provider.refuse("access_denied");
    const refused = await user.run(login("--client-id=cli", "--port=0"), { visit: /^http\S+\/authorize\S+$/m });
    expect(refused.stderr).toMatch(/did not sign you in: .+\n$/);
    expect(refused.code).toBe(4);
    expect((await user.run(["login", "--issuer=https://x.test"])).code).toBe(2);
  });
});
