import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST } from "../functions/web/sources.ts";
import type { Language } from "../ui/words/words.ts";

/** A file of the build, as the manifest of Vite describes it: what it imports is named by other entries. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** The files that a browser loads before a screen shows, when it opens the application there. */
export interface FirstLoad {
  /** The module of the screen, or the page alone. */
  readonly screen: string;
  /** Bytes on the wire, compressed as the service sends them, by file; biggest first. */
  readonly files: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/** Most bytes that may be loaded before a screen shows, whichever it is; diagrams and editors are fetched after it shows. */
export const FIRST_LOAD_BYTES = 250_000;

/** The first load of the page alone and of each screen in a language, from a built folder; biggest first. */
export async function measureFirstLoads(folder: string, language: Language): Promise<readonly FirstLoad[]> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
  const entries = Object.entries(manifest);
  const start = entries.filter(([, { isEntry }]) => isEntry).map(([key]) => key);
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

/** The page with all files that these modules import statically, their style sheets, and their words in the language. */
function findNeededFiles(roots: readonly string[], manifest: Manifest, language: Language): ReadonlySet<string> {
  const keys = new Set(roots);
  const files = new Set(["index.html"]);
  // Keys that are added on the way are walked too.
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) continue;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) keys.add(imported);
    // English words are in the modules themselves.
    for (const later of chunk.dynamicImports ?? []) if (later.startsWith(`words/${language}/`)) keys.add(later);
  }
  return files;
}

async function readFileSize(file: string): Promise<number> {
  const { size } = await stat(`${file}.br`).catch(() => stat(file));
  return size;
}
