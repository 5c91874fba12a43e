import { readFileSync } from "node:fs";
import { FILES } from "../../../../local/sqlite/data-folder.ts";
import { openSqliteTable } from "../../../../local/sqlite/table.ts";
import { LIMITS } from "../../../../shared/domain/limits.ts";
import { toAuditItem } from "../../../../shared/store/commit/account-writes.ts";
import { auditKey } from "../../../../shared/store/table/keys.ts";
import { createChance } from "../../../support/chance.ts";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../../../support/local-process.ts";

const CRM = JSON.parse(readFileSync(new URL("../../../interop/tester/crm.json", import.meta.url), "utf8"));

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** A document of our own format with the key and these parts. */
export const documentOf = (key: string, parts: object): object => ({
  ...{ $schema: "urn:metaction:model:2", key, types: [{ key: "text" }, { key: "int" }] },
  ...parts,
});

const attribute = (key: string, more: object = {}) => ({ key, type: "key:text", optional: true, ...more });
const joined = (i: number, from: string, to: string) => ({
  key: `r${i}`,
  roles: [
    { key: "from", entity: `key:${from}`, cardinality: "many" },
    { key: "to", entity: `key:${to}`, cardinality: "one" },
  ],
  attributes: [],
});

/** Text that neither compresses nor repeats. */
function createNoise(bytes: number, seed: number): string {
  const chance = createChance(seed);
  return Buffer.from(Uint8Array.from({ length: Math.ceil((bytes * 3) / 4) }, () => chance.below(256)))
    .toString("base64url")
    .slice(0, bytes);
}

/** Entities of a diagram at its limits, which all refer to each other. */
export function createGraph(key: string, boxes: number, lines: number, seed: number): object {
  const chance = createChance(seed);
  return documentOf(key, {
    entities: many(boxes, (i) => ({ key: `e${i}`, attributes: many(boxes > 400 ? 8 : 40, (j) => attribute(`a${j}`)) })),
    relationships: many(lines, (i) => joined(i, `e${chance.below(boxes)}`, `e${chance.below(boxes)}`)),
  });
}

/** The example model of the actions, with as many more objects as fit into one call. */
const crm = () => ({
  ...CRM,
  entities: [
    ...CRM.entities.filter(({ key }: { key: string }) => key !== "order"),
    {
      key: "order",
      primaryKey: [],
      attributes: ["number", "date"].map((key) => attribute(key, { type: "key:string" })),
    },
    ...many(190, (i) => ({
      key: `e${i}`,
      attributes: many(100, (j) => attribute(`a${j}`, { type: "key:string", description: "x y z" })),
    })),
  ],
  relationships: [
    {
      ...CRM.relationships[0],
      attributes: [...CRM.relationships[0].attributes, attribute("since", { type: "key:string" })],
    },
    joined(0, "order", "order"),
  ].map((one, i) => (i === 1 ? { ...one, key: "replaces" } : one)),
});

/** SQL of a model with as many objects as a job may write. */
const largeSql = () =>
  many(
    1_960,
    (i) =>
      `CREATE TABLE t${i}(id int PRIMARY KEY,${many(99, (j) => `c${j} int`).join(",")},FOREIGN KEY(c0)REFERENCES t${(i * 7) % 1_960});`,
  ).join("\n");

/** Attributes of one entity. Their keys become the same word of letters in formats with narrower names. */
export const createWide = (name: string, count = 50_000, more: (i: number) => object = () => ({})): object =>
  documentOf("wide", {
    entities: [{ key: "e", attributes: many(count, (i) => attribute(`${name}${SIGNS(i)}`, more(i))) }],
  });

/** A different run of signs for each number. */
const SIGNS = (i: number) => i.toString(8).replaceAll(/\d/g, (digit) => "!#$%&()*".charAt(Number(digit)));

/** One entity with unique attributes, business keys of two attributes, and relationships with itself. */
const keyed = () =>
  documentOf("keyed", {
    entities: [
      {
        key: "e",
        attributes: many(15_000, (i) => attribute(`a${i}`, { optional: false, constraints: { unique: true } })),
      },
    ],
    businessKeys: many(12_000, (i) => ({
      key: `b${i}`,
      entity: "key:e",
      participants: [`key:a${i}`, `key:a${i + 1}`],
    })),
    relationships: many(9_000, (i) => ({ ...joined(i, "e", "e"), keyPairs: [[`key:a${i}`, `key:a${14_999 - i}`]] })),
  });

/** Entities that each have as many of very many tags as an object may have. */
const tagged = () =>
  documentOf("tagged", {
    entities: many(1_500, (i) => ({
      ...{ key: `e${i}`, attributes: [] },
      tags: many(LIMITS.tagsPerObject, (j) => `key:t${(i * LIMITS.tagsPerObject + j) % 40_000}`),
    })),
    localTags: many(40_000, (i) => ({ key: `t${i}` })),
  });

/** Long texts that do not compress: one export has 3 MB. */
const noise = () =>
  documentOf("noise", {
    entities: many(500, (i) => ({ key: `e${i}`, attributes: [], description: createNoise(6_000, i) })),
  });

