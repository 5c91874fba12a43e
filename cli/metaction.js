#!/usr/bin/env node
/** The oldest major version of Node.js that the command supports. */
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `metaction needs Node.js ${OLDEST_NODE} or newer; this is ${process.versions.node} (${process.execPath}). Install a newer one: https://nodejs.org\n`,
  );
  process.exit(2);
}

// Not imported: an import evaluates every export of the module, which loads much of Node.js.
const { existsSync } = process.getBuiltinModule("node:fs");
const { enableCompileCache } = process.getBuiltinModule("node:module");

// In the repository the source runs, as in local/main.js; the package contains the built file.
const source = new URL("./main.ts", import.meta.url);
if (existsSync(source)) {
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  await (await import(source.href)).main();
} else {
  enableCompileCache();
  await (await import("../dist/cli/main.js")).main();
}
