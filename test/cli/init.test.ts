import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalProcess, startProcess } from "../support/local-process.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { type CommandLine, commandLine } from "./support/command.ts";

const PASSWORD = "Violet-Harbor-7-Lantern";

const data = createFolder();
const localData = { environment: { METACTION_DATA_DIR: data } };
let service: LocalProcess;
let ada: CommandLine;
let passwordFile: string;

beforeAll(async () => {
  service = await startProcess(data, { METACTION_ALLOWED_HOSTS: "0.0.0.0" });
  ada = await commandLine(service.url);
  passwordFile = await writeInto(ada.home, "password.txt", `${PASSWORD}\n`);
}, 60_000);

afterAll(() => service.interrupt());

describe("init without an administrator", () => {
  test("requires the bootstrap secret, and sends no local secret to another machine", async () => {
    const stderr = expect.stringContaining("--secret=@.metaction/bootstrap-secret");
    const environment = { METACTION_DATA_DIR: createFolder() };
    const without = await ada.run(["init", "--username=ada", `--password=@${passwordFile}`], { environment });
    expect(without).toEqual({ code: 2, stdout: "", stderr });
    const elsewhere = ["init", `--url=${service.url.replace("127.0.0.1", "0.0.0.0")}`, "--username=ada"];
    expect(await ada.run(elsewhere, localData)).toEqual({ code: 2, stdout: "", stderr });
    const open = await ada.run(["init", "--secret=abc", "--username=ada"]);
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining("--secret is a secret") });
    const spelt = await ada.run(["init", "--user-name=ada"]);
    expect(spelt).toMatchObject({ code: 2, stderr: "init has no flag --user-name; did you mean --username?\n" });
  });

  test("reports that the secret it found belongs to another service", async () => {
    const other = createFolder();
    await writeInto(other, "bootstrap-secret", "not-the-secret-of-this-service-at-all\n");
    const advice = `${other}/bootstrap-secret belongs to another service; give --secret=@file`;
    for (const url of [service.url, service.url.replace("127.0.0.1", "localhost")]) {
      const args = ["init", `--url=${url}`, "--username=ada", `--password=@${passwordFile}`];
      const foreign = await ada.run(args, { environment: { METACTION_DATA_DIR: other } });
      expect(foreign).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(advice) });
    }
    const weak = await ada.run(["init", "--username=ada"], { ...localData, stdin: "weak" });
    expect(weak).toMatchObject({ code: 2, stderr: expect.not.stringContaining("belongs to another service") });
  });

  test("asks on a terminal, finds the secret of this machine, and creates the first administrator", async () => {
    const typeTwice = (repeated: string) =>
      ada.onTerminal(`METACTION_DATA_DIR='${data}' METACTION_URL= metaction init`, [
        { after: "Service [http://127.0.0.1:8080]: ", text: `${service.url}\n` },
        { after: "Username [admin]: ", text: " ada \n" },
        { after: "New password of ada: ", text: `${PASSWORD}\n` },
        { after: "Repeat it: ", text: `${repeated}\n` },
      ]);
    expect(await typeTwice("Another-Horse-7-Battery")).toMatchObject({ code: 2 });
    const { stdout, code } = await typeTwice(PASSWORD);
    expect(stdout).toContain(`Signed in to ${service.url} as ada, the first administrator, with profile default.`);
    expect([stdout, code]).toEqual([expect.not.stringContaining(PASSWORD), 0]);
    const who = await ada.run(["whoami"], { environment: { METACTION_URL: "" } });
    expect(JSON.parse(who.stdout)).toMatchObject({ sub: "ada", admin: true });
    expect(await readFile(join(ada.home, ".config/metaction/config.toml"), "utf8")).toContain(`url = "${service.url}"`);
  });
});

describe("init with an administrator", () => {
  test("signs in, also in a script, and repeatedly", async () => {
    const user = await commandLine(service.url);
    for (const password of [`--password=@${passwordFile}`, "--password=-"]) {
      const done = await user.run(["init", `--url=${service.url}`, "--username=ada", password], {
        stdin: PASSWORD,
        environment: { METACTION_URL: "", METACTION_DATA_DIR: data },
      });
      expect(done).toMatchObject({ code: 0, stdout: "" });
    }
    expect((await user.run(["whoami"], { environment: { METACTION_URL: "" } })).code).toBe(0);
    const nobody = await user.run(["init"], { stdin: PASSWORD });
    expect(nobody).toEqual({ code: 2, stdout: "", stderr: "--username is required without a terminal\n" });
    const typed = await user.onTerminal("METACTION_URL= metaction init --username=ada", [
      { after: `Service [${service.url}]: `, text: "  \n" },
      { after: "Password of ada: ", text: `${PASSWORD}\n` },
    ]);
    expect(typed).toMatchObject({ code: 0, stdout: expect.stringContaining(`Signed in to ${service.url} as ada`) });
    const wrong = await user.run(["init", "--username=ada"], { stdin: "wrong" });
    expect(wrong).toMatchObject({ code: 4, stderr: "The username or the password is not right\n" });
    expect((await user.run(["init", "--username=ada", "--issuer=acme"], { stdin: "x" })).stderr).toContain(
      "--issuer=acme is not a provider of this service (none)",
    );
  });

  test("does not change the profile of another service", async () => {
    const user = await commandLine(service.url);
    const second = service.url.replace("127.0.0.1", "localhost");
    const environment = { METACTION_URL: "" };
    for (const url of [service.url, second])
      await user.run(["init", `--url=${url}`, "--username=ada"], { stdin: PASSWORD, environment });
    const { host } = new URL(second);
    expect(JSON.parse((await user.run(["use"], { environment })).stdout)).toEqual([
      { profile: "default", current: false, url: service.url, username: "ada", signedIn: true },
      { profile: host, current: true, url: second, username: "ada", signedIn: true },
    ]);
    const used = await user.run(["use", "default"], { environment });
    expect(used).toMatchObject({ code: 0, stdout: "", stderr: "The current profile is default.\n" });
    const current = await user.run(["use", "--query=[?current].profile"], { environment });
    expect(JSON.parse(current.stdout)).toEqual(["default"]);
  });

  test("reports an address without an answer", async () => {
    const user = await commandLine("http://127.0.0.1:2");
    const ended = await user.run(["init", "--username=ada"], { stdin: PASSWORD });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("is the service running?") });
  });
});
