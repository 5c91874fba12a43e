import { existsSync, readFileSync } from "node:fs";

/** The version of the package, which lies above the source and further above what is built of it. */
export function ownVersion(): string {
  const file = ["../package.json", "../../package.json"].map((path) => new URL(path, import.meta.url)).find(existsSync);
  return file ? String((JSON.parse(readFileSync(file, "utf8")) as { version: unknown }).version) : "unknown";
}
