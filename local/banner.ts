import type { Settings } from "./settings.ts";
import type { LocalService } from "./start.ts";

/** The text shown at the start: the engine, the data folder, and how to become the administrator. */
export function banner(service: LocalService, { folder, web }: Pick<Settings, "folder" | "web">): string {
  const { engine, bootstrapSecret } = service;
  const url = reachable(service.url);
  const lines = [`Metaction answers on ${url}`, `  runs on  ${engine}`, `  data in  ${folder}`, ""];
  if (bootstrapSecret === undefined) return lines.join("\n");
  const inBrowser = [
    "There is no administrator yet. Make one in the browser; the link works once:",
    "",
    firstRunLink(url, bootstrapSecret),
    "",
    "Or make one here (choose a better password), then sign in:",
  ];
  const here = ["There is no administrator yet. Make one (choose a better password), then sign in:"];
  return [
    ...lines,
    ...(web ? inBrowser : here),
    "",
    `curl -s -w '\\n' ${url}/api/auth/admin_bootstrap --json '${JSON.stringify({
      username: "admin",
      fullname: "First Administrator",
      password: "Correct-Horse-7-Battery",
      secret: bootstrapSecret,
    })}'`,
    "",
    `export TOKEN=$(curl -s ${url}/api/auth/login --json '{"username":"admin","password":"Correct-Horse-7-Battery"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    "",
    "",
  ].join("\n");
}

/** The address as a browser of this machine reaches it, also where the service listens on every address. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "http://localhost");
}

/** The address of the page that makes the administrator; a browser sends nobody what stands in a fragment. */
function firstRunLink(url: string, secret: string): string {
  return `${url}/first-run#secret=${encodeURIComponent(secret)}`;
}
