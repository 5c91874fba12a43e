import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inheritVariables } from "./run-program.ts";
import { createFolder } from "./temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: { start: string };
};

/** The arguments that `npm start` gives to Node.js. */
export const START: readonly string[] = manifest.scripts.start.split(" ").slice(1);

/** A service started as a user starts it, in a process of its own. */
export interface LocalProcess {
  readonly url: string;
  readonly pid: number;
  /** The text that the process has written to stderr. */
  said(): string;
  /** POSTs JSON to an action; status and body. */
  call(action: string, payload?: object, token?: string, headers?: Record<string, string>): Promise<Called>;
  /** Interrupts the process as Ctrl-C does; resolves with the exit code. */
  interrupt(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface Called {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every action
  readonly body: any;
}

/** Starts the service on a free port and waits for an answer; without the web application unless it is enabled. */
export async function startProcess(
  folder = createFolder(),
  environment: Record<string, string> = {},
  root = ROOT,
): Promise<LocalProcess> {
  const child = spawn(process.execPath, START, {
    cwd: root,
    env: { ...inheritVariables(), PORT: "0", METACTION_UI: "off", METACTION_DATA_DIR: folder, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await untilAnswering(child, () => said);
  return {
    url,
    pid: child.pid ?? 0,
    said: () => said,
    call: async (action, payload = {}, token, headers = {}) => {
      const response = await fetch(`${url}/api/${action}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...headers },
        body: JSON.stringify(payload),
      });
      return { status: response.status, body: await response.json() };
    },
    interrupt: () => {
      child.kill("SIGINT");
      return gone;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function untilAnswering(child: ChildProcess, said: () => string): Promise<string> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const url = /Metaction answers on (\S+)/.exec(said())?.[1];
    if (url) return url;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  throw new Error(`the service did not start: ${said()}`);
}

/** Makes the administrator with the secret the service printed, and answers a token. */
export async function becomeAdministrator(service: LocalProcess): Promise<string> {
  const secret = /"secret":"([^"]+)"/.exec(service.said())?.[1];
  const made = await service.call("auth/admin_bootstrap", { ...ADMINISTRATOR, secret });
  if (made.status !== 200) throw new Error(`bootstrap answered ${made.status}: ${JSON.stringify(made.body)}`);
  return made.body.access_token;
}

export const ADMINISTRATOR = {
  username: "admin",
  fullname: "First Administrator",
  password: "Violet-Harbor-7-Lantern",
};

/** A token of the administrator, after a restart on another port. */
export async function signIn(service: LocalProcess): Promise<string> {
  const { username, password } = ADMINISTRATOR;
  return (await service.call("auth/login", { username, password })).body.access_token;
}
