import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { HASHED } from "../../functions/web/web-folder.ts";

/** The forms of a file: as it is, and compressed. */
export type Coding = "identity" | "br" | "gzip";

/** A file of the web application in all its forms. */
export interface StaticFile {
  readonly mediaType: string;
  /** A digest of its content. */
  readonly tag: string;
  /** True where its name changes with its content. */
  readonly isHashed: boolean;
  readonly forms: ReadonlyMap<Coding, Uint8Array>;
}

/** The files of the web application by the path at which they are served. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** The path of the one page, which shows the screen that the address names. */
export const PAGE = "/index.html";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const COMPRESSED: readonly (readonly [ending: string, coding: Coding])[] = [
  [".br", "br"],
  [".gz", "gzip"],
];

/**
 * Reads all files of a folder into memory, so that no path of a request ever names a file, and an exchange of the folder
 * changes nothing for those who have the page open. Files whose names begin with a dot are left out. An error for a file of an
 * unknown format, and for a folder without the page.
 */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const contents = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll("\\", "/");
    if (entry.isFile() && !path.includes("/.")) contents.set(path, await readFile(file));
  }
  const files = new Map<string, StaticFile>();
  for (const [path, content] of contents) {
    if (COMPRESSED.some(([ending]) => path.endsWith(ending))) continue;
    const forms = new Map<Coding, Uint8Array>([["identity", content]]);
    for (const [ending, coding] of COMPRESSED) {
      const compressed = contents.get(path + ending);
      if (compressed) forms.set(coding, compressed);
    }
    const isHashed = path.startsWith(`/${HASHED}/`);
    files.set(path, { mediaType: mediaTypeOf(path), tag: digestOf(content), isHashed, forms });
  }
  if (!files.has(PAGE)) throw new Error(`there is no ${PAGE} in ${folder}`);
  return files;
}

function mediaTypeOf(path: string): string {
  const mediaType = MEDIA_TYPES[extname(path)];
  if (mediaType === undefined) throw new Error(`there is no media type for ${path}`);
  return mediaType;
}

function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
