import { execFile } from "node:child_process";
import { cp, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { createFolder } from "../../support/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");

const PARTS = [
  ...["cli", "client", "examples", "functions", "local", "packaging", "shared", "ui"],
  ...["package.json", "package-lock.json", "tsconfig.json", "README.md", "LICENSE", "CHANGELOG.md"],
];

export interface Packed {
  /** Folder of the repository that was packed, with what was built for it. */
  readonly repository: string;
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  readonly paths: readonly string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Path of the file that contains the outcome of packing when it has ended. */
    readonly packedFile: string;
  }
}

export type Outcome = { readonly packed: Packed } | { readonly error: string };

/** Starts to pack the package that all test files share. Other tests run at the same time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = createFolder();
  const file = join(folder, "packed.json");
  const packing = packCopy(folder)
    .then(
      (packed): Outcome => ({ packed }),
      (error): Outcome => ({ error: String(error) }),
    )
    .then(async (outcome) => {
      await writeFile(`${file}.draft`, JSON.stringify(outcome));
      await rename(`${file}.draft`, file);
    });
  project.provide("packedFile", file);
  return () => packing;
}

/** Packs a copy of the repository, because other tests may build in this folder at the same time. */
async function packCopy(folder: string): Promise<Packed> {
  const copy = join(folder, "repository");
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // Built once for all tests: packing builds it again if the copy has other sources.
  await promisify(execFile)(process.execPath, ["packaging/web/build.ts"], { cwd: ROOT });
  await cp(join(ROOT, "dist/ui"), join(copy, "dist/ui"), { recursive: true });
  return pack(copy, folder);
}

export async function pack(repository: string, destination: string): Promise<Packed> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: repository });
  const [made] = JSON.parse(stdout.slice(stdout.indexOf("["))) as {
    readonly filename: string;
    readonly size: number;
    readonly unpackedSize: number;
    readonly files: readonly { readonly path: string }[];
  }[];
  if (!made) throw new Error(`npm pack made nothing: ${stdout}`);
  const paths = made.files.map(({ path }) => path);
  return {
    repository,
    tarball: join(destination, made.filename),
    bytes: made.size,
    unpackedBytes: made.unpackedSize,
    paths,
  };
}
