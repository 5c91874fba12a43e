import { spawn } from "node:child_process";
import { join } from "node:path";
import { serve } from "../../formats/source-server.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { createComparison } from "./comparison.ts";
import { openShell, type ShellPlace } from "./shell.ts";
import { type Block, stepsOf } from "./steps.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** An output that the page shows, and the output that came. */
export interface Recorded {
  readonly shown: Block;
  readonly came: string;
}

export interface PageRun {
  /** The differences of page and run, each with the line of the page; empty where the page says the truth. */
  readonly differences: readonly string[];
  readonly recorded: readonly Recorded[];
}

/** The folder with an `npx` that runs our command without npm. */
export const SHORT_NPX = join(ROOT, "test/support/bin");

/** Runs a page with its own data folder and ports. `npx` is npm's own unless `shortNpx`. */
export async function runPage(page: string, { shortNpx = false } = {}): Promise<PageRun> {
  const scratch = createFolder();
  const folder = join(scratch, "service");
  const servers = [await serve(() => undefined), await serve(() => undefined)];
  const ports = servers.map(({ port }) => String(port));
  for (const { close } of servers) await close();
  const text = page
    .replace(/\b808([01])\b/g, (_, which: string) => ports[Number(which)] ?? "")
    .replaceAll(".metaction/", `${folder}/`);
  const environment = {
    PATH: shortNpx ? `${SHORT_NPX}:${process.env.PATH}` : process.env.PATH,
    // The files that commands keep in a user's home folder stay in the test's.
    HOME: scratch,
    NO_UPDATE_NOTIFIER: "1",
    PORT: ports[0],
    METACTION_DATA_DIR: folder,
    METACTION_URL: `http://127.0.0.1:${ports[0]}`,
  };
  return runIn(text, { root: ROOT, scratch, environment });
}

/** Runs the commands of a page in one shell, services in others, and stops at the first failure. */
async function runIn(page: string, place: ShellPlace): Promise<PageRun> {
  const comparison = createComparison();
  const differences: string[] = [];
  const recorded: Recorded[] = [];
  const shell = openShell(place);
  let service: Started | undefined;
  try {
    for (const { commands, line, shown } of stepsOf(page)) {
      let printed: string;
      if (startsService(commands) || needsServiceStopped(commands)) {
        await service?.stop();
        service = undefined;
      }
      if (startsService(commands)) {
        service = await startService(commands, place);
        // The lines before are npm's own and depend on the machine.
        printed = service.said.slice(service.said.indexOf("Metaction answers on"));
      } else {
        const ran = await shell.run(commands);
        printed = ran.printed;
        if (ran.failed) {
          differences.push(`line ${line}: a command fails: ${printed.trim()}`);
          break;
        }
      }
      if (!shown) continue;
      recorded.push({ shown, came: printed });
      const difference = comparison.difference(shown, printed);
      if (difference !== undefined) differences.push(`line ${shown.line}: ${difference}`);
    }
  } finally {
    await shell.close();
    await service?.stop();
  }
  return { differences, recorded };
}

interface Started {
  /** The lines that the service had written to stderr when it answered. */
  readonly said: string;
  /** Presses Ctrl-C in the shell of the service; throws where the service does not end cleanly. */
  stop(): Promise<void>;
}

function startsService(commands: string): boolean {
  return /\bnpm start$/m.test(commands);
}

function needsServiceStopped(commands: string) {
  return /\bnpm run (?:-s )?(?:fsck|keys:rotate|admin:reopen)\b/.test(commands);
}

/** Runs the commands but for `npm ci`, which has been run where tests run, and waits until the service answers. */
async function startService(commands: string, { root, environment }: ShellPlace): Promise<Started> {
  const script = commands.replace(/^npm ci(?:\n| && )/m, "");
  const child = spawn("sh", ["-ec", script], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const leader = child.pid;
  if (leader === undefined) throw new Error("sh could not be started");
  let said = "";
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const answers = new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/Metaction answers on .*\n/.test(said)) resolve();
    });
  });
  const outcome = await Promise.race([answers, gone, passed(20_000)]);
  const stop = async () => {
    process.kill(-leader, "SIGINT");
    await gone;
    if (!said.includes("Stopping...")) throw new Error(`the service did not stop cleanly: ${said}`);
  };
  if (outcome !== undefined) {
    if (outcome === "late") await stop();
    throw new Error(`the service did not start: ${said}`);
  }
  return { said, stop };
}

function passed(ms: number): Promise<"late"> {
  return new Promise((resolve) => setTimeout(() => resolve("late"), ms).unref());
}
