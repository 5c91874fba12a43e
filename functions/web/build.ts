import { rmSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "vite";
import { compressFolder } from "./compress.ts";
import { digestOfSources, INSIDE_LAYOUT, inRepository, isBuilt, MANIFEST, STAMP, WEB_FOLDER } from "./sources.ts";

/** The file with the licences of all that was built in. */
const LICENSES = "licenses.txt";

/**
 * Builds the web application into its folder, unless the build there is that of the same sources. The folder is exchanged
 * as a whole once the build is complete, so that several processes may build at once; rejects where vite fails.
 */
async function buildWeb(): Promise<void> {
  const digest = await digestOfSources();
  if (await isBuilt(digest)) return;
  await mkdir(dirname(WEB_FOLDER), { recursive: true });
  const unfinished = await mkdtemp(`${WEB_FOLDER}-`);
  const remove = (): void => rmSync(unfinished, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    await build({
      root: inRepository("ui"),
      configFile: inRepository("ui/vite.config.ts"),
      build: { outDir: unfinished, emptyOutDir: true, manifest: MANIFEST, license: { fileName: LICENSES } },
      logLevel: "warn",
    });
    await appendFile(join(unfinished, LICENSES), INSIDE_LAYOUT);
    await compressFolder(unfinished);
    await writeFile(join(unfinished, STAMP), digest);
    await exchange(unfinished, digest);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/** Puts a finished build in the place of the one before, unless another process has put the same there meanwhile. */
async function exchange(finished: string, digest: string): Promise<void> {
  const former = `${finished}-former`;
  await rename(WEB_FOLDER, former).catch(ignoreMissing);
  try {
    await rename(finished, WEB_FOLDER);
  } catch (error) {
    if (!(await isBuilt(digest))) throw error;
  } finally {
    await rm(former, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

// A process that is terminated removes its unfinished build only if it exits by itself.
process.once("SIGTERM", () => process.exit(143));
// The same sources give the same build in every environment.
process.env.NODE_ENV = "production";
await buildWeb();
