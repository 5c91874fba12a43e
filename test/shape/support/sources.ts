import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One TypeScript file of the repository; `path` from its root, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Folders at the root that hold code of ours. */
export const FOLDERS = [
  ...["shared", "functions", "local", "infra", "test", "bench", "docs", "client", "cli", "ui", "packaging"],
];
/** Names of the folders that a build or an installation leaves behind, in whatever folder they lie. */
const BUILT = new Set(["node_modules", "dist", "cdk.out", ".metaction"]);

let read: readonly Source[] | undefined;

export function sources(): readonly Source[] {
  read ??= FOLDERS.flatMap((folder) => pathsIn(folder))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
  return read;
}

function pathsIn(folder: string): readonly string[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(folder);
  } catch (error) {
    // The list may name a folder that is planned and not there yet.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return BUILT.has(entry.name) ? [] : pathsIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const entriesOf = (folder: string) => readdirSync(join(ROOT, folder), { withFileTypes: true });
