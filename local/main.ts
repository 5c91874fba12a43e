import { readFileSync } from "node:fs";
import { cwd, env } from "node:process";
import { runService } from "./run-service.ts";
import { BadSetting } from "./sqlite/data-folder.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

const surroundings = {
  environment: env,
  workingFolder: cwd(),
  version: manifest.version,
  // The file that npm ci puts next to the source.
  command: "npx metaction",
};

runService(surroundings).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  // 2 is the exit code for something the caller can change.
  process.exit(error instanceof BadSetting ? 2 : 1);
});
