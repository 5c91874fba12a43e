import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

/** A MariaDB server of one test file, which only listens on a socket in a new folder. */
export interface MariaDb {
  /** Runs a text as the client of MariaDB runs a file; throws with what it says. */
  run(text: string): string;
  /** The rows of a query that selects one JSON text. */
  rows<T>(query: string): readonly T[];
  /** The statements that create a database, as mariadb-dump writes them. */
  dump(database: string): string;
  stop(): Promise<void>;
}

const SERVER = "/usr/sbin/mariadbd";

/** Starts a server; fails where MariaDB is not installed (Debian: `mariadb-server`). */
export async function startMariaDb(): Promise<MariaDb> {
  if (!existsSync(SERVER)) throw new Error("MariaDB is not installed: apt-get install mariadb-server");
  const folder = mkdtempSync("/tmp/metaction-mariadb-");
  const socket = join(folder, "socket");
  const own = ["--no-defaults", `--datadir=${join(folder, "data")}`, `--user=${userInfo().username}`];
  const call = (program: string, args: readonly string[], input = "") => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      ...{ input, cwd: folder, encoding: "utf8", maxBuffer: 100_000_000 },
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
    return stdout;
  };
  call("mariadb-install-db", [...own, "--auth-root-authentication-method=normal", "--skip-test-db"]);
  // The data of a test need not survive the end of the server.
  const fast = ["--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync", "--innodb-file-per-table=0"];
  const options = [...fast, "--skip-networking", `--socket=${socket}`, `--pid-file=${join(folder, "pid")}`];
  const server = spawn(SERVER, [...own, ...options], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const at = ["--no-defaults", `--socket=${socket}`, "--user=root"];
  for (let i = 0; spawnSync("mariadb-admin", [...at, "ping"]).status !== 0; i++) {
    if (i === 300) throw new Error("MariaDB did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const client = [...at, "--default-character-set=utf8mb4", "--batch", "--raw", "--skip-column-names"];
  const run = (text: string) => call("mariadb", client, text);
  return {
    run,
    rows: (query) =>
      run(query)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    dump: (database) => call("mariadb-dump", [...at, "--no-data", "--databases", database]),
    stop: async () => {
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
