import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BareMachine, bareMachine, type Going } from "./support/bare-machine.ts";
import { readPacked } from "./support/read-packed.ts";

/** The most commands of the first half hour, and the width of the terminal in which they are read. */
const [COMMANDS, COLUMNS] = [15, 100];

const MODEL = `$schema: urn:metaction:model:2
key: crm
name: Customers
version: 1.0.0
types:
  - key: text
entities:
  - key: customer
    attributes:
      - { key: number, type: key:text, optional: false }
      - { key: mail, type: key:text, optional: true, description: Personal data. }
    primaryKey: [key:number]
`;
const WITH_PHONE = MODEL.replace(
  "    primaryKey",
  "      - { key: phone, type: key:text, optional: true }\n    primaryKey",
);
const WITHOUT_MAIL = WITH_PHONE.replace(/.*key: mail.*\n/, "");

let machine: BareMachine;
let service: Going;
const commands: string[] = [];

beforeAll(async () => {
  machine = await bareMachine();
});

afterAll(() => service?.end("SIGKILL"));

async function type(line: string, stdin = "", code = 0): Promise<string> {
  commands.push(line);
  const { stdout, stderr, ...ended } = await machine.run("/bin/sh", ["-c", line], { stdin });
  const shown = stdout + stderr;
  expect({ line, shown, code: ended.code }).toEqual({ line, shown, code });
  expect(
    shown.split("\n").filter((row) => row.length > COLUMNS),
    line,
  ).toEqual([]);
  return shown;
}

test("the first half hour, from the package to a failing build, needs only the command line", async () => {
  await type(`npm install ${(await readPacked()).tarball}`);
  commands.push("metaction start");
  service = machine.begin("metaction", ["start", "--port=0"]);
  const [, url = ""] = await service.says(/Metaction answers on (\S+)/);

  const begun = await type(`metaction init --url=${url} --username=ada`, "Violet-Harbor-7-Lantern\n");
  expect(begun).toContain("the first administrator");

  await writeFile(join(machine.folder, "crm.yaml"), MODEL);
  expect(await type("metaction apply crm.yaml --create --output=text")).toContain("crm: created, revision 1");
  expect(await type("metaction show crm --output=table")).toContain("customer");
  expect(await type("metaction search personal --kind=attribute --output=table")).toContain("crm/customer.mail");

  await writeFile(join(machine.folder, "crm.yaml"), WITH_PHONE);
  expect(await type("metaction diff crm crm.yaml --output=text")).toContain("1 additive");
  expect(await type("metaction apply crm.yaml --output=text")).toContain("crm: updated, revision 2");
  expect(await type("metaction release crm 1.1.0 --output=table")).toMatch(/changed +true/);
  expect(await type("metaction models --output=table")).toMatch(/crm +Customers +1\.1\.0/);

  const bob = "metaction auth user_create --username=bob --fullname=Bob --password=- --query=key";
  expect(await type(bob, "Bombes-at-the-park-1944\n")).toBe('"bob"\n');
  expect(await type("metaction grant bob reader --models='crm*' --output=table")).toMatch(/bob .*reader +crm\* +true/);

  await type("metaction auth token_create --name=build --permissions=model_read --query=token -o raw > token.txt");
  await writeFile(join(machine.folder, "branch.yaml"), WITHOUT_MAIL);
  const check =
    "METACTION_TOKEN=$(cat token.txt) metaction diff crm@1.1.0 branch.yaml --output=text --fail-on=breaking";
  expect(await type(`${check} --url=${url}`, "", 8)).toContain("customer.mail  breaking: removed");

  expect(commands.length).toBeLessThanOrEqual(COMMANDS);
  expect(commands.filter((line) => line.includes("curl"))).toEqual([]);
});
