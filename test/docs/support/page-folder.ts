import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShellPlace } from "./shell.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** A folder and an environment to run a page in, and the page as it reads there. */
export interface ReadyPage {
  readonly page: string;
  readonly place: ShellPlace;
}

/** The folder with an `npx` that runs our command without npm. */
export const SHORT_NPX = join(ROOT, "test/support/bin");

/**
 * The repository with a data folder and ports of its own: of the page, only the folder `.metaction/` and the ports of
 * the service (8080) and of the file server (8081) are replaced. `npx` is npm's own unless `shortNpx`.
 */
export async function preparePage(page: string, { shortNpx = false } = {}): Promise<ReadyPage> {
  const scratch = await mkdtemp(join(tmpdir(), "metaction-readme-"));
  const folder = join(scratch, "service");
  const ports = await freePorts(2);
  return {
    page: page
      .replace(/\b808([01])\b/g, (_, which: string) => String(ports[Number(which)]))
      .replaceAll(".metaction/", `${folder}/`),
    place: {
      root: ROOT,
      scratch,
      environment: {
        PATH: shortNpx ? `${SHORT_NPX}:${process.env.PATH}` : process.env.PATH,
        // The files that commands keep in a user's home folder stay in the test's.
        HOME: scratch,
        NO_UPDATE_NOTIFIER: "1",
        PORT: String(ports[0]),
        METACTION_DATA_DIR: folder,
        METACTION_URL: `http://127.0.0.1:${ports[0]}`,
      },
    },
  };
}

/** Different ports that nobody listens on. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
