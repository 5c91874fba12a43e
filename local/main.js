import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Next to the code, which anyone who may write there can change anyway. Plain JavaScript, because the types of what is
// loaded before this line are stripped at each start, which takes longer than the rest of it.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
await import("./main.ts");
