import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, buildSync, type Metafile } from "esbuild";
import { type CodeForm, joinFiles, platformOf, toCommonJs } from "./join-files.ts";
import { REPLACED } from "./replaced-modules.ts";

const ROOT = join(import.meta.dirname, "..");
const SDK_STUBS = "./functions/sdk-stubs.ts";

/** The functions of the stack; each has its entry in `functions/<name>/handler.ts`. */
export type FunctionName = "dispatcher" | "worker" | "sweeper";

export const FUNCTION_NAMES: readonly FunctionName[] = ["dispatcher", "worker", "sweeper"];

/** The handler setting of a function: `index.cjs`, or `start.mjs` where its start waits for something; export `handler`. */
export function handlerOf(name: FunctionName): string {
  return name === "dispatcher" ? `${STARTER}.handler` : "index.handler";
}

const STARTER = "start";
/** Loads the entry and waits until it is ready, which only an ES module can. */
const STARTER_CODE = `import { createRequire } from "node:module";
const { handler, ready } = createRequire(import.meta.url)("./index.cjs");
await ready;
export { handler };
`;

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

/** Modules that never run in a Lambda; `sdk-stubs.ts` holds stubs of the parts that are called. */
const ALIASES: Readonly<Record<string, string>> = {
  "@aws-sdk/client-dynamodb": "./functions/sdk/client-dynamodb.ts",
  "@aws-sdk/lib-dynamodb": "./functions/sdk/document-client.ts",
  "@aws-sdk/credential-provider-node": SDK_STUBS,
  "@aws-sdk/middleware-endpoint-discovery": SDK_STUBS,
  "@smithy/core/event-streams": SDK_STUBS,
};

/**
 * Modules that are loaded on demand and bundled apart: esbuild keeps one copy of a file, so whatever of the SDK the
 * start and such a module both import would be loaded by every start, with the parts that only that module needs.
 */
const APART: readonly { readonly path: string; readonly name: string }[] = [
  { path: "./functions/dispatcher/invoke-worker.ts", name: "invoke-worker" },
  { path: "./functions/dispatcher/aws-clients.ts", name: "aws-clients" },
];
const APART_PATHS = APART.map(({ path }) => path);

/** The replacements of SDK parts: modules by package, and code by file. */
export interface Trim {
  readonly alias: Readonly<Record<string, string>>;
  readonly replaced: ReadonlyMap<string, string>;
}

/** Bundles an entry, path relative to the repository, and everything it imports. */
export function bundle(
  entry: string,
  trim: Trim = { alias: ALIASES, replaced: REPLACED },
  form: CodeForm = "deployed",
): Bundle {
  const made = build("index", entry, trim, form, { splitting: true, external: [...APART_PATHS] });
  // Lambda's client sets event streams up when it is made, so apart they are not left out.
  const { "@smithy/core/event-streams": _, ...alias } = trim.alias;
  const aparts = made.apart.map(({ name, path }) => build(name, path, { ...trim, alias }, form));
  const inputs = new Map(made.inputs);
  for (const [path, bytes] of aparts.flatMap((apart) => [...apart.inputs])) {
    inputs.set(path, (inputs.get(path) ?? 0) + bytes);
  }
  const later = aparts.flatMap(({ files }) => files.map((file) => ({ ...file, start: false })));
  const starter = made.waits ? [{ name: `${STARTER}.mjs`, code: STARTER_CODE, start: true }] : [];
  return { files: [...made.files, ...starter, ...later], inputs, startInputs: made.startInputs };
}

/** A built bundle, with the modules that its code loads and that are bundled apart. */
interface Built extends Bundle {
  readonly apart: typeof APART;
  /** True where the entry has a promise `ready`, which a start waits for. */
  readonly waits: boolean;
}

