import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildSync, type Metafile } from "esbuild";
import { findReachable } from "../functions/bundle.ts";

const ROOT = join(import.meta.dirname, "..");

/** First line of each built file: CommonJS code calls `require`, which ES modules lack. */
export const REQUIRE =
  'import { createRequire as createBuiltRequire } from "node:module"; const require = createBuiltRequire(import.meta.url);';

/** Merges the static imports of an entry into it, so that a start reads one file. Their files re-export it. */
export function mergeStart(metafile: Metafile, entry: string): void {
  const { outputs } = metafile;
  const start = [...findReachable(metafile, entry, ["import-statement"])];
  const folder = join(ROOT, dirname(entry));
  for (const path of start) removeRequire(join(ROOT, path));
  const parts = start.filter((path) => path !== entry).map((path, i) => ({ path, prefix: `part${i}_` }));
  const listNames = (path: string): readonly string[] => outputs[path]?.exports ?? [];
  const lines = parts.map(({ path, prefix }) => {
    const names = listNames(path).map((name) => `${name} as ${prefix}${name}`);
    return `export { ${names.join(", ")} } from "./${basename(path)}";`;
  });
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    stdin: { contents: [`export * from "./${basename(entry)}";`, ...lines].join("\n"), resolveDir: folder },
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
    const names = listNames(path).map((name) => `${prefix}${name} as ${name}`);
    writeFileSync(join(ROOT, path), `export{${names.join(",")}}from"./${basename(entry)}";\n`);
  }
}

/** Replaces imports of Node.js modules by `getBuiltinModule`, because an `import` evaluates every export. */
export function rewriteBuiltins(code: string): string {
  const lines: string[] = [];
  const rest = code.replace(BUILTIN, (_, namespace: string | undefined, names: string | undefined, module: string) => {
    const binding = namespace ?? `{${names?.replaceAll(" as ", ":")}}`;
    lines.push(`const ${binding}=process.getBuiltinModule("${module}");`);
    return "";
  });
  return lines.join("") + rest;
}

const BUILTIN = /\bimport(?:\s*\*\s*as ([\w$]+) |\s*\{([^}]*)\}\s*)from\s*"(node:[\w/]+)";\s*/g;

function removeRequire(file: string) {
  const text = readFileSync(file, "utf8");
  const rest = text.replace(REQUIRE, "");
  if (!/\brequire\b/.test(rest)) writeFileSync(file, rest);
}
