import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { computeDigest } from "../../functions/source-digest.ts";

/** Files and folders from which the web application is built, including how it is built. */
const SOURCES = ["ui", "client", "examples", "shared/domain", "packaging/web", "package-lock.json"];

/** Returns the digest of all sources of the web application, in hexadecimal. */
export const computeSourceDigest = (): string => computeDigest(SOURCES);

/** Returns true if the folder holds the build of the sources with that digest. */
export async function isBuilt(digest: string): Promise<boolean> {
  return (await readFile(join(WEB_FOLDER, STAMP), "utf8").catch(() => "")) === digest;
}

const ROOT = join(import.meta.dirname, "../..");

/** Resolves a path relative to the repository. */
export const resolveInRepository = (path: string): string => join(ROOT, path);

/** Folder of the built web application: files with fixed names, `assets` with hashed names, `.br` and `.gz` forms. */
export const WEB_FOLDER = resolveInRepository("dist/ui");

/** File of a build with the digest of its sources; not part of the application. */
export const STAMP = ".sources";

/** File of a build with the files of each module; not part of the application. */
export const MANIFEST = ".manifest.json";

/** Folder whose file names change with their content, so that they can be cached forever. */
export const HASHED = "assets";

/** Programs inside the WebAssembly of a package that its licence does not mention. */
export const INSIDE_LAYOUT = `
## Inside @hpcc-js/wasm-graphviz

Graphviz, under the Eclipse Public License (https://graphviz.org/license/). Its source: https://gitlab.com/graphviz/graphviz
Expat, under the MIT License. Its source: https://github.com/libexpat/libexpat
`;
