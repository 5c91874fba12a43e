import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FOLDERS } from "../../shape/support/sources.ts";
import { type Defect, findPlace, plantDefect } from "./defect.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Files in the root folder that are copied too: configurations, pages and the licence. */
const ROOT_FILE = /\.(json|md|yaml)$|^vitest\.config\.ts$|^LICENSE$/;

/** Copy of the repository in which one defect at a time is planted. */
export interface Copy {
  readonly folder: string;
  /** Plants a defect. Throws an error when its place is not there, or when the planted file is not valid TypeScript. */
  plant(defect: Defect): Promise<void>;
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/** Reads a source file of the repository itself. */
export function readSource(file: string): Promise<string> {
  return readFile(join(ROOT, file), "utf8");
}

/** Copies the sources; the installed packages are shared with the original. */
export async function copyRepository(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-defects-"));
  const rootFiles = (await readdir(ROOT)).filter((name) => ROOT_FILE.test(name));
  for (const name of [...FOLDERS, "examples", ...rootFiles]) {
    const source = join(ROOT, name);
    if (existsSync(source)) await cp(source, join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  let original: { readonly path: string; readonly text: string } | undefined;
  const restore = async () => {
    if (original) await writeFile(original.path, original.text);
    original = undefined;
  };
  return {
    folder,
    restore,
    plant: async (defect) => {
      await restore();
      const path = join(folder, findPlace(defect).file);
      const text = await readFile(path, "utf8");
      const planted = plantDefect(defect, text);
      original = { path, text };
      await writeFile(path, planted);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
