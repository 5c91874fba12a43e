import { spawn } from "node:child_process";

/** Exit codes of a shell that could not run a command. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

/** Shows a text in a pager until it is closed; false where there is no such command. */
export function paged(text: string, command: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const env = { LESS: "FRX", ...environment };
  const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env });
  // Whoever closes the pager has read enough.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(!NOT_RUN.has(code)));
  });
}
