import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** The oldest Node.js the package runs on. */
const NODE = "node20";

const SHARED: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
};

/** Builds what the package publishes into `dist`: the command line, the client, and the client's type declarations. */
export function buildPackage(): void {
  for (const folder of ["cli", "client", "types"]) rmSync(join(ROOT, "dist", folder), { recursive: true, force: true });
  buildSync({
    ...SHARED,
    entryPoints: ["cli/main.ts"],
    outdir: "dist/cli",
    platform: "node",
    target: NODE,
    // The start of a command loads only the code it needs.
    splitting: true,
    // Every start reads the configuration; the others few calls need.
    external: ["jmespath", "openid-client", "yaml"],
    legalComments: "eof",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  buildClient("dist/client/create-client.js");
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "client/tsconfig.json"], { cwd: ROOT });
  if (status !== 0) throw new Error(`the type declarations could not be made:\n${stdout}`);
  for (const file of readdirSync(join(ROOT, "dist/types"), { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".d.ts")) pointToBuilt(join(ROOT, "dist/types", file));
  }
}

/** Builds the client into one file, as it is published. */
export function buildClient(outfile: string): void {
  buildSync({
    ...SHARED,
    entryPoints: ["client/create-client.ts"],
    outfile,
    platform: "neutral",
    target: "es2022",
    minify: true,
  });
}

/** Declarations name each other as the sources do, by files that are not published. */
function pointToBuilt(file: string): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'));
}

if (import.meta.main) buildPackage();
