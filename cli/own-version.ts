import { readFile } from "node:fs/promises";

/** The version of the package, which lies above the source and further above what is built of it. */
export async function ownVersion(): Promise<string> {
  for (const path of ["../package.json", "../../package.json"]) {
    const text = await readFile(new URL(path, import.meta.url), "utf8").catch(() => undefined);
    if (text !== undefined) return String((JSON.parse(text) as { version: unknown }).version);
  }
  return "unknown";
}
