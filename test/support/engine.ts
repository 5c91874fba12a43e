import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer } from "node:net";
import { dirname, join } from "node:path";

/** The package with the engine, which is optional: it has a build for one platform. */
export const ENGINE_PACKAGE = "@dynoxide/linux-x64";

/** True where the engine can be started. */
export function isEngineThere(): boolean {
  return findBinary() !== undefined;
}

/** Starts an engine on a free loopback port, with its database in a file or, without one, in memory; `stop` ends it cleanly. */
export async function startEngine(databaseFile?: string) {
  const found = findBinary();
  if (!found) throw new Error(`There is no ${ENGINE_PACKAGE}`);
  const { binary, version } = found;
  const port = await freePort();
  const address = ["--host", "127.0.0.1", "--port", String(port)];
  const args = ["serve", ...address, ...(databaseFile ? ["--db-path", databaseFile] : [])];
  const child = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilListening(child, port, () => said);
  return {
    name: `dynoxide ${version}`,
    endpoint: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function findBinary(): { readonly binary: string; readonly version: string } | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${ENGINE_PACKAGE}/package.json`);
    const binary = join(dirname(manifest), "dynoxide");
    accessSync(binary, constants.X_OK);
    return { binary, version: (require(manifest) as { version: string }).version };
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

const START_MS = 10_000;

async function untilListening(child: ChildProcess, port: number, said: () => string) {
  const until = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < until) {
    if (await answers(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill("SIGKILL");
  throw new Error(`the engine did not start: ${said().trim() || `exit code ${child.exitCode}`}`);
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isThere = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}
