import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OLDEST_NODE } from "./build.ts";

const ROOT = join(import.meta.dirname, "..");
const MANIFEST = join(ROOT, "package.json");
/** Where the manifest of the repository lies while that of the package is in its place. */
const KEPT = join(ROOT, "dist/repository/package.json");

type Manifest = Readonly<Record<string, unknown>>;

/** The members of the repository's manifest that the package has too. */
const PUBLISHED = [
  ...["name", "version", "description", "license", "keywords", "homepage", "repository", "bugs"],
  ...["type", "bin", "exports", "files"],
];

/** The manifest of the package: no dependencies, since all it needs is built in, and nothing that serves the repository. */
export function createPublishedManifest(repository: Manifest): Manifest {
  const published = Object.entries(repository).filter(([member]) => PUBLISHED.includes(member));
  return { ...Object.fromEntries(published), engines: { node: `>=${OLDEST_NODE}` } };
}

/** Puts the package's manifest in the place of the repository's, for as long as npm packs. */
function put(): void {
  // Where an earlier packing was cut off, that of the package is there still.
  restore();
  const text = readFileSync(MANIFEST, "utf8");
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, text);
  writeFileSync(MANIFEST, `${JSON.stringify(createPublishedManifest(JSON.parse(text) as Manifest), null, 2)}\n`);
}

/** Puts the repository's manifest back. */
function restore(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

if (import.meta.main) {
  if (process.argv[2] === "restore") restore();
  else put();
}
