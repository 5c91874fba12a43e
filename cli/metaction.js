#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as loading from "node:module";
import { fileURLToPath } from "node:url";

// In the repository the source runs, as local/main.js runs it; the package has what the build made of it.
// Node 22 and newer keep code as they have compiled it.
const source = new URL("./main.ts", import.meta.url);
if (existsSync(source)) {
  loading.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
  await import(source.href);
} else {
  loading.enableCompileCache?.();
  await import("../dist/cli/main.js");
}
