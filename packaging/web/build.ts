import { rmSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { build } from "vite";
import {
  computeSourceDigest,
  INSIDE_LAYOUT,
  isBuilt,
  MANIFEST,
  resolveInRepository,
  STAMP,
  WEB_FOLDER,
} from "./sources.ts";

/** Minimum bytes of a file that is compressed. */
const LEAST_BYTES = 1_000;
/** Names of files that are compressed already, and of files that are never served. */
const AS_THEY_ARE = /^\.|\.(png|jpe?g|webp|woff2)$/;

const LICENSES = "licenses.txt";

/** Builds the web application if needed. Replaces the folder at once, because several processes may build. */
async function buildWeb() {
  const digest = computeSourceDigest();
  if (await isBuilt(digest)) return;
  await mkdir(dirname(WEB_FOLDER), { recursive: true });
  const draft = await mkdtemp(`${WEB_FOLDER}-`);
  const remove = () => rmSync(draft, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    await build({
      root: resolveInRepository("ui"),
      configFile: resolveInRepository("ui/vite.config.ts"),
      build: { outDir: draft, emptyOutDir: true, manifest: MANIFEST, license: { fileName: LICENSES } },
      logLevel: "warn",
    });
    await appendFile(join(draft, LICENSES), INSIDE_LAYOUT);
    await compressFolder(draft);
    await writeFile(join(draft, STAMP), digest);
    await replaceBuild(draft, digest);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/** Replaces the previous build by a finished one, unless another process has done so meanwhile. */
async function replaceBuild(folder: string, digest: string) {
  const former = `${folder}-former`;
  await rename(WEB_FOLDER, former).catch(ignoreMissing);
  try {
    await rename(folder, WEB_FOLDER);
  } catch (error) {
    if (!(await isBuilt(digest))) throw error;
  } finally {
    await rm(former, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOENT") throw error;
}

/** Compresses each served file of a folder with brotli and gzip into files next to it. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile() && !AS_THEY_ARE.test(one.name))) {
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (content.byteLength < LEAST_BYTES) continue;
    const hint = { [zlib.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: hint }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }));
  }
}

if (import.meta.main) {
  // A process that is terminated removes its unfinished build only if it exits by itself.
  process.once("SIGTERM", () => process.exit(143));
  // The same sources give the same build in every environment.
  process.env.NODE_ENV = "production";
  await buildWeb();
}
