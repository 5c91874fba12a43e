import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Defect, planted } from "./defect.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The folders that the suites need to run. */
const ROOMS = [
  "shared",
  "client",
  "cli",
  "functions",
  "local",
  "infra",
  "test",
  "bench",
  "docs",
  "examples",
  "ui",
  "packaging",
];
/** Files at the top of the repository that are copied too: configurations and pages. */
const TOP_FILE = /\.(json|md|ts|yaml)$/;

/** A copy of the repository in which defects can be planted, one at a time. */
export interface Copy {
  readonly folder: string;
  /** Plants a defect; an error when its place is not there, or when the file with it could not be read as TypeScript. */
  plant(defect: Defect): Promise<void>;
  /** Takes the planted defect out again. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/** The text of a source file of the repository itself. */
export function sourceOf(file: string): Promise<string> {
  return readFile(join(ROOT, file), "utf8");
}

/** Copies the sources; what is installed is shared with the original. */
export async function copyRepository(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-defects-"));
  const tops = (await readdir(ROOT)).filter((name) => TOP_FILE.test(name));
  for (const name of [...ROOMS, ...tops]) {
    const source = join(ROOT, name);
    if (existsSync(source)) await cp(source, join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  let sound: { readonly path: string; readonly text: string } | undefined;
  const restore = async (): Promise<void> => {
    if (sound) await writeFile(sound.path, sound.text);
    sound = undefined;
  };
  return {
    folder,
    restore,
    plant: async (defect) => {
      await restore();
      const path = join(folder, defect.file);
      const text = await readFile(path, "utf8");
      const faulty = planted(defect, text);
      // Throws where it is no TypeScript: a file that cannot be read is no defect that a suite has to find.
      stripTypeScriptTypes(faulty);
      sound = { path, text };
      await writeFile(path, faulty);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
