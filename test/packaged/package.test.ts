import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { useSignedIn } from "../cli/support/signed-in.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { readPacked } from "./support/read-packed.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

const here = useSignedIn();
const project = createFolder();
const { paths: packed, tarball } = await readPacked();

const PROGRAM = `import { ApiProblem, createClient } from "metaction/client";
declare const process: { readonly argv: readonly string[] };
const [, , url = "", token = ""] = process.argv;
const api = createClient({ url, token });
const [model] = await api.model.model_list();
const key: string | undefined = model?.key;
const ended = await api.model.entity_get({ modelRef: "key:library", entityRef: "key:none" }).catch((e: unknown) => e);
// @ts-expect-error a ref without a scheme
const wrong = () => api.model.model_get({ modelRef: "library" });
console.log(key, ended instanceof ApiProblem && ended.code, typeof wrong);
`;

beforeAll(async () => {
  await writeInto(project, "package.json", { name: "empty", version: "1.0.0", type: "module" });
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: project });
  await writeInto(project, "use.ts", PROGRAM);
}, 240_000);

describe("the package", () => {
  test("contains built files, and no source", () => {
    const folders = new Set(packed.map((path) => path.split("/").slice(0, 2).join("/")));
    expect([...folders].sort()).toEqual([
      ...["CHANGELOG.md", "LICENSE", "README.md", "cli/metaction.js", "dist/cli", "dist/client", "dist/licenses.txt"],
      ...["dist/types", "dist/ui", "package.json"],
    ]);
    expect(packed.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  test("contains the web application with all files of its page", async () => {
    const inPackage = join(project, "node_modules/metaction");
    const page = await readFile(join(inPackage, "dist/ui/index.html"), "utf8");
    const loaded = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = ""]) => `dist/ui/${path}`);
    expect(loaded.some((path) => path.endsWith(".js"))).toBe(true);
    expect(packed).toEqual(expect.arrayContaining(loaded));
  });

  test("has no dependencies, and the licence of every bundled package", async () => {
    const inPackage = join(project, "node_modules/metaction");
    const manifest = JSON.parse(await readFile(join(inPackage, "package.json"), "utf8"));
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/dependencies|scripts|private/i)]),
    );
    const repository = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(manifest.engines).toEqual({ node: ">=24" });
    const licenses = await readFile(join(inPackage, "dist/licenses.txt"), "utf8");
    const named = new Set([...licenses.matchAll(/^## (\S+) - /gm)].map(([, name]) => name));
    // What the repository declares as its dependencies runs in the service or in the command line.
    expect(Object.keys(repository.dependencies).filter((name) => !named.has(name))).toEqual([]);
    expect(licenses).toContain("Eclipse Public License");
  });

  test("contains code that compiles, in every file", async () => {
    const code = packed.filter((path) => path.startsWith("dist/cli/"));
    expect(code.length).toBeGreaterThan(100);
    for (const path of code) {
      const text = await readFile(join(project, "node_modules/metaction", path), "utf8");
      expect(transformSync(text, { format: "esm" }).warnings, path).toEqual([]);
    }
  });

  test("installs the command into an empty project", async () => {
    const env = { PATH: process.env.PATH, HOME: here.user.home, METACTION_URL: here.service.url };
    const metaction = async (...args: readonly string[]) =>
      (await run("npx", ["--no", "--", "metaction", ...args], { cwd: project, env })).stdout;
    expect(await metaction("help")).toContain("SYNOPSIS");
    expect(JSON.parse(await metaction("models", "model_list"))).toMatchObject([{ key: "library" }]);
    expect(await metaction("whoami", "-o", "yaml", "--query=sub")).toBe("admin\n");
  });

  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("has a client that compiles, with module %s and resolution %s", async (module, resolution) => {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    // Declarations are checked too, and there is nothing of Node in the project.
    const options = "--ignoreConfig --noEmit --strict --target esnext --lib esnext,dom --types".split(" ");
    const all = [compiler, ...options, "", "--module", module, "--moduleResolution", resolution, "use.ts"];
    const { stdout } = await run(process.execPath, all, { cwd: project }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("has a client that calls", async () => {
    const { stdout } = await run(process.execPath, ["use.ts", here.service.url, here.token], { cwd: project });
    expect(stdout).toBe("library not_found function\n");
  });
});
