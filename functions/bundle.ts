import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
  /** True for the entry, which holds all it imports statically: every start loads it. */
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
  const later = texts.filter((f) => !start.has(f.name));
  const joined = joinStart(
    name,
    texts.filter((f) => start.has(f.name)),
    later.map((f) => f.name),
  );
  const files = [
    { name: `${name}.cjs`, code: named(joined.code), start: true },
    ...later.map((f) => ({ name: f.name, code: named(joined.redirect(toCommonJs(f.text))), start: false })),
  ];
  const apart = texts.some(({ text }) => text.includes(`"${APART.path}"`));
  return { files, inputs: inputsOf(metafile, all), startInputs: inputsOf(metafile, start), apart };
}

/** Has code load what is bundled on its own from where it is deployed. */
function named(code: string): string {
  return code.replaceAll(`"${APART.path}"`, `"./${APART.name}.cjs"`);
}

interface Joined {
  readonly code: string;
  /** Has a file loaded later take from the start what it took from one of its chunks. */
  readonly redirect: (code: string) => string;
}

/**
 * Joins the files every start loads into one: esbuild makes a chunk of what is also imported later, and each such
 * border costs bytes and a file to load.
 */
function joinStart(name: string, texts: readonly { name: string; text: string }[], later: readonly string[]): Joined {
  const [only] = texts;
  if (only && texts.length === 1) return { code: toCommonJs(only.text), redirect: (code) => code };
  const entry = `./${name}.cjs`;
  const chunks = texts.map((f) => `./${f.name}`).filter((path) => path !== entry);
  const contents = [`export * from "${entry}";`, ...chunks.map((path, i) => `export * as c${i} from "${path}";`)];
  const folder = mkdtempSync(join(tmpdir(), "metaction-bundle-"));
  try {
    for (const { name, text } of texts) writeFileSync(join(folder, name), text);
    const { outputFiles } = buildSync({
      ...PLATFORM,
      ...COMMON_JS,
      stdin: { contents: contents.join("\n"), resolveDir: folder },
      bundle: true,
      external: [APART.path, ...later.map((file) => `./${file}`)],
      write: false,
    });
    const redirect = (code: string): string =>
      chunks.reduce((text, path, i) => text.replaceAll(`require("${path}")`, `require("${entry}").c${i}`), code);
    return { code: outputFiles[0]?.text ?? "", redirect };
  } finally {
    rmSync(folder, { recursive: true });
  }
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
const COMMON_JS = { format: "cjs", supported: { "dynamic-import": false } } as const;

function toCommonJs(code: string): string {
  return transformSync(code, { minify: true, platform: "node", target: "node24", ...COMMON_JS }).code;
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
