import type { LocalService } from "./start.ts";

/** The text shown at the start: the engine, the data folder, and how to become the administrator. */
export function banner(service: LocalService, folder: string): string {
  const { url, engine, bootstrapSecret } = service;
  const lines = [`Metaction answers on ${url}`, `  runs on  ${engine}`, `  data in  ${folder}`, ""];
  if (bootstrapSecret === undefined) return lines.join("\n");
  return [
    ...lines,
    "There is no administrator yet. Make one (choose a better password), then sign in:",
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
