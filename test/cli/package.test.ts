import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedIn, signedIn } from "./support/signed-in.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The folders and files that packing reads. */
const PARTS = [
  ...["cli", "client", "examples", "functions", "shared", "ui"],
  ...["package.json", "package-lock.json", "tsconfig.json", "README.md", "LICENSE"],
];

let here: SignedIn;
let project: string;
let packed: readonly string[];

/** A program of somebody who has installed the package. */
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
  here = await signedIn();
  const away = await mkdtemp(join(tmpdir(), "metaction-packed-"));
  // The package is packed from a copy, because packing builds, and others may be running the build of this folder.
  const copy = await mkdtemp(join(tmpdir(), "metaction-copy-"));
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", away], { cwd: copy });
  const [made] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string; files: { path: string }[] }[];
  packed = made?.files.map(({ path }) => path) ?? [];
  project = await mkdtemp(join(tmpdir(), "metaction-project-"));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "empty", version: "1.0.0", type: "module" }));
  const tarball = join(away, made?.filename ?? "");
  await run("npm", ["install", "--omit=optional", "--prefer-offline", "--no-audit", "--no-fund", tarball], {
    cwd: project,
  });
  await writeFile(join(project, "use.ts"), PROGRAM);
}, 240_000);

afterAll(async () => {
  await here.service.interrupt();
  await rm(project, { recursive: true });
});

describe("the package", () => {
  test("holds what is built, and no source", () => {
    const folders = new Set(packed.map((path) => path.split("/").slice(0, 2).join("/")));
    expect([...folders].sort()).toEqual([
      "LICENSE",
      "README.md",
      "cli/metaction.js",
      "dist/cli",
      "dist/client",
      "dist/types",
      "dist/ui",
      "package.json",
    ]);
    expect(packed.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  test("holds the web application with everything that its page loads", async () => {
    const inPackage = join(project, "node_modules/metaction");
    const page = await readFile(join(inPackage, "dist/ui/index.html"), "utf8");
    const loaded = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = ""]) => `dist/ui/${path}`);
    expect(loaded.some((path) => path.endsWith(".js"))).toBe(true);
    expect(packed).toEqual(expect.arrayContaining(loaded));
  });

  test("brings the command into an empty project", async () => {
    const env = { PATH: process.env.PATH, HOME: here.user.home, METACTION_URL: here.service.url };
    const help = await run("npx", ["--no", "--", "metaction", "help"], { cwd: project, env });
    expect(help.stdout).toContain("SYNOPSIS");
    const list = await run("npx", ["--no", "--", "metaction", "models", "model_list"], { cwd: project, env });
    expect(JSON.parse(list.stdout)).toMatchObject([{ key: "library" }]);
    const yaml = await run("npx", ["--no", "--", "metaction", "whoami", "-o", "yaml", "--query=sub"], {
      cwd: project,
      env,
    });
    expect(yaml.stdout).toBe("admin\n");
  });

  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("brings a client that compiles, with module %s and resolution %s", async (module, resolution) => {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    // Declarations are checked too, and there is nothing of Node in the project.
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--target",
      "esnext",
      "--lib",
      "esnext,dom",
      "--types",
      "",
    ];
    const all = [compiler, ...options, "--module", module, "--moduleResolution", resolution, "use.ts"];
    const { stdout } = await run(process.execPath, all, { cwd: project }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("brings a client that calls", async () => {
    const { stdout } = await run(process.execPath, ["use.ts", here.service.url, here.token], { cwd: project });
    expect(stdout).toBe("library not_found function\n");
  });
});
