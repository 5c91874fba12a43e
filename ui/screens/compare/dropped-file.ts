import { useSyncExternalStore } from "react";
import { parseSourceContent, type SourceContent } from "../../parts/formats/source-content.ts";

/** A dropped file: its content, or the fault. */
export interface DroppedFile {
  readonly name: string;
  readonly content?: SourceContent;
  readonly fault?: string;
  /** Unique per file, even for files with the same name. */
  readonly stamp: string;
}

const FILE = "file:";

/** Returns the file name of a side in an address; undefined for a model. */
export const getFileName = (side: string | undefined): string | undefined =>
  side?.startsWith(FILE) ? side.slice(FILE.length) : undefined;

/** Formats a file as a side in an address. */
export const toFileSide = (name: string): string => `${FILE}${name}`;

/** Prefix of keys in the session storage, so that files survive a reload of the page. */
const STORAGE_PREFIX = "metaction.compared.";

const files = new Map<string, DroppedFile>();
const watchers = new Set<() => void>();

/** Parses the text of a file as a source. */
export function readDroppedFile(name: string, text: string, stamp: string): DroppedFile {
  try {
    return { name, content: parseSourceContent(text), stamp };
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error), stamp };
  }
}

/** Reads a file; resolves when it can be compared. */
export async function loadFile(file: File): Promise<void> {
  const text = await file.text();
  const stamp = `${file.lastModified} ${file.size}`;
  files.set(file.name, readDroppedFile(file.name, text, stamp));
  try {
    sessionStorage.setItem(STORAGE_PREFIX + file.name, JSON.stringify({ text, stamp }));
  } catch {
    // A large file does not fit in the session storage and is lost on reload.
    sessionStorage.removeItem(STORAGE_PREFIX + file.name);
  }
  for (const watcher of watchers) watcher();
}

function getFile(name: string | undefined): DroppedFile | undefined {
  if (name === undefined) return undefined;
  const entry = files.get(name);
  if (entry) return entry;
  const json = sessionStorage.getItem(STORAGE_PREFIX + name);
  if (json === null) return undefined;
  const { text, stamp } = JSON.parse(json) as { readonly text: string; readonly stamp: string };
  const file = readDroppedFile(name, text, stamp);
  files.set(name, file);
  return file;
}

/** Returns the dropped file with a name; undefined if this tab has none. */
export function useDroppedFile(name: string | undefined): DroppedFile | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => getFile(name),
  );
}
