import { describe, expect, test } from "vitest";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { ACTIONS } from "../support/actions.ts";
import { writeInto } from "../support/temporary-folder.ts";
import type { Ended } from "./support/command.ts";
import { useSignedIn } from "./support/signed-in.ts";

const SECRET = "Hush-Hush-7-Battery";

const here = useSignedIn();
const { run } = here;
const CREATE = "auth user_create --fullname=Ada --no-admin";
const BOB = { username: "bob", fullname: "Bob", password: SECRET };
const ENTRY = JSON.stringify({ group: "auth", action: "user_create", payload: BOB });

describe("a secret among the arguments is refused with a remedy, and never repeated", () => {
  const stdin = 'printf %s "$METACTION_PASSWORD" |';
  test.each([
    [`${CREATE} --username=ada --password=${SECRET}`, ["--password=-", stdin, "--password=@file"]],
    [`${CREATE} --username=ada --password ${SECRET}`, ["--password=-", stdin, "--password=@file"]],
    [`${CREATE} --username=ada --password=@@${SECRET}`, ["--password=-"]],
    [`auth login --username=admin --password=${SECRET} --curl`, ["--password=-"]],
    [`auth change_my_password --newPassword ${SECRET}`, ["--newPassword=-"]],
    [`login --username=admin --password=${SECRET}`, ["asks for the password on a terminal", stdin]],
    [`login --username=admin --password ${SECRET}`, ["asks for the password on a terminal", stdin]],
    [`login --issuer=https://x.test --client-id=x --client-secret=${SECRET}`, ["--client-secret=-"]],
    [`batch batch_run --actions=[${ENTRY}]`, ["--actions=@file", "--actions=-"]],
    [`batch batch_run --actions=${ENTRY}`, ["--actions=@file"]],
    [`${CREATE} --username=ada --pasword ${SECRET}`, ["did you mean --password?"]],
    [`model model_list --url=http://ada:${SECRET}@127.0.0.1:1`, ["metaction login"]],
  ])("%s", async (command, ways) => {
    const { code, stdout, stderr } = await run`${command.split(" ")}`;
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(SECRET);
    for (const way of ways) expect(stderr).toContain(way);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("nothing was done", async () => {
    expect(JSON.parse((await run`auth user_list --query=items[].username`).stdout)).toEqual(["admin"]);
  });
});

describe("a secret is read", () => {
  const signIn = (username: string) =>
    here.user.run(["login", `--username=${username}`, "--profile=try"], { stdin: SECRET });

  test("from stdin", async () => {
    const args = [...CREATE.split(" "), "--username=piped", "--password=-"];
    expect(await here.user.run(args, { stdin: `${SECRET}\n` })).toMatchObject({ code: 0, stderr: "" });
    expect((await signIn("piped")).code).toBe(0);
  });

  test("from a file", async () => {
    const file = await writeInto(here.user.home, "password.txt", SECRET);
    expect((await run`${CREATE.split(" ")} --username=filed --password=@${file} --profile=default`).code).toBe(0);
    expect((await signIn("filed")).code).toBe(0);
  });

  test("from the terminal, with hidden input", async () => {
    const command = `metaction ${CREATE} --username=typed --password=- --profile=default`;
    const made = await here.user.onTerminal(command, [{ after: "password: ", text: `${SECRET}\n` }]);
    expect(made).toMatchObject({ code: 0, stdout: expect.not.stringContaining(SECRET) });
    expect((await signIn("typed")).code).toBe(0);
  });
});

describe("--curl prints no secret", () => {
  const curl = async (args: readonly string[], payload: object): Promise<Ended> => {
    const file = await writeInto(here.user.home, "payload.json", payload);
    return run`${args} --input=${file} --curl --profile=default`;
  };
  const withSecrets = ACTIONS.flatMap((action) => {
    const secrets = Object.entries(getAllParams(action)).flatMap(([name, { type }]) => (type.secret ? [name] : []));
    return secrets.length > 0 ? [{ group: action.group, action: action.name, secrets }] : [];
  });

  test("of any action, alone and in a batch", async () => {
    expect(withSecrets.length).toBeGreaterThan(4);
    for (const { group, action, secrets } of withSecrets) {
      const payload = Object.fromEntries(secrets.map((name) => [name, SECRET]));
      const alone = await curl([group, action], payload);
      expect(alone).toMatchObject({ code: 0, stderr: "" });
      const batch = await curl(["batch", "batch_run"], {
        actions: [
          { group, action, payload },
          { group: "no", action: "no", payload },
        ],
      });
      expect(batch).toMatchObject({ code: 0, stderr: "" });
      for (const { stdout } of [alone, batch]) {
        expect(stdout).not.toContain(SECRET);
        expect(stdout).toMatch(/"'"\$METACTION_(OLD_|NEW_)?(PASSWORD|SECRET)"'"/);
      }
    }
  });

  test("but a variable of the environment, with which the command works", async () => {
    const payload = { username: "curled", fullname: "O'Curl", admin: false, password: SECRET };
    const shown = await curl(["auth", "user_create"], payload);
    const environment = { METACTION_TOKEN: here.token, METACTION_PASSWORD: SECRET };
    const made = await here.user.shell(shown.stdout, { environment });
    expect(JSON.parse(made.stdout)).toMatchObject({ status: "ok", key: "curled" });
  });

  test("and replaces no text of the payload by a variable", async () => {
    const payload = { key: "k", name: "\ufdd0METACTION_TOKEN\ufdd0", description: '$(id) `id` "$METACTION_TOKEN"' };
    const { stdout } = await curl(["model", "model_create"], payload);
    const [, body] = /--json (.*)$/m.exec(stdout) ?? [];
    const { stdout: sent } = await here.user.shell(`printf %s ${body}`, { environment: { METACTION_TOKEN: "hush" } });
    expect(JSON.parse(sent)).toEqual({ ...payload, name: "\ufffdMETACTION_TOKEN\ufffd" });
  });

  test("nor the token", async () => {
    const { stdout } = await run`model model_list --token=${SECRET} --curl`;
    expect(stdout).toContain('"Authorization: Bearer $METACTION_TOKEN"');
    expect(stdout).not.toContain(SECRET);
  });

  test("and is refused by login", async () => {
    const ended = await here.user.run(["login", "--username=admin", "--curl"], { stdin: SECRET });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("metaction help auth login") });
  });
});

test.each(["login", "user_create"])("the example of auth %s contains no password", async (action) => {
  const { stdout } = await run`help auth ${action}`;
  expect(stdout.slice(stdout.indexOf("EXAMPLE"))).toContain("--password=-");
});
