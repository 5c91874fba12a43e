import { readFileSync } from "node:fs";
import { ambient } from "../functions/ambient.ts";
import { banner } from "./banner.ts";
import { readSettings } from "./settings.ts";
import { type LocalService, startLocalService } from "./start.ts";

/** Runs the service of an environment until a signal ends it. `giveUp` prints an error after some words and ends the process. */
export async function runService(
  environment: NodeJS.ProcessEnv,
  workingFolder: string,
  giveUp: (error: unknown, before: string) => never,
): Promise<void> {
  const settings = readSettings(environment, workingFolder);
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
      (error: unknown) => giveUp(error, "It could not be stopped cleanly: "),
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
