import { enableCompileCache } from "node:module";
import { cwd, env } from "node:process";
import { BadSetting } from "./bad-setting.ts";
import { compiledIn, folderIn } from "./data-files.ts";
import { prepareFolder } from "./data-folder.ts";

/** Prints why and ends; 2 is the exit code for something the caller can change. */
function giveUp(error: unknown, before = ""): never {
  process.stderr.write(`${before}${error instanceof Error ? error.message : error}\n`);
  process.exit(error instanceof BadSetting ? 2 : 1);
}

async function main(): Promise<void> {
  const folder = folderIn(env, cwd());
  await prepareFolder(folder);
  // The cache lies where nobody else can change the code this process runs; modules loaded before this line are
  // compiled each time.
  enableCompileCache(compiledIn(folder));
  const { runService } = await import("./run-service.ts");
  await runService(env, cwd(), giveUp);
}

main().catch((error: unknown) => giveUp(error));
