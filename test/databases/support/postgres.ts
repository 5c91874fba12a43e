import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

/** A PostgreSQL server of one test file, which listens on a socket in a folder of its own and nowhere else. */
export interface Postgres {
  /** Runs a text as psql runs a file; throws with what psql says. */
  run(database: string, text: string): string;
  rows<T>(database: string, query: string): readonly T[];
  /** The statements that make the database anew, as pg_dump writes them. */
  dump(database: string): string;
  stop(): Promise<void>;
}

const VERSIONS = "/usr/lib/postgresql";

/** Starts a server; fails where PostgreSQL is not installed (Debian: `postgresql`). */
export async function startPostgres(): Promise<Postgres> {
  const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] : undefined;
  if (version === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const bin = join(VERSIONS, version, "bin");
  const folder = mkdtempSync("/tmp/metaction-pg-");
  // PostgreSQL refuses to run as root.
  const owner = userInfo().uid === 0 ? ownerOf() : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  const data = join(folder, "data");
  const call = (program: string, args: readonly string[], input = "") => {
    const { status, stdout, stderr, error } = spawnSync(join(bin, program), args, {
      ...{ input, cwd: folder, encoding: "utf8", maxBuffer: 100_000_000 },
      ...(program === "initdb" ? owner : {}),
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
    return stdout;
  };
  call("initdb", ["-D", data, "-U", "postgres", "--no-sync", "-A", "trust", "-E", "UTF8", "--no-locale"]);
  const server = spawn(join(bin, "postgres"), ["-D", data, "-k", folder, "-c", "listen_addresses=", "-F"], {
    ...owner,
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const at = ["-h", folder, "-U", "postgres"];
  for (let i = 0; spawnSync(join(bin, "pg_isready"), at).status !== 0; i++) {
    if (i === 300) throw new Error("PostgreSQL did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const run = (database: string, text: string) =>
    call("psql", [...at, "-d", database, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], text);
  return {
    run,
    rows: (database, query) => JSON.parse(run(database, `select coalesce(json_agg(r), '[]') from (${query}) r`)),
    dump: (database) => call("pg_dump", [...at, "-d", database, "--schema-only"]),
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function ownerOf(): { readonly uid?: number; readonly gid?: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}
