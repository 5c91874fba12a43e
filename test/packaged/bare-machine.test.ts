import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BareMachine, bareMachine, type Going } from "./support/bare-machine.ts";
import { readPacked } from "./support/read-packed.ts";

const ROOT = join(import.meta.dirname, "../..");
const PASSWORD = "Violet-Harbor-7-Lantern";
const AS_NODE_20 =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})';

let machine: BareMachine;
let service: Going;
let url: string;
let secret: string;
let startedMs: number;

beforeAll(async () => {
  machine = await bareMachine();
  const installed = await machine.run("npm", ["install", (await readPacked()).tarball]);
  expect(installed).toMatchObject({ code: 0 });
  const begun = performance.now();
  service = machine.begin("metaction", ["start", "--port=0"]);
  [, url = ""] = await service.says(/Metaction answers on (\S+)/);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
  startedMs = performance.now() - begun;
  [, secret = ""] = await service.says(/"secret":"([^"]+)"/);
});

afterAll(() => service?.end("SIGKILL"));

async function metaction(args: readonly string[], stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await machine.run("metaction", [...args, `--url=${url}`], { stdin });
  expect({ code, stderr: code === 0 ? "" : stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("the package on a machine with nothing but Node.js", () => {
  test("is one package of a few megabytes, and starts within seconds", async () => {
    const lock = JSON.parse(await readFile(join(machine.folder, "node_modules/.package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).toEqual(["node_modules/metaction"]);
    const bytes = await bytesIn(join(machine.folder, "node_modules"));
    const megabytes = (count: number) => (count / 1e6).toFixed(1);
    console.log(
      `1 package: ${megabytes((await readPacked()).bytes)} MB packed, ${megabytes(bytes)} MB installed; healthy ${startedMs.toFixed(0)} ms after metaction start`,
    );
    expect(bytes).toBeLessThan(20e6);
    expect(startedMs).toBeLessThan(20_000);
  });

  test("starts, creates its first administrator, imports and answers reads", async () => {
    const input = { username: "admin", fullname: "First", password: PASSWORD, secret };
    await metaction(["auth", "admin_bootstrap", "--input=-"], JSON.stringify(input));
    await metaction(["login", "--username=admin"], `${PASSWORD}\n`);
    await cp(join(ROOT, "examples/library/datapackage.json"), join(machine.folder, "datapackage.json"));
    await metaction(["import", "datapackage.json"]);
    const yaml = "$schema: urn:metaction:model:2\nkey: yaml\nentities: [{key: customer}]\n";
    await writeFile(join(machine.folder, "yaml.yaml"), yaml);
    expect(await metaction(["plan", "yaml.yaml", "--create", "--output=markdown"])).toContain("customer");
    const loaded = JSON.parse(await metaction(["models", "import", "--content=@yaml.yaml"]));
    expect(loaded).toMatchObject({ key: "yaml" });
    await metaction(["models", "model_delete", "--modelRef=key:yaml", "--yes"]);
    expect(JSON.parse(await metaction(["models", "model_list"]))).toMatchObject([{ key: "library" }]);
    expect(await metaction(["whoami", "-o", "yaml", "--query=sub"])).toBe("admin\n");
    // What is loaded for one format only is in the package too.
    for (const format of ["dbml", "svg", "markdown", "postgresql"])
      expect((await metaction(["export", "library", "--as", format])).length, format).toBeGreaterThan(300);
    const dbml = await metaction(["export", "library", "--as", "dbml", "--out=again.dbml"]);
    expect(dbml).toBe("");
    await metaction(["import", "again.dbml", "--modelKey=again"]);
    expect(await metaction(["models", "model_get", "--modelRef=key:again", "--query=key", "-o", "raw"])).toBe(
      "again\n",
    );
  });

  test("serves the web application without a build", async () => {
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(url + script)).headers.get("content-type")).toContain("text/javascript");
    expect(await (await fetch(`${url}/licenses.txt`)).text()).toContain("react");
  });

  test("stores its data in .metaction of the working directory", async () => {
    expect(await readdir(join(machine.folder, ".metaction"))).toContain("metaction.db");
  });

  test("ends at a signal with 0, and continues with its data in a given folder", async () => {
    expect(await service.end("SIGTERM")).toBe(0);
    service = machine.begin("metaction", ["start", "--port=0", "--data=.metaction"], {
      METACTION_DATA_DIR: "elsewhere",
    });
    [, url = ""] = await service.says(/Metaction answers on (\S+)/);
    await metaction(["login", "--username=admin"], `${PASSWORD}\n`);
    expect(JSON.parse(await metaction(["models", "model_list", "--query=[].key"]))).toEqual(["again", "library"]);
    await expect(stat(join(machine.folder, "elsewhere"))).rejects.toThrow("ENOENT");
  });
});

describe("metaction start", () => {
  test.each([
    [
      "a port that is none",
      ["--port=70000"],
      "--port=70000 is not a port; give a number from 0 (any free one) to 65535.\n",
    ],
    ["a flag it does not know", ["--prot=1"], "start has no flag --prot; did you mean --port?\n"],
    ["a word", ["now"], "start takes no argument now; see: metaction help start\n"],
    ["a flag twice", ["--port=0", "--port=1"], "--port was given twice.\n"],
    ["a flag without its value", ["--data="], "--data needs a value: --data=<value>\n"],
  ])("refuses %s", async (_, args, sentence) => {
    expect(await machine.run("metaction", ["start", ...args])).toEqual({ code: 2, stdout: "", stderr: sentence });
  });

  test("names the flag to use if the port is in use", async () => {
    const { port } = new URL(url);
    const { code, stderr } = await machine.run("metaction", ["start", `--port=${port}`, "--data=second"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is in use; set --port to another one\n`,
    });
  });

  test("refuses an older Node.js in one sentence", async () => {
    const args = ["--import", AS_NODE_20, "node_modules/metaction/cli/metaction.js", "start"];
    const { code, stderr } = await machine.run("node", args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^metaction needs Node\.js 24 or newer; this is 20\.19\.0 \(\S+\). Install a newer one: \S+\n$/,
    );
  });
});

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
