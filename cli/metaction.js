#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as loading from "node:module";

// In the repository the source runs; the package has what the build made of it.
const source = new URL("./main.ts", import.meta.url);
if (existsSync(source)) {
  await import(source.href);
} else {
  // Node 22 and newer.
  loading.enableCompileCache?.();
  await import("../dist/cli/main.js");
}