/** Builds one entry to `<name>.cjs`. */
function build(name: string, entry: string, trim: Trim, form: CodeForm, options: BuildOptions = {}): Built {
  const { alias, replaced } = trim;
  const { outputFiles, metafile } = buildSync({
    ...platformOf(form),
    ...options,
    alias: { ...alias },
    // The replacing code is put in when the files are joined.
    external: [...(options.external ?? []), ...replaced.keys()],
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
  const common = commonChunks(metafile, start);
  const small = smallChunks(metafile, new Set([...start, ...common]));
  const texts = outputFiles.map(({ path, text }) => ({ name: basename(path), text })).filter((f) => all.has(f.name));
  const parts = [
    { file: `${name}.cjs`, texts: texts.filter((f) => start.has(f.name)) },
    { file: COMMON, texts: texts.filter((f) => common.has(f.name)) },
    { file: SHARED, texts: texts.filter((f) => small.has(f.name)) },
  ].filter((part) => part.texts.length > 0);
  const later = texts.filter((f) => !parts.some((part) => part.texts.includes(f)));
  const joined = parts.map((part) => {
    const outside = texts.filter((f) => !part.texts.includes(f)).map((f) => `./${f.name}`);
    return { name: part.file, ...joinFiles(part.file, part.texts, [...APART_PATHS, ...outside], replaced, form) };
  });
  const fileOf = (name: string, code: string, start = false): BundleFile => ({
    name,
    code: named(joined.reduce((text, { redirect }) => redirect(text), code)),
    start,
  });
  const files = [
    ...joined.map((file, i) => fileOf(file.name, file.code, i === 0)),
    ...later.map((f) => fileOf(f.name, toCommonJs(f.text, form))),
  ];
  const waits = metafile.outputs[`${name}.cjs`]?.exports.includes("ready") ?? false;
  const apart = APART.filter(({ path }) => texts.some(({ text }) => text.includes(`"${path}"`)));
  return { files, inputs: inputsOf(metafile, all), startInputs: inputsOf(metafile, start), apart, waits };
}

/** The code, with the modules that are bundled apart loaded from where they are deployed. */
function named(code: string): string {
  return APART.reduce((text, { path, name }) => text.replaceAll(`"${path}"`, `"./${name}.cjs"`), code);
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

/** The file with what most modules of actions are made with: one file, because each costs a call time. */
const COMMON = "common.cjs";
const MODULE_OF_ACTIONS = /^shared\/actions\/(?!contract|dispatch|describe)[^/]+\//;

/** The names of the chunks that at least a quarter of the modules of actions need. */
function commonChunks(metafile: Metafile, start: ReadonlySet<string>): ReadonlySet<string> {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const modules = outputs
    .filter(({ entryPoint }) => entryPoint !== undefined && MODULE_OF_ACTIONS.test(entryPoint))
    .map(({ name }) => reached(metafile, name, ["import-statement"]));
  const names = outputs
    .filter(({ name, entryPoint }) => entryPoint === undefined && !start.has(name))
    .map(({ name }) => name)
    .filter((name) => modules.length > 0 && modules.filter((needs) => needs.has(name)).length * 4 >= modules.length);
  return new Set(names);
}

/** The file with the small chunks that several later files share. */
const SHARED = "shared.cjs";
const SMALL_BYTES = 4_000;

/** The names of the chunks that are not `taken`, that several later files share, that are small, and that need nothing that is not. */
function smallChunks(metafile: Metafile, taken: ReadonlySet<string>): ReadonlySet<string> {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const small = outputs
    // A module that `import()` names has an entry point of its own.
    .filter(({ name, bytes, entryPoint }) => entryPoint === undefined && bytes <= SMALL_BYTES && !taken.has(name))
    .map(({ name }) => name);
  const light = new Set([...taken, ...small]);
  return new Set(small.filter((name) => reached(metafile, name, ["import-statement"]).isSubsetOf(light)));
}

/** The names of the entry and of all files it comes to through imports of these kinds. */
function reached({ outputs }: Metafile, entry: string, kinds: readonly string[]): ReadonlySet<string> {
  const imports = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.imports]));
  const names = new Set([entry]);
  // Names added on the way are walked too.
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
