import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Returns the digest of files and folders of the repository, in hexadecimal: builds with the same digest are equal. */
export function computeDigest(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(listFiles)) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex");
}

function listFiles(source: string): readonly string[] {
  if (statSync(join(ROOT, source)).isFile()) return [source];
  const entries = readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, "/").length).replaceAll("\\", "/"))
    .sort();
}

/** Throws if a build reads a file of the repository that its digest leaves out. */
export function requireDigested(inputs: Iterable<string>, sources: readonly string[]): void {
  for (const path of inputs) {
    const isDigested = sources.some((source) => path === source || path.startsWith(`${source}/`));
    if (!isDigested && !path.includes("node_modules/"))
      throw new Error(`${path} is not among the sources of its build`);
  }
}
