import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, buildSync, type Metafile, transformSync } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const STAND_INS = "./functions/stand-ins.ts";

/** The functions of the stack; each has its entry in `functions/<name>/handler.ts`. */
export type FunctionName = "dispatcher" | "worker" | "sweeper";

export const FUNCTION_NAMES: readonly FunctionName[] = ["dispatcher", "worker", "sweeper"];

/** The handler setting of every function: `index.cjs`, export `handler`. */
export const HANDLER = "index.handler";

export function entryOf(name: FunctionName): string {
  return `functions/${name}/handler.ts`;
}

/** The files a function is deployed as, minified: `index.cjs`, and others for what `import()` loads when it is needed. */
export interface Bundle {
  readonly files: readonly BundleFile[];
  /** Bytes in the bundle by input file, path relative to the repository. */
  readonly inputs: ReadonlyMap<string, number>;
  /** The part of `inputs` that every start loads. */
  readonly startInputs: ReadonlyMap<string, number>;
}

export interface BundleFile {
  readonly name: string;
  readonly code: string;
  /** True for the entry and what it imports statically: every start loads these. */
  readonly start: boolean;
}

const PLATFORM: BuildOptions = {
  minify: true,
  platform: "node",
  target: "node24",
  legalComments: "none",
  logLevel: "warning",
};

/** These never run in a Lambda; `stand-ins.ts` holds what is called of them. */
const ALIASES: Readonly<Record<string, string>> = {
  "@aws-sdk/credential-provider-node": STAND_INS,
  "@aws-sdk/middleware-endpoint-discovery": STAND_INS,
  "@smithy/core/event-streams": STAND_INS,
};

/**
 * Loaded on demand, and bundled on its own: esbuild keeps one copy of a file, and what the start and this both import of
 * the SDK would be loaded by every start, with the parts that only this needs.
 */
const APART = { path: "./functions/dispatcher/invoke-worker.ts", name: "invoke-worker" };

/** Bundles an entry, path relative to the repository, and everything it imports. */
export function bundle(entry: string, alias: Readonly<Record<string, string>> = ALIASES): Bundle {
  const made = build("index", entry, { alias: { ...alias }, splitting: true, external: [APART.path] });
  if (!made.apart) return made;
  // Lambda's client sets event streams up when it is made, so here they are not left out.
  const { "@smithy/core/event-streams": _, ...rest } = alias;
  const apart = build(APART.name, APART.path, { alias: rest });
  const inputs = new Map(made.inputs);
  for (const [path, bytes] of apart.inputs) inputs.set(path, (inputs.get(path) ?? 0) + bytes);
  const later = apart.files.map((file) => ({ ...file, start: false }));
  return { files: [...made.files, ...later], inputs, startInputs: made.startInputs };
}

/** Builds one entry to `<name>.cjs`; `apart` tells whether something in it loads what is bundled on its own. */
function build(name: string, entry: string, options: BuildOptions): Bundle & { readonly apart: boolean } {
  const { outputFiles, metafile } = buildSync({
    ...PLATFORM,
    ...options,
    absWorkingDir: ROOT,
    entryPoints: { [name]: entry },
    outdir: ".",
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "esm",
    // The SDK's ES modules can be shaken; its CommonJS cannot.
    mainFields: ["module", "main"],
    metafile: true,
    write: false,
  });
  const start = reached(metafile, `${name}.cjs`, ["import-statement"]);
  // esbuild also writes chunks for an `import()` in code it then leaves out.
  const all = reached(metafile, `${name}.cjs`, ["import-statement", "dynamic-import"]);
  const texts = outputFiles.map(({ path, text }) => ({ name: basename(path), text })).filter((f) => all.has(f.name));
  const files = texts.map((f) => ({
    name: f.name,
    code: toCommonJs(f.text.replaceAll(`"${APART.path}"`, `"./${APART.name}.cjs"`)),
    start: start.has(f.name),
  }));
  const apart = texts.some(({ text }) => text.includes(`"${APART.path}"`));
  return { files, inputs: inputsOf(metafile, all), startInputs: inputsOf(metafile, start), apart };
}

/**
 * Writes a bundle to a folder named after its content, `dist/functions/<name>-<hash>`, and answers the folder, which is
 * what Lambda is given. A folder once there never changes, so that several may be at it at once.
 */
export function bundleToFolder(name: FunctionName): string {
  const { files } = bundle(entryOf(name));
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  const parent = join(ROOT, "dist", "functions");
  const folder = join(parent, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  for (const file of files) writeFileSync(join(unfinished, file.name), file.code);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** esbuild splits ES modules only, and an ES import of `node:http` makes Node load undici: 15 ms of a cold start. */
function toCommonJs(code: string): string {
  const supported = { "dynamic-import": false };
  return transformSync(code, { minify: true, platform: "node", target: "node24", format: "cjs", supported }).code;
}

/** The names of the entry and of all files it comes to through imports of these kinds. */
function reached({ outputs }: Metafile, entry: string, kinds: readonly string[]): ReadonlySet<string> {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.imports]));
  const names = new Set([entry]);
  // What is added on the way is walked too.
  for (const name of names) {
    for (const { path, kind, external } of imports.get(name) ?? []) {
      if (kinds.includes(kind) && !external) names.add(basename(path));
    }
  }
  return names;
}

function inputsOf({ outputs }: Metafile, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sizes = Object.entries(outputs)
    .filter(([path]) => names.has(basename(path)))
    .flatMap(([, output]) => Object.entries(output.inputs))
    .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const);
  return new Map(sizes.filter(([, bytes]) => bytes > 0));
}
