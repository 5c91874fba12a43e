import { useSyncExternalStore } from "react";
import { parseSourceContent, type SourceContent } from "../../parts/formats/source-content.ts";

/** A file that was dropped in: its content, or why there is none. */
export interface DroppedFile {
  readonly name: string;
  readonly content?: SourceContent;
  readonly fault?: string;
  /** Differs from file to file, also of one name. */
  readonly stamp: string;
}

/** Beginning of a side in an address that names a file. */
const FILE = "file:";

/** The name of the file that a side in an address names; undefined where it names a model. */
export const getFileName = (side: string | undefined): string | undefined =>
  side?.startsWith(FILE) ? side.slice(FILE.length) : undefined;

/** A file as a side in an address. */
export const toFileSide = (name: string): string => `${FILE}${name}`;

/** Where files are kept while the tab is open, so that a page that is loaded again has them. */
const KEPT = "metaction.compared.";

const files = new Map<string, DroppedFile>();
const watchers = new Set<() => void>();

/** Reads the text of a file as a source. */
export function readDroppedFile(name: string, text: string, stamp: string): DroppedFile {
  try {
    return { name, content: parseSourceContent(text), stamp };
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error), stamp };
  }
}

/** Takes a file in; resolves when it can be compared. */
export async function takeFile(file: File): Promise<void> {
  const text = await file.text();
  const stamp = `${file.lastModified} ${file.size}`;
  files.set(file.name, readDroppedFile(file.name, text, stamp));
  try {
    sessionStorage.setItem(KEPT + file.name, JSON.stringify({ text, stamp }));
  } catch {
    // A large file is kept as long as the page only.
    sessionStorage.removeItem(KEPT + file.name);
  }
  for (const watcher of watchers) watcher();
}

function getFile(name: string | undefined): DroppedFile | undefined {
  if (name === undefined) return undefined;
  const known = files.get(name);
  if (known) return known;
  const kept = sessionStorage.getItem(KEPT + name);
  if (kept === null) return undefined;
  const { text, stamp } = JSON.parse(kept) as { readonly text: string; readonly stamp: string };
  const read = readDroppedFile(name, text, stamp);
  files.set(name, read);
  return read;
}

/** The file of a name, if it was dropped in while this tab was open. */
export function useDroppedFile(name: string | undefined): DroppedFile | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => getFile(name),
  );
}
