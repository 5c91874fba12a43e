import { readFileSync } from "node:fs";
import { cwd, env } from "node:process";
import { ambient } from "../functions/ambient.ts";
import { BadSetting } from "./bad-setting.ts";
import { banner } from "./banner.ts";
import { folderIn } from "./data-files.ts";
import { prepareFolder } from "./data-folder.ts";
import { readSettings, type Settings } from "./settings.ts";
import { type LocalService, startLocalService } from "./start.ts";
import type { WebApplication } from "./web/web-application.ts";

/** Prints why and ends; 2 is the exit code for something the caller can change. */
function giveUp(error: unknown, before = ""): never {
  process.stderr.write(`${before}${error instanceof Error ? error.message : error}\n`);
  process.exit(error instanceof BadSetting ? 2 : 1);
}

/** Runs the service until a signal ends it. */
async function main(): Promise<void> {
  await prepareFolder(folderIn(env, cwd()));
  const settings = readSettings(env, cwd());
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
  const web = settings.web ? await webOf(settings) : undefined;
  service = await startLocalService(settings, {
    ambient,
    version: manifest.version,
    log: (line) => process.stdout.write(`${line}\n`),
    web,
  });
  process.stderr.write(banner(service, settings));
  if (web) setTimeout(() => web.begin(), BUILD_AFTER_MS).unref();
}

/** Milliseconds for which the first calls have the machine to themselves before a build begins. */
const BUILD_AFTER_MS = 1_000;

/** The web application of a service with these settings. */
async function webOf({ issuers }: Settings): Promise<WebApplication> {
  const { signInOrigins } = await import("../shared/identity/issuers/sign-in.ts");
  const { builtFiles, createWebApplication } = await import("./web/web-application.ts");
  return createWebApplication(builtFiles(), signInOrigins(issuers?.issuers ?? []), (reason) =>
    process.stderr.write(`${reason}\n`),
  );
}

main().catch((error: unknown) => giveUp(error));
