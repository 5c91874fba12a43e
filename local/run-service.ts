import { ambient } from "../functions/ambient.ts";
import { banner } from "./banner.ts";
import { folderIn } from "./data-files.ts";
import { prepareFolder } from "./data-folder.ts";
import { readSettings, type Settings } from "./settings.ts";
import { type LocalService, startLocalService } from "./start.ts";
import type { WebApplication } from "./web/web-application.ts";

/** What the entry point of a process that is the service gives to it. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly version: string;
  /** The words that run the command line beside it. */
  readonly command: string;
}

/** Milliseconds for which the first calls have the machine to themselves before a build begins. */
const BUILD_AFTER_MS = 1_000;

/** Runs the service in this process, and ends the process at a signal. Rejects where it cannot start; `BadSetting`. */
export async function runService(surroundings: Surroundings): Promise<never> {
  const { environment, workingFolder, version } = surroundings;
  await prepareFolder(folderIn(environment, workingFolder));
  const settings = readSettings(environment, workingFolder);
  let service: LocalService | undefined;
  let stopping = false;
  const stop = (): void => {
    // The second Ctrl-C means it.
    if (stopping) process.exit(130);
    stopping = true;
    process.stderr.write("Stopping...\n");
    Promise.resolve(service?.stop()).then(
      () => process.exit(0),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : error;
        process.stderr.write(`It could not be stopped cleanly: ${reason}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const web = settings.web ? await webOf(settings) : undefined;
  service = await startLocalService(settings, {
    ambient,
    version,
    log: (line) => process.stdout.write(`${line}\n`),
    web,
  });
  process.stderr.write(banner(service, settings, surroundings));
  if (web) setTimeout(() => web.begin(), BUILD_AFTER_MS).unref();
  return new Promise(() => undefined);
}

/** The web application of a service with these settings. */
async function webOf({ issuers }: Settings): Promise<WebApplication> {
  const { signInOrigins } = await import("../shared/identity/issuers/sign-in.ts");
  const { builtFiles } = await import("./web/built-files.ts");
  const { createWebApplication } = await import("./web/web-application.ts");
  return createWebApplication(builtFiles(), signInOrigins(issuers?.issuers ?? []), (reason) =>
    process.stderr.write(`${reason}\n`),
  );
}
