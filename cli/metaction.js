#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as loading from "node:module";
import { fileURLToPath } from "node:url";

/** The oldest major version of Node.js that has all the command needs. */
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `metaction needs Node.js ${OLDEST_NODE} or newer, and this is ${process.versions.node} (${process.execPath}); install a newer one: https://nodejs.org\n`,
  );
  process.exit(2);
}

// In the repository the source runs, as local/main.js runs it; the package has what the build made of it.
const source = new URL("./main.ts", import.meta.url);
if (existsSync(source)) {
  loading.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  await import(source.href);
} else {
  loading.enableCompileCache();
  await import("../dist/cli/main.js");
}
