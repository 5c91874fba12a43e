import { readFileSync } from "node:fs";
import { ambient } from "../functions/ambient.ts";
import { banner } from "./banner.ts";
import { BadSetting, readSettings } from "./settings.ts";
import { type LocalService, startLocalService } from "./start.ts";

/** Prints a sentence and ends; 2 is the exit code for something the caller can change. */
function giveUp(sentence: string, code: number): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

async function main(): Promise<void> {
  const settings = readSettings(process.env, process.cwd());
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  let service: LocalService | undefined;
  let stopping = false;
  const stop = (): void => {
    // The second Ctrl-C means it.
    if (stopping) process.exit(130);
    stopping = true;
    process.stderr.write("Stopping...\n");
    Promise.resolve(service?.stop()).then(
      () => process.exit(0),
      (error: unknown) => giveUp(`It could not be stopped cleanly: ${sentenceOf(error)}`, 1),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  service = await startLocalService(settings, {
    ambient,
    version: manifest.version,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  process.stderr.write(banner(service, settings.folder));
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().catch((error: unknown) => {
  giveUp(sentenceOf(error), error instanceof BadSetting ? 2 : 1);
});
