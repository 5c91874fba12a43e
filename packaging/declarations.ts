import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const TYPES = join(ROOT, "dist/types");
const SCHEMAS = "zod";
const COPIES = join(TYPES, SCHEMAS);

const IMPORTED = /(?<=\b(?:from |import\()")[^"]+(?=")/g;

/** Writes the declarations of the client, and those they need of `zod`, into `dist/types`. */
export function buildDeclarations(): void {
  rmSync(TYPES, { recursive: true, force: true });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "client/tsconfig.json"], { cwd: ROOT });
  if (status !== 0) throw new Error(`the type declarations could not be made:\n${stdout}`);
  const copies = new Set<string>();
  for (const file of readdirSync(TYPES, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    for (const entry of rewriteToBuilt(join(TYPES, file))) copyWithImports(entry, copies);
  }
}

/** Rewrites the paths in a declaration file to published files. Returns the entries of `zod` that it names. */
function rewriteToBuilt(file: string): ReadonlySet<string> {
  const entries = new Set<string>();
  const toBuilt = (path: string) => {
    if (!path.startsWith(`${SCHEMAS}/`)) return path.startsWith(".") ? path.replace(/\.ts$/, ".js") : path;
    const entry = `${path.slice(SCHEMAS.length + 1)}/index`;
    entries.add(`${entry}.d.ts`);
    const target = relative(dirname(file), join(COPIES, entry)).replaceAll("\\", "/");
    return `${target.startsWith(".") ? target : `./${target}`}.js`;
  };
  writeFileSync(file, readFileSync(file, "utf8").replace(IMPORTED, toBuilt));
  return entries;
}

function copyWithImports(path: string, copies: Set<string>) {
  if (copies.has(path)) return;
  copies.add(path);
  const target = join(COPIES, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(ROOT, "node_modules", SCHEMAS, path), target);
  for (const [specifier] of readFileSync(target, "utf8").matchAll(IMPORTED)) {
    copyWithImports(join(dirname(path), specifier).replace(/\.js$/, ".d.ts"), copies);
  }
}
