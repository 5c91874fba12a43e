import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, buildSync, type Metafile } from "esbuild";
import { computeDigest, requireDigested } from "../functions/source-digest.ts";
import { buildDeclarations } from "./declarations.ts";
import { formatLicenses, listBundledPackages } from "./licenses.ts";
import { mergeStart, REQUIRE } from "./merge-start.ts";
import { STAMP } from "./web/sources.ts";

const ROOT = join(import.meta.dirname, "..");

/** Oldest major version of Node.js that the package supports. */
export const OLDEST_NODE = 24;

const SHARED: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
};

/** Files and folders from which the published files are built. */
const SOURCES = [
  ...["cli", "client", "functions", "local", "packaging", "shared"],
  ...["package.json", "package-lock.json", "tsconfig.json"],
];

const BUILT = ["dist/cli", "dist/client", "dist/types", "dist/licenses.txt"];
const STAMP_PATH = join(ROOT, "dist/cli", STAMP);

/** Builds the published files, unless those in `dist` are built from the same sources. */
function buildIfNeeded() {
  const digest = computeDigest(SOURCES);
  const isComplete = [...BUILT, STAMP_PATH].every((path) => existsSync(resolve(ROOT, path)));
  if (isComplete && readFileSync(STAMP_PATH, "utf8") === digest) return;
  buildPackage();
  writeFileSync(STAMP_PATH, digest);
}

/** Builds the published files into `dist`. */
export function buildPackage(): void {
  for (const part of ["cli", "client"]) rmSync(join(ROOT, "dist", part), { recursive: true, force: true });
  const { metafile } = buildSync({
    ...SHARED,
    // A thread of the service starts at a file of its own.
    entryPoints: { main: "cli/main.ts", "call-thread": "local/call-thread.ts" },
    outdir: "dist/cli",
    platform: "node",
    target: `node${OLDEST_NODE}`,
    // The start of a command loads only the code it needs.
    splitting: true,
    // Prefers ES modules, whose unused parts are removed.
    mainFields: ["module", "main"],
    // Its other form is CommonJS.
    alias: { yaml: join(ROOT, "node_modules/yaml/browser/index.js") },
    // CommonJS code calls `require`, which ES modules lack.
    banner: { js: REQUIRE },
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
  });
  const nameless = removeNames(metafile).filter((path) => !TAKEN_AS_DEFAULT.test(path));
  if (nameless.length > 0)
    throw new Error(`import() gets no names from ${nameless.join(", ")}; build in its ES modules`);
  mergeStart(metafile, "dist/cli/main.js");
  requireDigested(Object.keys(metafile.inputs), SOURCES);
  const packages = listBundledPackages(Object.keys(metafile.inputs), ROOT);
  writeFileSync(join(ROOT, "dist/licenses.txt"), formatLicenses(packages));
  buildClient("dist/client/create-client.js");
  buildDeclarations();
}

const TAKEN_AS_DEFAULT = /node_modules\/jmespath\//;

/** Returns the modules loaded by `import()` that are CommonJS, so that the built ones only export `default`. */
function removeNames({ outputs }: Metafile): readonly string[] {
  const files = Object.values(outputs).filter(({ exports }) => exports.length === 1 && exports[0] === "default");
  return files.flatMap(({ entryPoint }) => entryPoint ?? []);
}

/** Builds the client into one file. */
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

if (import.meta.main) buildIfNeeded();
