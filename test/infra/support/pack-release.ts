import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { FUNCTION_NAMES } from "../../../functions/bundle.ts";
import { EARLIER_COMMIT, EARLIER_FIXTURE, type ReleaseFiles } from "./earlier-release.ts";

/*
 * Makes the fixture of the earlier release again: `node test/infra/support/pack-release.ts`. It checks the commit out
 * into a temporary folder, installs its packages, and packs the functions that its own bundler makes.
 */

/** Larger files are left out: a layout engine of diagrams and a parser of DBML, more than half of the fixture. */
const MOST_BYTES = 400_000;

const MAKE = "import('./functions/bundle.ts').then(({ bundleToFolder }) =>";

const checkout = mkdtempSync(join(tmpdir(), "release-"));
const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: checkout, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  const archive = execFileSync("git", ["archive", EARLIER_COMMIT], { maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", checkout], { input: archive });
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const release: ReleaseFiles = Object.fromEntries(
    FUNCTION_NAMES.map((name) => [
      name,
      readFiles(run(process.execPath, "-e", `${MAKE} console.log(bundleToFolder("${name}")))`).trim()),
    ]),
  ) as ReleaseFiles;
  const text = Buffer.from(JSON.stringify(release));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(EARLIER_FIXTURE, brotliCompressSync(text, { params }));
} finally {
  rmSync(checkout, { recursive: true, force: true });
}

function readFiles(folder: string): ReleaseFiles[keyof ReleaseFiles] {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).size <= MOST_BYTES);
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
