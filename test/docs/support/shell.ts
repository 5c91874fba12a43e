import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One session of a shell, as a reader has it open. */
export interface Shell {
  /** Runs a block and answers what it printed, both streams together; `failed` when one of its commands did. */
  run(commands: string): Promise<{ readonly printed: string; readonly failed: boolean }>;
  /** Ends the session and whatever it left running. */
  close(): Promise<void>;
}

export interface ShellPlace {
  readonly root: string;
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens a session of `sh`; it ends at the first command that fails, so that no failure hides behind the next command. */
export function openShell({ root, scratch, environment }: ShellPlace): Shell {
  // A group of its own, so that what runs in the background can be ended with it.
  const child = spawn("sh", ["-e"], { cwd: root, env: environment, stdio: "pipe", detached: true });
  // Writing to a session that a failed command ended must not end the test with it.
  child.stdin.on("error", () => undefined);
  let printed = "";
  let ended = false;
  let look = () => undefined;
  const take = (chunk: Buffer) => {
    printed += chunk.toString("utf8");
    look();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      ended = true;
      resolve();
      // The last output may come after the end.
      setTimeout(() => look(), 50);
    });
  });
  let blocks = 0;
  return {
    run: async (commands) => {
      blocks += 1;
      const file = join(scratch, `block-${blocks}.sh`);
      await writeFile(file, commands);
      const mark = `--- ${randomUUID()} ---`;
      printed = "";
      const over = new Promise<void>((resolve) => {
        look = () => {
          if (ended || printed.includes(mark)) resolve();
        };
      });
      child.stdin.write(`. '${file}' </dev/null 2>&1\nprintf '%s' '${mark}'\n`);
      look();
      await over;
      const end = printed.indexOf(mark);
      return { printed: end < 0 ? printed : printed.slice(0, end), failed: end < 0 };
    },
    close: async () => {
      child.stdin.end();
      if (child.pid !== undefined) endGroup(child.pid);
      await gone;
    },
  };
}

function endGroup(leader: number) {
  try {
    process.kill(-leader, "SIGTERM");
  } catch {
    // The group has gone, because every process in it has ended by itself.
  }
}
