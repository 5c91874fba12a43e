import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Builds the web application once per run, unless the build there is that of the same sources. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, ["packaging/web/build.ts"], {
    cwd: join(import.meta.dirname, "../../.."),
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the web application could not be built");
}
