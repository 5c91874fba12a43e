import { join, relative } from "node:path";
import { FILES } from "./data-files.ts";
import type { Settings } from "./settings.ts";
import type { LocalService } from "./start.ts";

/** How whoever started the service calls the command line, and where. */
export interface Caller {
  /** The words that run the command line. */
  readonly command: string;
  readonly workingFolder: string;
}

/** The text shown at the start: the engine, the data folder, and how to become the administrator. */
export function banner(
  service: LocalService,
  { folder, web }: Pick<Settings, "folder" | "web">,
  caller: Caller,
): string {
  const { engine, bootstrapSecret } = service;
  const url = reachable(service.url);
  const lines = [`Metaction answers on ${url}`, `  runs on  ${engine}`, `  data in  ${folder}`, ""];
  if (bootstrapSecret === undefined) return lines.join("\n");
  const account = {
    username: "admin",
    fullname: "First Administrator",
    password: "Correct-Horse-7-Battery",
    secret: bootstrapSecret,
  };
  return [
    ...lines,
    "There is no administrator yet. Become it in a second shell, which asks for a name and a password and signs you in:",
    "",
    initCommand(url, folder, caller),
    "",
    ...(web ? ["Or in the browser; the link works once:", "", firstRunLink(url, bootstrapSecret), ""] : []),
    "Or over HTTP (choose a better password):",
    "",
    `curl -s -w '\\n' ${url}/api/auth/admin_bootstrap --json '${JSON.stringify(account)}'`,
    "",
    "",
  ].join("\n");
}

/** The command that makes the administrator; it finds the secret by itself where the data folder has its usual place. */
function initCommand(url: string, folder: string, { command, workingFolder }: Caller): string {
  const init = `${command} init --url=${url}`;
  if (relative(join(workingFolder, ".metaction"), folder) === "") return init;
  const secret = `--secret=@${FILES.bootstrapSecret(folder)}`;
  return `${init} ${/^[\w./=@:-]+$/.test(secret) ? secret : `'${secret.replaceAll("'", "'\\''")}'`}`;
}

/** The address as a browser of this machine reaches it, also where the service listens on every address. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "http://localhost");
}

/** The address of the page that makes the administrator; a browser sends nobody what stands in a fragment. */
function firstRunLink(url: string, secret: string): string {
  return `${url}/first-run#secret=${encodeURIComponent(secret)}`;
}
