import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildSync, type Metafile } from "esbuild";
import { type CodeForm, createBuildOptions, joinFiles } from "./join-files.ts";
import { computeDigest, requireDigested } from "./source-digest.ts";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = "index.cjs";

/** The functions of the stack; each has its entry in `functions/<name>/handler.ts`. */
export type FunctionName = "dispatcher" | "worker" | "sweeper";

export const FUNCTION_NAMES: readonly FunctionName[] = ["dispatcher", "worker", "sweeper"];

/** Returns the handler setting of a function, which is exported by `start.mjs` or `index.cjs`. */
export function getHandlerSetting(name: FunctionName): string {
  return name === "dispatcher" ? `${STARTER}.handler` : "index.handler";
}

const STARTER = "start";
/** Loads the entry and waits until it is ready. Only an ES module can wait. */
const STARTER_CODE = `import { createRequire } from "node:module";
const { handler, ready } = createRequire(import.meta.url)("./index.cjs");
await ready;
export { handler };
`;

/** Returns the path of the module that a function is bundled from. */
export function getEntryPath(name: FunctionName): string {
  return `functions/${name}/handler.ts`;
}

/** Files that a function is deployed as: `index.cjs`, and those that `import()` loads. */
export interface Bundle {
  readonly files: readonly BundleFile[];
  readonly inputs: ReadonlyMap<string, number>;
  readonly startInputs: ReadonlyMap<string, number>;
}

export interface BundleFile {
  readonly name: string;
  readonly code: string;
  /** True for the entry, which holds all it imports statically: every start loads it. */
  readonly start: boolean;
}

/** Packages of the SDK that a whole module of ours replaces in a Lambda. */
const ALIASES: Readonly<Record<string, string>> = {
  "@aws-sdk/client-dynamodb": "./functions/aws/dynamodb-client.ts",
  "@aws-sdk/lib-dynamodb": "./functions/aws/dynamodb-client.ts",
  "@aws-sdk/credential-provider-node": "./functions/aws/credential-provider.ts",
};

/** Bundles an entry, a path in the repository, with its imports. */
export function bundle(
  entry: string,
  alias: Readonly<Record<string, string>> = ALIASES,
  form: CodeForm = "deployed",
): Bundle {
  const { outputFiles, metafile } = buildSync({
    ...createBuildOptions(form),
    alias: { ...alias },
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: ".",
    outExtension: { ".js": ".cjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    // ES modules can be tree-shaken; CommonJS cannot.
    mainFields: ["module", "main"],
    metafile: true,
    write: false,
  });
  const exportsByName = new Map(
    Object.entries(metafile.outputs).map(([path, { exports }]) => [basename(path), exports]),
  );
  const start = findReachable(metafile, ENTRY, ["import-statement"]);
  // esbuild also writes chunks for an `import()` in code that it then leaves out.
  const all = findReachable(metafile, ENTRY, ["import-statement", "dynamic-import"]);
  const common = findCommonChunks(metafile, start);
  const small = findSmallChunks(metafile, new Set([...start, ...common]));
  const modules = outputFiles
    .map(({ path, text }) => ({ name: basename(path), text, exports: exportsByName.get(basename(path)) ?? [] }))
    .filter(({ name }) => all.has(name));
  const groups = [
    { name: ENTRY, modules: modules.filter(({ name }) => start.has(name)) },
    { name: COMMON, modules: modules.filter(({ name }) => common.has(name)) },
    { name: SHARED, modules: modules.filter(({ name }) => small.has(name)) },
  ].filter((file) => file.modules.length > 0);
  const single = modules.filter((module) => !groups.some((file) => file.modules.includes(module)));
  const files = [...joinFiles(groups, single, form)].map(([name, code]) => ({ name, code, start: name === ENTRY }));
  const waits = exportsByName.get(ENTRY)?.includes("ready") ?? false;
  return {
    files: waits ? [...files, { name: `${STARTER}.mjs`, code: STARTER_CODE, start: true }] : files,
    inputs: sumInputs(metafile, all),
    startInputs: sumInputs(metafile, start),
  };
}

/** Files and folders from which the functions are bundled. */
const SOURCES = ["functions", "shared", "package-lock.json", "tsconfig.json"];

const folders = new Map<FunctionName, string>();

/** Bundles a function into `dist/functions/<name>-<digest of its sources>`, unless it is there. Returns the folder. */
export function bundleToFolder(name: FunctionName): string {
  const folder = folders.get(name) ?? join(ROOT, "dist", "functions", `${name}-${computeDigest(SOURCES).slice(0, 12)}`);
  folders.set(name, folder);
  if (!existsSync(folder)) writeFiles(folder, bundle(getEntryPath(name)));
  return folder;
}

function writeFiles(folder: string, { files, inputs }: Bundle) {
  requireDigested(inputs.keys(), SOURCES);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  for (const file of files) writeFileSync(join(draft, file.name), file.code);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** File with the chunks that many modules of actions need, because every file takes time to load. */
const COMMON = "common.cjs";
const MODULE_OF_ACTIONS = /^shared\/actions\/(?!contract|pipeline|describe)[^/]+\//;

/** Returns the names of the chunks that at least a quarter of the modules of actions need. */
function findCommonChunks(metafile: Metafile, start: ReadonlySet<string>): ReadonlySet<string> {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const modules = outputs
    .filter(({ entryPoint }) => entryPoint !== undefined && MODULE_OF_ACTIONS.test(entryPoint))
    .map(({ name }) => findReachable(metafile, name, ["import-statement"]));
  const names = outputs
    .filter(({ name, entryPoint }) => entryPoint === undefined && !start.has(name))
    .map(({ name }) => name)
    .filter((name) => modules.length > 0 && modules.filter((files) => files.has(name)).length * 4 >= modules.length);
  return new Set(names);
}

const SHARED = "shared.cjs";
const SMALL_BYTES = 4_000;

/** Returns the names of small chunks outside `chunks` that several files share and that import only such. */
function findSmallChunks(metafile: Metafile, chunks: ReadonlySet<string>): ReadonlySet<string> {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const small = outputs
    // A module that `import()` loads has an entry point.
    .filter(({ name, bytes, entryPoint }) => entryPoint === undefined && bytes <= SMALL_BYTES && !chunks.has(name))
    .map(({ name }) => name);
  const light = new Set([...chunks, ...small]);
  return new Set(small.filter((name) => findReachable(metafile, name, ["import-statement"]).isSubsetOf(light)));
}

/** Returns the outputs of a build that an entry imports in these ways, and the entry. */
export function findReachable({ outputs }: Metafile, entry: string, kinds: readonly string[]): ReadonlySet<string> {
  const names = new Set([entry]);
  // The loop also visits the paths that it adds.
  for (const name of names) {
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kinds.includes(kind) && !external) names.add(path);
    }
  }
  return names;
}

function sumInputs({ outputs }: Metafile, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sizes = Object.entries(outputs)
    .filter(([path]) => names.has(basename(path)))
    .flatMap(([, output]) => Object.entries(output.inputs))
    .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const);
  return new Map(sizes.filter(([, bytes]) => bytes > 0));
}
