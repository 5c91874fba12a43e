import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { openDatabase } from "../local/sqlite/open-database.ts";
import { SQL_TABLE } from "../local/sqlite/statements.ts";
import { auditPartition } from "../shared/store/table/keys.ts";
import { becomeAdministrator, startProcess } from "../test/support/local-process.ts";
import { startBenchService } from "./bench-service.ts";
import { createLeanClient, type LeanClient } from "./lean-client.ts";
import { median } from "./median.ts";

const CLIENTS = 32;
const SECONDS = Number(process.env.METACTION_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.METACTION_BENCH_ROUNDS ?? 5);
const BODY = JSON.stringify({ id: "0".repeat(36), key: "e0", modelId: "0".repeat(36), name: null, attributes: [] });

/** A row of the table of the service. */
type Row = readonly SQLInputValue[];

/** Calls a second of the service and of its floor, in one round. */
interface Round {
  readonly service: number;
  readonly floor: number;
}

/**
 * Measures reads and writes of the local service as shares of their floors, alternating. The floor of reads is a `node:http`
 * server that answers a constant. The floor of writes is a transaction in SQLite, on disk when it returns, with the rows of one
 * create for each client: the service commits simultaneous writes together. Each client writes to its own model in both.
 */
export async function benchFloor(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-floor-"));
  const bare = await openBareDatabase(join(folder, "bare"));
  const constant = await startConstantServer();
  const service = await startProcess(join(folder, "service"));
  const clients = { service: createLeanClient(service.url), constant: createLeanClient(constant.url) };
  try {
    const call = await createModels(clients.service, await becomeAdministrator(service));
    const reads: Round[] = [];
    const writes: Round[] = [];
    let created = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const read = await countCalls((client) =>
        call("model/entity_get", { modelRef: `key:m${client}`, entityRef: "key:e0" }),
      );
      const constantRead = await countCalls(() => clients.constant.get("/"));
      const write = await countCalls((client) => {
        created += 1;
        return call("model/entity_create", { modelRef: `key:m${client}`, entityKey: `f${created}` });
      });
      const bareWrite = countBareCreates(bare.write);
      // The first round warms everything up.
      if (round === 0) continue;
      reads.push({ service: read, floor: constantRead });
      writes.push({ service: write, floor: bareWrite });
    }
    report({ reads, writes }, bare.rows.length);
  } finally {
    for (const client of Object.values(clients)) client.close();
    constant.process.kill();
    bare.close();
    await service.interrupt();
    await rm(folder, { recursive: true });
  }
}

function report(results: Readonly<Record<"reads" | "writes", readonly Round[]>>, rows: number): void {
  console.log(`${CLIENTS} clients; a create writes ${rows} rows; medians of ${ROUNDS} rounds of ${SECONDS} seconds`);
  const table = Object.entries(results).map(([calls, rounds]) => ({
    calls,
    "service, a second": Math.round(median(rounds.map(({ service }) => service))),
    "floor, a second": Math.round(median(rounds.map(({ floor }) => floor))),
    "floor / service": Math.round(median(rounds.map(({ service, floor }) => floor / service)) * 10) / 10,
  }));
  console.table(table);
  console.log(JSON.stringify({ bench: "floor", clients: CLIENTS, seconds: SECONDS, rounds: ROUNDS, rows, results }));
}

/** Creates a model for each client, with an entity to read, and returns how actions are called. */
async function createModels(client: LeanClient, token: string) {
  const call = (action: string, payload: object): Promise<string> => client.call(action, payload, token);
  for (let number = 0; number < CLIENTS; number += 1) {
    await call("model/model_create", { key: `m${number}`, name: `Model ${number}` });
    await call("model/entity_create", { modelRef: `key:m${number}`, entityKey: "e0" });
  }
  return call;
}

/** Returns how many calls a second all clients make together, each one after the other. */
async function countCalls(call: (client: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + SECONDS * 1_000;
  let count = 0;
  const run = async (client: number): Promise<void> => {
    while (performance.now() < until) {
      await call(client);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => run(client)));
  return count / SECONDS;
}

/** Returns how many creates a second the bare transactions hold. */
function countBareCreates(write: () => void): number {
  const until = performance.now() + SECONDS * 1_000;
  let count = 0;
  for (; performance.now() < until; count += CLIENTS) write();
  return count / SECONDS;
}

/** Opens a database with the schema and the durability of the service, with a transaction that writes one create for each client. */
async function openBareDatabase(folder: string) {
  await mkdir(folder);
  const rows = await readRowsOfCreate(folder);
  const database = openDatabase(join(folder, "bare.db"));
  const insert = database.prepare(
    `INSERT OR REPLACE INTO ${SQL_TABLE} (pk, sk, body, bytes, expires) VALUES (?, ?, ?, ?, ?)`,
  );
  let count = 0;
  const write = (): void => {
    database.exec("BEGIN IMMEDIATE");
    for (let client = 0; client < CLIENTS; client += 1) {
      count += 1;
      for (const [pk = null, sk = null, ...others] of rows) insert.run(`${pk}${client}`, `${sk}${count}`, ...others);
    }
    database.exec("COMMIT");
  };
  return { rows, write, close: () => database.close() };
}

/** Returns the rows that the creation of an entity adds or changes. */
async function readRowsOfCreate(folder: string): Promise<readonly Row[]> {
  const readRows = (): readonly Row[] => {
    const database = openDatabase(join(folder, "bench.db"));
    const statement = database.prepare(`SELECT pk, sk, body, bytes, expires FROM ${SQL_TABLE}`);
    statement.setReturnArrays(true);
    const rows = statement.all() as unknown as readonly Row[];
    database.close();
    return rows;
  };
  const run = async (action: string, payload: object): Promise<void> => {
    const bench = await startBenchService({ folder });
    await bench.run(action, payload);
    await bench.stop();
  };
  await run("model/model_create", { key: "m", name: "Model" });
  for (const entityKey of ["a", "b"]) await run("model/entity_create", { modelRef: "key:m", entityKey });
  const before = new Set(readRows().map((row) => JSON.stringify(row)));
  await run("model/entity_create", { modelRef: "key:m", entityKey: "c" });
  // The other rows are those of the sign-in.
  return readRows().filter((row) => !before.has(JSON.stringify(row)) && !String(row[0]).startsWith(auditPartition("")));
}

/** Starts a process that answers every request with the same body. */
async function startConstantServer(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = fork(import.meta.filename, ["constant"]);
  const [port] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}`, process: child };
}

if (import.meta.main && process.argv[2] === "constant") {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
  const server = createServer((_, response) => response.writeHead(200, headers).end(BODY));
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}
