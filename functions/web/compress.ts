import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

/** Fewest bytes of a file that is worth compressing. */
const LEAST_BYTES = 1_000;
/** Names of files that are compressed already, and of those that are never served. */
const AS_THEY_ARE = /^\.|\.(png|jpe?g|webp|woff2)$/;

/** Compresses each served file of a folder with brotli and gzip, as small as possible, into files next to it. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile() && !AS_THEY_ARE.test(one.name))) {
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (content.byteLength < LEAST_BYTES) continue;
    const sized = { [zlib.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: sized }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }));
  }
}
