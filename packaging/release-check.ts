import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  findContentFaults,
  findLeakFaults,
  findLicenseFaults,
  findVersionFaults,
  type PackedFile,
} from "./release-faults.ts";

import { createApiText, readReleasedApiText } from "./released-api.ts";

const ROOT = join(import.meta.dirname, "..");
const TEXT = /\.(?:css|html|js|json|md|mjs|svg|ts|txt|webmanifest)$|LICENSE$/;

const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd: ROOT, maxBuffer: 100e6 })).stdout;
const readFileText = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

async function listChanges(): Promise<readonly string[]> {
  return (await run("git", ["status", "--porcelain"])).split("\n").filter((line) => line !== "");
}

async function findPackageFaults(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-release-"));
  try {
    const output = await run("npm", ["pack", "--json", "--pack-destination", folder]);
    const [tarball] = JSON.parse(output.slice(output.indexOf("["))) as {
      readonly filename: string;
      readonly size: number;
      readonly unpackedSize: number;
    }[];
    await run("tar", ["-xzf", join(folder, tarball?.filename ?? ""), "-C", folder]);
    const files = await listFiles(join(folder, "package"));
    const bytes = { packed: tarball?.size ?? 0, unpacked: tarball?.unpackedSize ?? 0 };
    const pages = files.filter(({ path }) => path.endsWith("/licenses.txt"));
    const texts = files.filter(({ path }) => TEXT.test(path));
    return [
      ...findContentFaults(
        files.map(({ path }) => path),
        bytes,
      ),
      ...findLeakFaults(texts, [ROOT, homedir()]),
      ...(pages.length === 2 ? [] : ["a page of licences is missing"]),
      ...pages.flatMap(findLicenseFaults),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function listFiles(folder: string): Promise<readonly PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.map(async (file) => ({
      path: file.slice(folder.length + 1).replaceAll("\\", "/"),
      text: await readFile(file, "utf8"),
    })),
  );
}

const CHECKS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  "nothing is uncommitted": listChanges,
  "the version is named": async () => {
    const { version } = JSON.parse(await readFileText("package.json")) as { version: string };
    return findVersionFaults(version, await readFileText("CHANGELOG.md"), await readFileText("action.yml"));
  },
  "the generated pages are those of the code": async () => {
    const before = await listChanges();
    await run("npm", ["run", "-s", "docs"]);
    return (await listChanges()).filter((line) => !before.includes(line));
  },
  "the OpenAPI document of the release is that of the code": async () =>
    readReleasedApiText() === (await createApiText()) ? [] : ["run npm run release:api"],
  "the package holds what it should, and may be passed on": findPackageFaults,
  "the package works where it is installed": async () => {
    const { status } = spawnSync("npm", ["run", "-s", "test:packaged"], { cwd: ROOT, stdio: "inherit" });
    return status === 0 ? [] : ["npm run test:packaged fails"];
  },
};

let isReady = true;
for (const [name, faults] of Object.entries(CHECKS)) {
  const errors = await faults();
  isReady &&= errors.length === 0;
  process.stdout.write(
    `${errors.length === 0 ? "ok" : "no"}  ${name}\n${errors.map((one) => `      ${one}\n`).join("")}`,
  );
}
process.exitCode = isReady ? 0 : 1;
