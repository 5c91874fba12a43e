import { spawn } from "node:child_process";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Ended, runToEnd } from "../../cli/support/command.ts";
import { createFolder } from "../../support/temporary-folder.ts";

export interface Going {
  /** Resolves with the first match of what it writes to stderr; rejects with all it said where it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and answers the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A machine on which there is Node.js with npm, and nothing else. */
export interface BareMachine {
  /** An empty folder, and the home of its user. */
  readonly folder: string;
  run(command: string, args: readonly string[], given?: { readonly stdin?: string }): Promise<Ended>;
  begin(command: string, args: readonly string[], environment?: Readonly<Record<string, string>>): Going;
}

/** Makes such a machine; of the environment of the tests it has nothing. */
export async function bareMachine(): Promise<BareMachine> {
  const folder = createFolder();
  const bin = join(folder, ".bin");
  await mkdir(bin);
  await symlink(process.execPath, join(bin, "node"));
  for (const name of ["npm", "npx"]) await symlink(await onPath(name), join(bin, name));
  // Nothing may be asked for: no registry is there.
  await writeFile(join(folder, ".npmrc"), "offline=true\nupdate-notifier=false\nfund=false\naudit=false\n");
  const env = { PATH: `${join(folder, "node_modules/.bin")}${delimiter}${bin}`, HOME: folder, TMPDIR: tmpdir() };
  return {
    folder,
    run: (command, args, { stdin = "" } = {}) => runToEnd(command, args, env, { stdin, cwd: folder }),
    begin: (command, args, environment) => {
      // Node.js looks for a command on the path of the environment it gives.
      const child = spawn(command, args, { cwd: folder, env: { ...env, ...environment }, stdio: "pipe" });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
      });
      const gone = new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      return {
        says: (pattern) =>
          new Promise((resolve, reject) => {
            const look = () => {
              const found = pattern.exec(said);
              if (found) resolve(found);
            };
            child.stderr.on("data", look);
            look();
            gone.then(() => reject(new Error(`it ended: ${said}`)), reject);
          }),
        end: (signal) => {
          child.kill(signal);
          return gone;
        },
      };
    },
  };
}

async function onPath(name: string): Promise<string> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = await realpath(join(folder, name)).catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`there is no ${name}`);
}
