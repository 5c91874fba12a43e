#!/usr/bin/env node
/** The oldest major version of Node.js that has all the command needs. */
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `metaction needs Node.js ${OLDEST_NODE} or newer, and this is ${process.versions.node} (${process.execPath}); install a newer one: https://nodejs.org\n`,
  );
  process.exit(2);
}

// Taken, not imported: an import asks for every export of such a module, and that loads much of Node.js.
const { existsSync } = process.getBuiltinModule("node:fs");
const { enableCompileCache } = process.getBuiltinModule("node:module");

// In the repository the source runs, as local/main.js runs it; the package has what the build made of it.
const source = new URL("./main.ts", import.meta.url);
if (existsSync(source)) {
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  await (await import(source.href)).main();
} else {
  enableCompileCache();
  await (await import("../dist/cli/main.js")).main();
}
