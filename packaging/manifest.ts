import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OLDEST_NODE } from "./build.ts";

const ROOT = join(import.meta.dirname, "..");
const MANIFEST = join(ROOT, "package.json");
const BACKUP = join(ROOT, "dist/repository/package.json");

type Manifest = Readonly<Record<string, unknown>>;

const PUBLISHED = [
  ...["name", "version", "description", "license", "keywords", "homepage", "repository", "bugs"],
  ...["type", "bin", "exports", "files"],
];

/** Creates the manifest of the package, without dependencies, because they are bundled. */
export function createPublishedManifest(repository: Manifest): Manifest {
  const members = Object.entries(repository).filter(([member]) => PUBLISHED.includes(member));
  return { ...Object.fromEntries(members), engines: { node: `>=${OLDEST_NODE}` } };
}

function writePublished() {
  // An interrupted run may have left the package's manifest.
  restore();
  const text = readFileSync(MANIFEST, "utf8");
  mkdirSync(dirname(BACKUP), { recursive: true });
  writeFileSync(BACKUP, text);
  writeFileSync(MANIFEST, `${JSON.stringify(createPublishedManifest(JSON.parse(text) as Manifest), null, 2)}\n`);
}

function restore() {
  if (existsSync(BACKUP)) renameSync(BACKUP, MANIFEST);
}

if (import.meta.main) {
  if (process.argv[2] === "restore") restore();
  else writePublished();
}
