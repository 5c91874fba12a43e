import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// In a folder next to the code. JavaScript, because stripping types costs time at each start.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
await import("./main.ts");
