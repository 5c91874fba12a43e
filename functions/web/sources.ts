import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The files and folders that the built web application follows from: what it imports, the libraries, how it is built. */
const SOURCES = ["ui", "client", "examples", "shared/domain", "functions/web", "package-lock.json"];

/** The digest of all sources of the web application, in hexadecimal; names count as well as contents. */
export async function computeSourceDigest(): Promise<string> {
  const hash = createHash("sha256");
  for (const path of (await Promise.all(SOURCES.map(listFiles))).flat()) {
    const content = await readFile(resolveInRepository(path));
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex");
}

/** True where the folder of the web application holds the build of the sources with that digest. */
export async function isBuilt(digest: string): Promise<boolean> {
  return (await readFile(join(WEB_FOLDER, STAMP), "utf8").catch(() => "")) === digest;
}

/** The files of a source, sorted; relative to the repository, on every platform with slashes. */
async function listFiles(source: string): Promise<readonly string[]> {
  if (/\.\w+$/.test(source)) return [source];
  const found = await readdir(resolveInRepository(source), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(resolveInRepository("").length).replaceAll("\\", "/"))
    .sort();
}

const ROOT = join(import.meta.dirname, "../..");

/** The path of a file or folder of the repository, given relative to it. */
export const resolveInRepository = (path: string): string => join(ROOT, path);

/**
 * The folder of the built web application: `index.html`, other files with fixed names, and in `assets` files whose
 * names hold a digest of their content. Next to a file may be its forms compressed with brotli (`.br`) and gzip
 * (`.gz`).
 */
export const WEB_FOLDER = resolveInRepository("dist/ui");

/** The file in the folder of a build that holds the digest of its sources; no part of the application. */
export const STAMP = ".sources";

/** The file in the folder of a build that says which files each module needs; no part of the application. */
export const MANIFEST = ".manifest.json";

/** The folder of the application in which names change with the content, so that what was fetched stays right for ever. */
export const HASHED = "assets";

/** Programs inside a package's WebAssembly, which its own licence does not speak of; a section of a page of licences. */
export const INSIDE_LAYOUT = `
## Inside @hpcc-js/wasm-graphviz

Graphviz, under the Eclipse Public License (https://graphviz.org/license/). Its source: https://gitlab.com/graphviz/graphviz
Expat, under the MIT License. Its source: https://github.com/libexpat/libexpat
`;
