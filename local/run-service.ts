import { join, relative } from "node:path";
import { listSignInOrigins } from "../shared/identity/issuers/sign-in.ts";
import { runtime } from "../shared/service/runtime.ts";
import { readSettings, type Settings } from "./settings.ts";
import { FILES, prepareFolder, resolveFolder } from "./sqlite/data-folder.ts";
import { type LocalService, startLocalService } from "./start.ts";
import type { WebApplication } from "./web/web-application.ts";
import { createWebApplication } from "./web/web-application.ts";

/** The facts that the entry point of a service process knows. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly version: string;
  /** The words that run the command line of the same installation. */
  readonly command: string;
}

/** Milliseconds before a build begins, so that the first calls do not wait for it. */
const BUILD_AFTER_MS = 1_000;

/** Runs the service until a signal ends the process. Throws `BadSetting`. */
export async function runService(surroundings: Surroundings): Promise<never> {
  const { environment, workingFolder, version } = surroundings;
  await prepareFolder(resolveFolder(environment, workingFolder));
  const settings = readSettings(environment, workingFolder);
  let service: LocalService | undefined;
  let stopping = false;
  const stop = () => {
    // A second Ctrl-C ends the process at once.
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
  const web = settings.web ? await createWeb(settings) : undefined;
  service = await startLocalService(settings, {
    runtime,
    version,
    log: (line) => process.stdout.write(`${line}\n`),
    web,
  });
  process.stderr.write(formatBanner(service, settings, surroundings));
  if (web) setTimeout(() => web.begin(), BUILD_AFTER_MS).unref();
  return new Promise(() => undefined);
}

async function createWeb({ issuers }: Settings): Promise<WebApplication> {
  const { createBuiltFiles } = await import("./web/build-apart.ts");
  return createWebApplication(createBuiltFiles(), listSignInOrigins(issuers?.issuers ?? []), (reason) =>
    process.stderr.write(`${reason}\n`),
  );
}

interface Caller {
  readonly command: string;
  readonly workingFolder: string;
}

function formatBanner(service: LocalService, { folder, web }: Pick<Settings, "folder" | "web">, caller: Caller) {
  const { engine, bootstrapSecret } = service;
  const url = findReachableUrl(service.url);
  const lines = [`Metaction answers on ${url}`, `  runs on  ${engine}`, `  data in  ${folder}`, ""];
  if (bootstrapSecret === undefined) return lines.join("\n");
  const account = `{"username":"admin","fullname":"First Administrator","password":"'"$PASSWORD"'","secret":"${bootstrapSecret}"}`;
  return [
    ...lines,
    "There is no administrator yet. Become it in a second shell, which asks for a name and a password and signs you in:",
    "",
    formatInitCommand(url, folder, caller),
    "",
    ...(web ? ["Or in the browser; the link works once:", "", formatFirstRunLink(url, bootstrapSecret), ""] : []),
    "Or over HTTP, with a generated password in a variable:",
    "",
    "PASSWORD=$(head -c 18 /dev/urandom | base64)",
    `curl -s -w '\\n' ${url}/api/auth/admin_bootstrap --json '${account}'`,
    "",
    "",
  ].join("\n");
}

/** Formats the command that creates the administrator. It finds the secret in the usual folder. */
function formatInitCommand(url: string, folder: string, { command, workingFolder }: Caller) {
  const init = `${command} init --url=${url}`;
  if (relative(join(workingFolder, ".metaction"), folder) === "") return init;
  const secret = `--secret=@${FILES.bootstrapSecret(folder)}`;
  return `${init} ${/^[\w./=@:-]+$/.test(secret) ? secret : `'${secret.replaceAll("'", "'\\''")}'`}`;
}

/** Returns an address that browsers of this machine reach. */
function findReachableUrl(url: string) {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "http://localhost");
}

/** Returns the address of the page that creates the administrator. The fragment is never sent to the server. */
function formatFirstRunLink(url: string, secret: string) {
  return `${url}/first-run#secret=${encodeURIComponent(secret)}`;
}
