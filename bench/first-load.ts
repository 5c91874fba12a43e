import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST } from "../packaging/web/sources.ts";
import type { Language } from "../ui/words/language.ts";

/** File of the build in the manifest of Vite. Its imports are keys of other entries. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Files that a browser loads before the first screen is visible. */
export interface FirstLoad {
  /** Module of the screen, or `index.html` for the page without a screen. */
  readonly screen: string;
  /** Compressed bytes by file, largest first. */
  readonly files: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/** Limit for the bytes that are loaded before any screen is visible. Diagrams and editors are loaded afterwards. */
export const FIRST_LOAD_BYTES = 250_000;

/** Returns the first load of the page and of each screen in a language, from a built folder, largest first. */
export async function measureFirstLoads(folder: string, language: Language): Promise<readonly FirstLoad[]> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
  const entries = Object.entries(manifest);
  // The build puts the entry into the chunk of the modules that every screen needs.
  const start = entries.filter(([key, { isEntry }]) => isEntry || /^_start-.*js$/.test(key)).map(([key]) => key);
  const screens = entries.filter(([key, chunk]) => chunk.isDynamicEntry && key.startsWith("screens/"));
  const loads = [["index.html", start] as const, ...screens.map(([key]) => [key, [...start, key]] as const)].map(
    async ([screen, roots]): Promise<FirstLoad> => {
      const sized = [...findNeededFiles(roots, manifest, language)].map(
        async (file) => [file, await readFileSize(join(folder, file))] as const,
      );
      const files = (await Promise.all(sized)).sort(([, a], [, b]) => b - a);
      return { screen, files: new Map(files), bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0) };
    },
  );
  return (await Promise.all(loads)).sort((a, b) => b.bytes - a.bytes);
}

/** Returns the page with all files that these modules import statically, their style sheets and their texts in the language. */
function findNeededFiles(roots: readonly string[], manifest: Manifest, language: Language): ReadonlySet<string> {
  const keys = new Set(roots);
  const files = new Set(["index.html"]);
  // The loop also visits the keys that it adds.
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) continue;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) keys.add(imported);
    // English texts are in the modules themselves.
    for (const later of chunk.dynamicImports ?? []) if (later.startsWith(`words/${language}/`)) keys.add(later);
  }
  return files;
}

async function readFileSize(file: string): Promise<number> {
  const { size } = await stat(`${file}.br`).catch(() => stat(file));
  return size;
}
