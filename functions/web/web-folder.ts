import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The path of a file or folder of the repository, given relative to it. */
export const inRepository = (path: string): string => join(ROOT, path);

/**
 * The folder of the built web application: `index.html`, other files of fixed names, and in `assets` those whose names
 * hold a digest of their content. Beside a file may lie its forms compressed with brotli (`.br`) and gzip (`.gz`).
 */
export const WEB_FOLDER = inRepository("dist/ui");

/** The file in the folder of a build that holds the digest of its sources; no part of the application. */
export const STAMP = ".sources";

/** The file in the folder of a build that says which files each module needs; no part of the application. */
export const MANIFEST = ".manifest.json";

/** The folder of the application in which names change with the content, so that what was fetched stays right for ever. */
export const HASHED = "assets";
