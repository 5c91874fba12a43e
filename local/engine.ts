import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";

/** A running embedded DynamoDB engine. */
export interface Engine {
  /** For example "dynoxide 1.2.1 (embedded)". */
  readonly name: string;
  readonly endpoint: string;
  readonly pid: number;
  /** Called when the engine ends without having been stopped. */
  onExit(listener: (code: number | null) => void): void;
  /** Ends it cleanly; resolves when it is gone. */
  stop(): Promise<void>;
}

/** The engine is not there for this platform; the message is one sentence that says what to set instead. */
export class NoEngine extends Error {}

const PACKAGE = "@dynoxide/linux-x64";

/** Starts the embedded engine on a free loopback port, with its database in a file or, without one, in memory. */
export async function startEngine(databaseFile?: string): Promise<Engine> {
  const { binary, version } = findBinary();
  const port = await freePort();
  const args = [
    "serve",
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    ...(databaseFile ? ["--db-path", databaseFile] : []),
  ];
  // A group of its own: Ctrl-C reaches the service alone, which then stops the engine after its last write.
  const child = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  const listeners: ((code: number | null) => void)[] = [];
  let stopping = false;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      resolve();
      if (!stopping) for (const listener of listeners) listener(code);
    });
  });
  await untilListening(child, port, () => said);
  return {
    name: `dynoxide ${version} (embedded)`,
    endpoint: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    onExit: (listener) => listeners.push(listener),
    stop: async () => {
      stopping = true;
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function findBinary(): { binary: string; version: string } {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${PACKAGE}/package.json`);
    const binary = join(dirname(manifest), "dynoxide");
    accessSync(binary, constants.X_OK);
    return { binary, version: (require(manifest) as { version: string }).version };
  } catch {
    throw new NoEngine(
      `There is no embedded engine for ${process.platform} ${process.arch}: set METACTION_DYNAMODB_ENDPOINT to a DynamoDB, for example DynamoDB Local on http://127.0.0.1:8000.`,
    );
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === "object") resolve(address.port);
        else reject(new Error("no free port"));
      });
    });
  });
}

const START_MS = 10_000;

async function untilListening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  const until = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < until) {
    if (await answers(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill("SIGKILL");
  throw new Error(`the embedded engine did not start: ${said().trim() || `exit code ${child.exitCode}`}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
