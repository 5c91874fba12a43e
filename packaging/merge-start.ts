import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildSync, type Metafile } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** The line that stands before the code of each built file: what is CommonJS asks for modules by a function that ES modules lack. */
export const REQUIRE =
  'import { createRequire as createBuiltRequire } from "node:module"; const require = createBuiltRequire(import.meta.url);';

/**
 * Puts every file that an entry imports at once into the entry, so that a start reads one file in the place of twenty. In the
 * place of each stays a file that exports the same from the entry, for those that are loaded later.
 */
export function mergeStart({ outputs }: Metafile, entry: string): void {
  const start = listStaticImports(outputs, entry);
  const folder = join(ROOT, dirname(entry));
  for (const path of start) removeRequire(join(ROOT, path));
  const parts = start.filter((path) => path !== entry).map((path, i) => ({ path, prefix: `part${i}_` }));
  const namesOf = (path: string): readonly string[] => outputs[path]?.exports ?? [];
  const exported = parts.map(({ path, prefix }) => {
    const names = namesOf(path).map((name) => `${name} as ${prefix}${name}`);
    return `export { ${names.join(", ")} } from "./${basename(path)}";`;
  });
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    stdin: { contents: [`export * from "./${basename(entry)}";`, ...exported].join("\n"), resolveDir: folder },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: Object.keys(outputs).flatMap((path) => (start.includes(path) ? [] : [`./${basename(path)}`])),
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
  });
  writeFileSync(join(ROOT, entry), rewriteBuiltins(outputFiles[0]?.text ?? ""));
  for (const { path, prefix } of parts) {
    const names = namesOf(path).map((name) => `${prefix}${name} as ${name}`);
    writeFileSync(join(ROOT, path), `export{${names.join(",")}}from"./${basename(entry)}";\n`);
  }
}

/** An entry and every file that it imports, or that such a file imports, without `import()`. */
function listStaticImports(outputs: Metafile["outputs"], entry: string): readonly string[] {
  const start = new Set([entry]);
  // Files that are added on the way are walked too.
  for (const path of start) {
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && external !== true) start.add(imported);
    }
  }
  return [...start];
}

/**
 * The code of a module that takes what it needs of modules of Node.js, in the place of importing them: an `import` asks for every
 * export there is, and some load a whole part of Node.js once they are asked for.
 */
export function rewriteBuiltins(code: string): string {
  const taken: string[] = [];
  const rest = code.replace(BUILTIN, (_, whole: string | undefined, names: string | undefined, module: string) => {
    const bound = whole ?? `{${names?.replaceAll(" as ", ":")}}`;
    taken.push(`const ${bound}=process.getBuiltinModule("${module}");`);
    return "";
  });
  return taken.join("") + rest;
}

const BUILTIN = /\bimport(?:\s*\*\s*as ([\w$]+) |\s*\{([^}]*)\}\s*)from\s*"(node:[\w/]+)";\s*/g;

/** Takes the line with `require` out of a file that needs none. */
function removeRequire(file: string): void {
  const text = readFileSync(file, "utf8");
  const rest = text.replace(REQUIRE, "");
  if (!/\brequire\b/.test(rest)) writeFileSync(file, rest);
}