/** The models that are stored, by key. */
const STORED: Readonly<Record<string, object | string>> = {
  crm: crm(),
  large: largeSql(),
  wide: createWide("a"),
  keyed: keyed(),
  tagged: tagged(),
  graph: createGraph("graph", LIMITS.diagramBoxes, LIMITS.diagramLines, 1),
  "wide-graph": createGraph("wide-graph", 4_000, 8_000, 2),
  noise: noise(),
};

/** A client that waits for jobs and throws for every refusal. */
export async function callOrThrow(
  service: LocalProcess,
  token: string,
  action: string,
  payload: object = {},
): Promise<Record<string, never>> {
  const { status, body } = await service.call(action, payload, token);
  if (status !== 200 && status !== 202)
    throw new Error(`${action} answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  for (let state = status === 202 ? "accepted" : "done"; state !== "done"; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const job = (await service.call("batch/job_get", { jobRef: body.job }, token)).body;
    if (job.state === "failed") throw new Error(`${action} failed: ${JSON.stringify(job.problem)}`);
    state = job.state;
  }
  return body;
}

/** The ids of the examples of actions, and those of the same objects in the service. */
export type ExampleIds = ReadonlyMap<string, string>;

const GRACE = { username: "grace", fullname: "Grace Hopper", password: ADMINISTRATOR.password, admin: false };

/** Fills the data folder of a service with the models, people and entries that the worst calls work on. */
export async function fillFolder(folder: string): Promise<ExampleIds> {
  const service = await startProcess(folder);
  try {
    const token = await becomeAdministrator(service);
    const run: Run = (action, payload) => callOrThrow(service, token, action, payload);
    await run("tag/tag_group_create", { key: "privacy" });
    await run("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
    for (const [key, content] of Object.entries(STORED)) {
      const format = typeof content === "string" ? "postgresql" : "metaction";
      await run("model/import", { content, format, modelKey: key, source: key });
    }
    await fillPast(run);
    const ids = await fillAccounts(service, token);
    await service.interrupt();
    await fillAudit(folder);
    return ids;
  } finally {
    await service.kill();
  }
}

type Run = (action: string, payload?: object) => Promise<Record<string, never>>;

/** A model with as many commits as lie between two snapshots, and with as many changes as an undo takes back. */
async function fillPast(run: Run) {
  await run("model/model_create", { key: "past", name: "Past" });
  await run("model/type_create", { modelRef: "key:past", typeKey: "text" });
  await run("model/entity_create", { modelRef: "key:past", entityKey: "e" });
  const create = (attributeKey: string) => ({
    modelRef: "key:past",
    entityRef: "key:e",
    attributeKey,
    type: "key:text",
    optional: true,
  });
  for (const part of ["a", "b"]) {
    const actions = many(9_000, (i) => ({
      group: "model",
      action: "entity_attribute_create",
      payload: create(`${part}${i}`),
    }));
    await run("batch/batch_run", { actions });
  }
  for (let i = 0; i < LIMITS.snapshotCommits - 10; i += 10) {
    await Promise.all(
      many(10, (j) =>
        run("model/entity_update_description", { modelRef: "key:past", entityRef: "key:e", value: `text ${i + j}` }),
      ),
    );
  }
}

async function fillAccounts(service: LocalProcess, token: string): Promise<ExampleIds> {
  const run = (action: string, payload?: object) => callOrThrow(service, token, action, payload);
  await run("auth/role_create", { key: "auditor", name: "Auditor" });
  await run("auth/role_add_permission", { roleRef: "key:auditor", permissionKey: "model_read" });
  for (const user of [GRACE, { ...GRACE, username: "retired" }]) await run("auth/user_create", user);
  await run("auth/user_disable", { username: "retired" });
  await run("auth/actor_add_role", { actorRef: "key:grace", roleRef: "key:reader" });
  await run("auth/service_account_create", { key: "nightly-export", name: "Nightly export" });
  const created: { id?: string } = await run("auth/token_create", { name: "Nightly export" });
  for (let i = 0; i < 20; i++) await service.call("auth/login", { username: GRACE.username, password: GRACE.password });
  const sessions: { items?: { id: string }[] } = await run("auth/session_list", { actorRef: "key:grace" });
  return new Map([
    ["0198c0de-0000-7000-8000-0000000000c1", String(created.id)],
    ["WxTDRMlKdYEzqm_YImBkLg", String(sessions.items?.[0]?.id)],
  ]);
}

/** As many entries of the audit log as one call reads. */
async function fillAudit(folder: string) {
  const table = openSqliteTable({ file: FILES.database(folder) }, Date.now);
  const store = table.connect(Number.POSITIVE_INFINITY);
  const now = Date.now();
  const items = many(LIMITS.auditScanned, (i) =>
    toAuditItem(auditKey(new Date(now - i).toISOString(), `0198c0de-0000-7000-8000-${String(i).padStart(12, "0")}`), {
      ...{ act: "auth/login", outcome: "ok", session: `s${i}`, tokenEpoch: 1 },
      actor: { id: "0198c0de-0000-7000-8000-0000000000a1", subject: "grace" },
    }),
  );
  for (let i = 0; i < items.length; i += 25) await store.batchPut(items.slice(i, i + 25));
  table.close();
}
