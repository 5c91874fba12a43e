import { mkdtemp, rm } from "node:fs/promises";
import { type Profiler, Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readSettings } from "../local/settings.ts";
import { prepareFolder } from "../local/sqlite/data-folder.ts";
import { startLocalService } from "../local/start.ts";
import { runtime } from "../shared/service/runtime.ts";
import { ADMINISTRATOR } from "../test/support/local-process.ts";
import { createLeanClient } from "./lean-client.ts";

const ROOT = pathToFileURL(join(import.meta.dirname, "..")).href;
const OWN_CODE = /^(shared|functions|local)\//;
const WARM_CALLS = 3;
const SECRET = "bootstrap-secret-of-the-trace";
const TABLES = `CREATE TABLE author (id integer PRIMARY KEY, name varchar(80) NOT NULL, born date);
CREATE TABLE book (id integer PRIMARY KEY, title varchar(200) NOT NULL, pages integer, author_id integer REFERENCES author (id));`;

/** The files and functions of our own code that one call entered, and how often. */
interface Trace {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  /** Calls by folder, most first. */
  readonly callsByFolder: Readonly<Record<string, number>>;
}

type Send = (action: string, payload: object) => Promise<unknown>;
const LIBRARY = { modelRef: "key:library" };
const ATTRIBUTE = { ...LIBRARY, entityRef: "key:book", attributeRef: "key:title" };

const CONTAINS = { type: "text", condition: "contains", value: "title" };

interface TracedAction {
  /** Runs before each call, untraced. */
  readonly prepare?: (send: Send, n: number) => Promise<unknown>;
  readonly call: (send: Send, n: number) => Promise<unknown>;
}

const describeTitle = (send: Send, n: number): Promise<unknown> =>
  send("model/entity_attribute_update_description", { ...ATTRIBUTE, value: `Title of the book, ${n}` });

/** The actions that are traced, each called with a number that differs from call to call. */
const ACTIONS: Readonly<Record<string, TracedAction>> = {
  "model/model_get": { call: (send) => send("model/model_get", LIBRARY) },
  "model/entity_attribute_update_description": { call: describeTitle },
  "model/search after a change": {
    prepare: describeTitle,
    call: (send) => send("model/search", { filters: { operator: "and", items: [CONTAINS] } }),
  },
  "model/import of two tables": {
    call: (send, n) => send("model/import", { content: TABLES, key: `imported_${n}`, format: "sql" }),
  },
};

/**
 * Counts the files, functions and calls of our own code that a warm call of some actions runs, on the local service in this
 * process, by the precise coverage of V8. Code that runs only when a file is loaded does not count.
 */
export async function benchTrace(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-trace-"));
  const environment = {
    PORT: "0",
    METACTION_DATA_DIR: folder,
    METACTION_UI: "off",
    METACTION_BOOTSTRAP_SECRET: SECRET,
  };
  const settings = readSettings(environment, folder);
  await prepareFolder(settings.folder);
  const service = await startLocalService(settings, { runtime, version: "0", log: () => undefined });
  const client = createLeanClient(service.url);
  try {
    const bootstrap = await client.call("auth/admin_bootstrap", { ...ADMINISTRATOR, secret: SECRET });
    const send: Send = (action, payload) => client.call(action, payload, JSON.parse(bootstrap).access_token);
    await createLibrary(send);
    const traces: Record<string, Trace> = {};
    for (const [name, action] of Object.entries(ACTIONS)) traces[name] = await traceCall(send, action);
    console.log("Own code that one warm call runs, on the local service in one process");
    console.table(Object.entries(traces).map(([action, { callsByFolder: _, ...counts }]) => ({ action, ...counts })));
    for (const [action, { callsByFolder }] of Object.entries(traces)) {
      const folders = Object.entries(callsByFolder).map(([name, calls]) => `${name} ${calls}`);
      console.log(`${action}: ${folders.join(", ")}`);
    }
    console.log(JSON.stringify({ bench: "trace", traces }));
  } finally {
    client.close();
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function createLibrary(send: Send): Promise<void> {
  await send("model/model_create", { key: "library", name: "Library" });
  await send("model/type_create", { ...LIBRARY, typeKey: "text" });
  await send("model/entity_create", { ...LIBRARY, entityKey: "book" });
  for (const attributeKey of ["title", "subtitle"]) {
    const attribute = { ...LIBRARY, entityRef: "key:book", attributeKey, type: "key:text", optional: true };
    await send("model/entity_attribute_create", attribute);
  }
}

/** Returns what one call runs after some others. */
async function traceCall(send: Send, { prepare, call }: TracedAction): Promise<Trace> {
  for (let n = 0; n < WARM_CALLS; n += 1) {
    await prepare?.(send, n);
    await call(send, n);
  }
  await prepare?.(send, WARM_CALLS);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await call(send, WARM_CALLS);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  return summarize(result);
}

function summarize(coverage: readonly Profiler.ScriptCoverage[]): Trace {
  const callsByFolder = new Map<string, number>();
  const files = new Set<string>();
  let functions = 0;
  for (const { url, functions: covered } of coverage) {
    const path = url.startsWith(`${ROOT}/`) ? url.slice(ROOT.length + 1) : "";
    if (!OWN_CODE.test(path)) continue;
    const folder = path
      .split("/")
      .slice(0, path.startsWith("shared/") ? 2 : 1)
      .join("/");
    for (const { ranges } of covered) {
      const calls = ranges[0]?.count ?? 0;
      if (calls === 0) continue;
      files.add(path);
      functions += 1;
      callsByFolder.set(folder, (callsByFolder.get(folder) ?? 0) + calls);
    }
  }
  const sorted = [...callsByFolder].sort(([, a], [, b]) => b - a);
  const calls = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { files: files.size, functions, calls, callsByFolder: Object.fromEntries(sorted) };
}
