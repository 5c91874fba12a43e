import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

/** Form of built code: as deployed, or line by line with source maps, for a profile. */
export type CodeForm = "deployed" | "mapped";

/** Returns the options that all code for a Lambda is built with. */
export function createBuildOptions(form: CodeForm) {
  return {
    ...(form === "deployed" ? { minify: true } : { minifySyntax: true, sourcemap: "inline" as const }),
    platform: "node",
    target: "node24",
    legalComments: "none",
    logLevel: "warning",
  } as const satisfies BuildOptions;
}

/** An ES module that esbuild wrote, with the names that it exports. */
export interface BuiltModule {
  readonly name: string;
  readonly text: string;
  readonly exports: readonly string[];
}

/** Modules that become one file of the bundle; the named module keeps all its exports. */
export interface JoinedFile {
  readonly name: string;
  readonly modules: readonly BuiltModule[];
}

/** Writes ES modules of esbuild as CommonJS in fewer files: a file costs time to load, an ES `node:http` 15 ms. */
export function joinFiles(
  groups: readonly JoinedFile[],
  single: readonly BuiltModule[],
  form: CodeForm,
): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "metaction-bundle-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const singleNames = single.map(({ name }) => `./${name}`);
  const groupNames = groups.map(({ name }) => `./${name}`);
  const codes = new Map<string, string>();
  const build = (name: string, input: BuildOptions, external: readonly string[]) => {
    const { outputFiles } = buildSync({
      ...createBuildOptions(form),
      ...input,
      absWorkingDir: folder,
      format: "cjs",
      supported: { "dynamic-import": false },
      bundle: true,
      external: external.filter((path) => path !== `./${name}`),
      write: false,
    });
    codes.set(name, outputFiles?.[0]?.text ?? "");
  };
  try {
    for (const { name, text } of single) write(name, text);
    for (const { modules } of groups) for (const module of modules) write(module.name, module.text);
    for (const file of groups) {
      for (const other of groups) {
        for (const module of other.modules) write(module.name, other === file ? module.text : redirect(module, other));
      }
      const contents = file.modules.map((module) => exportAll(module, file)).join("\n");
      build(file.name, { stdin: { contents, resolveDir: folder } }, [...singleNames, ...groupNames]);
    }
    for (const file of groups) for (const module of file.modules) write(module.name, redirect(module, file));
    for (const { name } of single) build(name, { entryPoints: [`./${name}`] }, [...singleNames, ...groupNames]);
    return codes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function exportAll(module: BuiltModule, file: JoinedFile) {
  const names = module.exports.map((name) => `${name} as ${nameExport(module, file, name)}`);
  return names.length === 0 ? `import "./${module.name}";` : `export { ${names.join(", ")} } from "./${module.name}";`;
}

function redirect(module: BuiltModule, file: JoinedFile) {
  const names = module.exports.map((name) => `${nameExport(module, file, name)} as ${name}`);
  return names.length === 0 ? `import "./${file.name}";` : `export { ${names.join(", ")} } from "./${file.name}";`;
}

function nameExport(module: BuiltModule, file: JoinedFile, name: string) {
  return module.name === file.name ? name : `m${file.modules.indexOf(module)}_${name}`;
}
