import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteTable } from "../local/sqlite/table.ts";
import { type Answer, type Controls, NO_CONTROLS, toUnreadPayload } from "../shared/actions/contract/call.ts";
import type { Service } from "../shared/actions/pipeline/call-context.ts";
import { createImporter } from "../shared/formats/importer.ts";
import { openKeyFile } from "../shared/identity/tokens/file-keys.ts";
import type { FileIndex } from "../shared/search/file-index.ts";
import { createService } from "../shared/service/create-service.ts";
import { runtime as ownRuntime } from "../shared/service/runtime.ts";
import { createAccountStore } from "../shared/store/accounts/account-store.ts";
import { createStore } from "../shared/store/model-store.ts";
import type { Table } from "../shared/store/table/table.ts";
import { dispatchNamed } from "../test/support/dispatch-named.ts";
import { createChain } from "./call-chain.ts";

/** Start of each run. The costs of some reads depend on the day of the month, since the audit log has a partition a month. */
const START = Date.parse("2026-03-15T12:00:00.000Z");
const begunAt = ownRuntime.now();
const runtime = { ...ownRuntime, now: () => START + ownRuntime.now() - begunAt };

/** A service on a new table whose store calls are counted. */
export interface BenchService {
  readonly service: Service;
  readonly table: Table;
  readonly count: Count;
  /** Returns the search index in the file of the service. */
  readonly searches: () => Promise<FileIndex>;
  /** Runs an action as the administrator. */
  run(action: string, payload?: object, controls?: Partial<Controls>): Promise<Answer>;
  stop(): Promise<void>;
}

/** Cost of the store calls since `reset`. */
export interface Count {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: number;
  /** Length of the longest chain of calls that waited for each other. */
  readonly sequence: number;
  reset(): void;
}

const READS = new Set(["get", "batchGet", "query", "transactGet"]);
const SECRET = "bootstrap-secret-of-the-bench";

/** Options of a service. */
export interface BenchOptions {
  /** Folder of the service, which is kept. Without it, the service has a temporary folder. */
  readonly folder?: string;
  /** True if searches use the index in the file, as with `npm start`; else the index in memory, as in the cloud. */
  readonly searchesInFile?: boolean;
  /** Limit of the model cache; 0 for no cache. */
  readonly cachedObjects?: number | undefined;
  /** Replaces the table that the service uses. */
  readonly wrapTable?: (table: Table) => Table;
}

/** Starts a service with its database on disk and signs in an administrator. */
export async function startBenchService(options: BenchOptions = {}): Promise<BenchService> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "metaction-bench-")));
  const sums = { readUnits: 0, writeUnits: 0, calls: 0 };
  const chain = createChain();
  const onCapacity = (operation: string, units: number): void => {
    sums.calls += 1;
    if (READS.has(operation)) sums.readUnits += units;
    else sums.writeUnits += units;
  };
  const connector = openSqliteTable({ file: join(folder, "bench.db"), onCapacity }, runtime.now);
  const { wrapTable = (wrapped: Table) => wrapped } = options;
  const table = wrapTable(chain.measure(connector.connect(Number.POSITIVE_INFINITY)));
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  const searches = connector.searches({ store: () => createStore(table, runtime), say });
  const service = createService({
    connector: { connect: () => table },
    runtime,
    keys: await openKeyFile(join(folder, "keys.json")),
    issuer: "http://bench.example",
    bootstrapSecret: async () => SECRET,
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    cachedObjects: options.cachedObjects,
    ...(options.searchesInFile && { searches }),
    facts: { version: "bench", engine: connector.name, endpoint: "", table: "bench" },
  });
  let token: string | undefined;
  const run: BenchService["run"] = (action, payload = {}, controls = {}) => {
    const [group = "", name = ""] = action.split("/");
    return dispatchNamed(
      {
        group,
        name,
        token,
        payload: toUnreadPayload(payload),
        controls: { ...NO_CONTROLS, ...controls },
        channel: "http",
        requestId: runtime.newId(),
        deadline: runtime.now() + 600_000,
      },
      service,
    );
  };
  const login = { username: "bench", password: "Violet-Harbor-7-Lantern" };
  const first = { ...login, fullname: "Bench", secret: SECRET };
  const isUsed = await createAccountStore(table, runtime).isBootstrapUsed();
  const signIn = isUsed ? run("auth/login", login) : run("auth/admin_bootstrap", first);
  token = ((await signIn).body as { access_token: string }).access_token;
  // The first call of an hour notes that the caller was seen.
  await run("auth/whoami");
  return {
    service,
    table,
    run,
    searches,
    count: {
      get readUnits() {
        return sums.readUnits;
      },
      get writeUnits() {
        return sums.writeUnits;
      },
      get calls() {
        return sums.calls;
      },
      get sequence() {
        return chain.length();
      },
      reset: () => {
        sums.readUnits = 0;
        sums.writeUnits = 0;
        sums.calls = 0;
        chain.reset();
      },
    },
    stop: async () => {
      if (options.searchesInFile) (await searches()).stop();
      connector.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
