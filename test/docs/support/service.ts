import { spawn } from "node:child_process";
import type { ShellPlace } from "./shell.ts";

/** A service that commands of the page started in a shell of their own. */
export interface Started {
  /** The lines that the service had written to stderr when it answered. */
  readonly said: string;
  /** Presses Ctrl-C in the shell of the service; throws where the service does not end cleanly. */
  stop(): Promise<void>;
}

/** True for a block that starts the service and stays with it. */
export function startsService(commands: string): boolean {
  return /\bnpm start$/m.test(commands);
}

/** True for a block that works on the data of a service that has been ended. */
export function needsServiceStopped(commands: string): boolean {
  return /\bnpm run (?:-s )?(?:fsck|keys:rotate|admin:reopen)\b/.test(commands);
}

/** Runs the commands but for `npm ci`, which has been run where tests run, and waits until the service answers. */
export async function startService(commands: string, { root, environment }: ShellPlace): Promise<Started> {
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
  const stop = async (): Promise<void> => {
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
