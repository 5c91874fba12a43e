import { join } from "node:path";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { type Controls, NO_CONTROLS, type Runtime, toUnreadPayload } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { openKeyFile } from "../../../shared/identity/tokens/file-keys.ts";
import { mintToken, type SigningKeys } from "../../../shared/identity/tokens/mint-token.ts";
import { createService } from "../../../shared/service/create-service.ts";
import { runtime as machine } from "../../../shared/service/runtime.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { partitioned } from "../../store/support/partitioned-table.ts";
import { writePerson, writeRoles } from "../../support/accounts.ts";
import { dispatchNamed } from "../../support/dispatch-named.ts";

/* Makes one call, or runs one job, on a table with 1,000 write units a second, its time `scale` times as fast. */

export interface StagingOrder {
  readonly folder: string;
  readonly scale: number;
  /** When the time of all processes on the folder began, in milliseconds since the epoch. */
  readonly began: number;
  readonly task:
    | {
        readonly call: string;
        readonly fields?: number;
        readonly payload: object;
        readonly controls?: Partial<Controls>;
      }
    | { readonly job: string }
    /** The number of commits to make, each to another attribute of that model. */
    | { readonly commits: number; readonly model: string };
}

/** The report that the process writes at its end. */
export interface StagingReport {
  readonly outcome: unknown;
  readonly ms: number;
  readonly rssMb: number;
}

const WORKER_MS = 890_000;
const ISSUER = "https://metaction.example/";

function scaled({ scale, began }: StagingOrder): Runtime {
  return {
    ...machine,
    now: () => Math.floor(began + (machine.now() - began) * scale),
    sleep: (ms, over) => machine.sleep(ms / scale, over),
  };
}

async function main(order: StagingOrder): Promise<StagingReport> {
  const runtime = scaled(order);
  const connector = openSqliteTable({ file: join(order.folder, "table.db") }, runtime.now);
  const keys = await openKeyFile(join(order.folder, "keys.json"));
  const table = partitioned(connector.connect(Number.POSITIVE_INFINITY), { runtime, outside: (work) => work() });
  const service = createService({
    connector: { connect: () => table },
    runtime,
    keys,
    issuer: ISSUER,
    bootstrapSecret: async () => "bootstrap-secret-of-the-soak",
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    facts: { version: "0.0.0-soak", engine: "soak", endpoint: "", table: "soak" },
  });
  const token = await signedIn(connector.connect(Number.POSITIVE_INFINITY), keys, runtime);
  const began = runtime.now();
  const outcome = await done(order.task, service, token, runtime);
  const ms = runtime.now() - began;
  connector.close();
  return { outcome, ms, rssMb: Math.round(process.resourceUsage().maxRSS / 1_024) };
}

async function signedIn(table: Table, keys: SigningKeys, runtime: Runtime): Promise<string> {
  const bearer = { username: "admin", fullname: "The admin", tokenEpoch: 1 };
  const isThere = (await table.query({ pk: "identity", limit: 1 })).items.length > 0;
  if (!isThere) {
    const createdAt = new Date(runtime.now()).toISOString();
    const roles = await writeRoles(table, runtime.newId, createdAt);
    const given = roles.filter(({ key }) => key === "admin").map(({ id }) => id);
    await writePerson(table, { ...bearer, id: runtime.newId(), roles: given, createdAt });
  }
  return (await mintToken(bearer, { keys, issuer: ISSUER, audience: "metaction", runtime })).access_token;
}

async function done(task: StagingOrder["task"], service: Service, token: string, runtime: Runtime): Promise<unknown> {
  if ("job" in task) return runJob(task.job, service, runtime.now() + WORKER_MS);
  const call = async (action: string, payload: object, controls: Partial<Controls> = {}): Promise<object> => {
    const [group = "", name = ""] = action.split("/");
    const asked = { group, name, token, channel: "http" as const, requestId: runtime.newId() };
    const given = { payload: toUnreadPayload(payload), controls: { ...NO_CONTROLS, ...controls } };
    try {
      const answer = await dispatchNamed({ ...asked, ...given, deadline: runtime.now() + LIMITS.callMs }, service);
      return { ...(answer.body as object), accepted: answer.accepted === true };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.code, detail: error.message };
      throw error;
    }
  };
  if ("call" in task) {
    const content = task.fields === undefined ? {} : { content: wide(task.fields) };
    return call(task.call, { ...task.payload, ...content }, task.controls);
  }
  for (let i = 0; i < task.commits; i++) {
    const attribute = { entityRef: `key:table_${i % TABLES}`, attributeRef: `key:field_${Math.floor(i / TABLES)}` };
    const change = { modelRef: `key:${task.model}`, ...attribute, value: `Commit ${i}.` };
    const answer = await call("model/entity_attribute_update_description", change);
    if ("problem" in answer) return answer;
  }
  return { commits: task.commits };
}

const TABLES = 20;

function wide(fields: number): object {
  const resources = Array.from({ length: TABLES }, (_, t) => ({
    name: `table_${t}`,
    schema: {
      fields: Array.from({ length: fields / TABLES }, (_, i) => ({ name: `field_${i}`, description: `Field ${i}.` })),
    },
  }));
  return { name: "wide", resources };
}

process.stdout.write(`${JSON.stringify(await main(JSON.parse(process.argv[2] ?? "{}") as StagingOrder))}\n`);
