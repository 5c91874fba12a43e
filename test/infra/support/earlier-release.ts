import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { FunctionName } from "../../../functions/bundle.ts";
import { createFolder } from "../../support/temporary-folder.ts";

/** Commit of the release before the one that first reads format versions. */
export const EARLIER_COMMIT = "4ccdfeb5";

/** Its functions, made by `pack-release.ts`. */
export const EARLIER_FIXTURE = new URL(`../fixtures/release-${EARLIER_COMMIT}.json.br`, import.meta.url);

/** The files of each function by name. */
export type ReleaseFiles = Readonly<Record<FunctionName, Readonly<Record<string, string>>>>;

/** Unpacks the functions of the earlier release; returns a function that returns the folder of each. */
export function unpackEarlierRelease(): (name: FunctionName) => string {
  const release: ReleaseFiles = JSON.parse(brotliDecompressSync(readFileSync(EARLIER_FIXTURE)).toString("utf8"));
  const parent = createFolder();
  for (const [name, files] of Object.entries(release)) {
    mkdirSync(join(parent, name));
    for (const [file, code] of Object.entries(files)) writeFileSync(join(parent, name, file), code);
  }
  return (name) => join(parent, name);
}
