import { readFileSync } from "node:fs";
import { FILES } from "../../../../local/sqlite/data-folder.ts";
import { openSqliteTable } from "../../../../local/sqlite/table.ts";
import { LIMITS } from "../../../../shared/domain/limits.ts";
import { toAuditItem } from "../../../../shared/store/commit/account-writes.ts";
import { auditKey } from "../../../../shared/store/table/keys.ts";
import { entryOf } from "../../../actions/support/models.ts";
import { createChance } from "../../../support/chance.ts";
import { ADMINISTRATOR, becomeAdministrator, startProcess } from "../../../support/local-process.ts";
import type { Body } from "../../../support/world.ts";
import { NOT_KEPT } from "./probed-call.ts";
import { many } from "./sources.ts";

/** The model that the examples of actions work on. */
const CRM = JSON.parse(readFileSync(new URL("../../../interop/tester/crm.json", import.meta.url), "utf8"));

/** Creates a document of our own format with the key and these parts. */
export const documentOf = (key: string, parts: object): object => ({
  ...{
    $schema: "urn:metaction:model:2",
    key,
    types: ["text", "string", "integer", "unused"].map((one) => ({ key: one })),
  },
  ...parts,
});

const attributes = (count: number, more: (i: number) => object = () => ({})) =>
  many(count, (i) => ({ key: `a${i}`, type: "key:text", ...more(i) }));
const role = (key: string, entity: string, cardinality: string) => ({ key, entity: `key:${entity}`, cardinality });
const join = (key: string, from: string, to: string) => ({
  ...{ key, roles: [role("from", from, "many"), role("to", to, "one")], attributes: [] as object[] },
});

/** Creates a diagram of boxes with random lines between them. */
export function createGraph(key: string, boxes: number, lines: number, seed: number): object {
  const chance = createChance(seed);
  const box = () => `e${chance.below(boxes)}`;
  return documentOf(key, {
    entities: many(boxes, (i) => ({ key: `e${i}`, attributes: attributes(boxes > LIMITS.diagramBoxes ? 8 : 40) })),
    relationships: many(lines, (i) => join(`r${i}`, box(), box())),
  });
}

/** Creates one entity of attributes, whose keys become the same word in formats with narrower names. */
export const createWide = (name: string, count = 50_000, more?: (i: number) => object): object =>
  documentOf("wide", {
    entities: [{ key: "e", attributes: attributes(count, (i) => ({ key: name + toSigns(i), ...more?.(i) })) }],
  });

/** Makes a different run of signs of each number. */
export const toSigns = (i: number): string =>
  i.toString(8).replaceAll(/\d/g, (digit) => "!#$%&()*".charAt(Number(digit)));

/** Creates text that neither compresses nor repeats. */
function createNoise(bytes: number, seed: number): string {
  const chance = createChance(seed);
  return Buffer.from(Uint8Array.from({ length: (bytes * 3) / 4 }, () => chance.below(256))).toString("base64url");
}

/** Creates objects of the most and longest properties. */
const createPropertied = (value: string): object => {
  const properties = Object.fromEntries(many(100, (i) => [`p:${i}`, value.repeat(620)]));
  return documentOf("propertied", { entities: many(90, (i) => ({ key: `e${i}`, attributes: [], properties })) });
};

/** The models that are stored, by key. */
const STORED: Readonly<Record<string, () => object | string>> = {
  // As many objects as fit into one call.
  crm: () => ({
    ...CRM,
    entities: [
      ...CRM.entities.filter(({ key }: Body) => key !== "order"),
      { key: "order", attributes: ["number", "date"].map((key) => ({ key, type: "key:string" })) },
      ...many(190, (i) => ({ key: `e${i}`, attributes: attributes(100, () => ({ type: "key:string" })) })),
    ],
    relationships: [
      { ...CRM.relationships[0], attributes: ["channel", "since"].map((key) => ({ key, type: "key:string" })) },
      join("replaces", "order", "order"),
    ],
  }),
  // As many objects as a job may write.
  large: () => {
    const columns = many(99, (j) => `c${j} int`).join(",");
    const foreignKey = (i: number) => `FOREIGN KEY(c0)REFERENCES t${(i * 7) % 1_960}`;
    return many(1_960, (i) => `CREATE TABLE t${i}(id int PRIMARY KEY,${columns},${foreignKey(i)});`).join("\n");
  },
  wide: () => createWide("a"),
  // Unique attributes, business keys of two attributes, and relationships of the entity with itself.
  keyed: () =>
    documentOf("keyed", {
      entities: [{ key: "e", attributes: attributes(15_000, () => ({ constraints: { unique: true } })) }],
      businessKeys: many(12_000, (i) => {
        return { key: `b${i}`, entity: "key:e", participants: [`key:a${i}`, `key:a${i + 1}`] };
      }),
      relationships: many(9_000, (i) => ({
        ...join(`r${i}`, "e", "e"),
        keyPairs: [[`key:a${i}`, `key:a${14_999 - i}`]],
      })),
    }),
  // Entities that each have as many of very many tags as an object may have.
  tagged: () =>
    documentOf("tagged", {
      entities: many(1_500, (i) => {
        const tags = many(LIMITS.tagsPerObject, (j) => `key:t${(i * LIMITS.tagsPerObject + j) % 40_000}`);
        return { key: `e${i}`, attributes: [], tags };
      }),
      localTags: many(40_000, (i) => ({ key: `t${i}` })),
    }),
  graph: () => createGraph("graph", LIMITS.diagramBoxes, LIMITS.diagramLines, 1),
  "wide-graph": () => createGraph("wide-graph", 4_000, 8_000, 2),
  // One export has 3 MB.
  noise: () => {
    const entities = many(500, (i) => ({ key: `e${i}`, attributes: [], description: createNoise(6_000, i) }));
    return documentOf("noise", { entities });
  },
  propertied: () => createPropertied("a"),
};

/** The ids of the examples of actions, and those of the same objects in the service. */
export type ExampleIds = ReadonlyMap<string, string>;
type Run = (action: string, payload?: object) => Promise<Body>;

/** Fills the data folder of a service with the models, people and entries that the worst calls work on. */
export async function fillFolder(folder: string): Promise<ExampleIds> {
  const service = await startProcess(folder);
  try {
    const token = await becomeAdministrator(service);
    const run: Run = async (action, payload) => {
      const { status, body } = await service.call(action, payload, token, NOT_KEPT);
      if (body.retryable) return run(action, payload);
      if (status !== 200 && status !== 202) throw new Error(`${action}: ${JSON.stringify(body).slice(0, 500)}`);
      for (let state = body.job ? "running" : "done"; state !== "done"; ) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        state = (await run("batch/job_get", { jobRef: body.job })).state;
        if (state === "failed") throw new Error(`the job of ${action} failed`);
      }
      return body;
    };
    await run("tag/tag_group_create", { key: "privacy" });
    await run("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
    for (const [key, make] of Object.entries(STORED)) {
      const content = make();
      const format = typeof content === "string" ? "postgresql" : "metaction";
      await run("model/import", { content, format, modelKey: key, source: key });
    }
    await run("model/model_apply", { content: createPropertied("b"), modelRef: "key:propertied" });
    await fillPast(run);
    const ids = await fillAccounts(run);
    await service.interrupt();
    await fillAudit(folder);
    return ids;
  } finally {
    await service.kill();
  }
}

/** A model with as many commits as lie between two snapshots, and with as many changes as an undo takes back. */
async function fillPast(run: Run) {
  const modelRef = "key:past";
  await run("model/model_create", { key: "past", name: "Past" });
  await run("model/type_create", { modelRef, typeKey: "text" });
  await run("model/entity_create", { modelRef, entityKey: "e" });
  const entity = { modelRef, entityRef: "key:e" };
  for (const part of "abcdef") {
    const create = (i: number) => ({ ...entity, attributeKey: part + i, type: "key:text", optional: true });
    await run("batch/batch_run", { actions: many(3_000, (i) => entryOf("entity_attribute_create", create(i))) });
  }
  const update = (i: number) => run("model/entity_update_description", { ...entity, value: `text ${i}` });
  for (let i = 0; i < LIMITS.snapshotCommits - 10; i += 10) await Promise.all(many(10, (j) => update(i + j)));
}

async function fillAccounts(run: Run): Promise<ExampleIds> {
  const { password } = ADMINISTRATOR;
  await run("auth/role_create", { key: "auditor", name: "Auditor" });
  await run("auth/role_add_permission", { roleRef: "key:auditor", permissionKey: "model_read" });
  for (const username of ["grace", "retired"])
    await run("auth/user_create", { username, fullname: username, password, admin: false });
  await run("auth/user_disable", { username: "retired" });
  await run("auth/service_account_create", { key: "nightly-export", name: "Nightly export" });
  const { id } = await run("auth/token_create", { name: "Nightly export" });
  for (let i = 0; i < 20; i++) await run("auth/login", { username: "grace", password });
  const { items } = await run("auth/session_list", { actorRef: "key:grace" });
  return new Map([
    ["0198c0de-0000-7000-8000-0000000000c1", id],
    ["WxTDRMlKdYEzqm_YImBkLg", items[0].id],
  ]);
}

/** As many entries of the audit log as one call reads. */
async function fillAudit(folder: string) {
  const table = openSqliteTable({ file: FILES.database(folder) }, Date.now);
  const store = table.connect(Number.POSITIVE_INFINITY);
  const [now, actor] = [Date.now(), { id: "0198c0de-0000-7000-8000-0000000000a1", subject: "grace" }];
  const items = many(LIMITS.auditScanned, (i) => {
    const key = auditKey(new Date(now - i).toISOString(), `0198c0de-0000-7000-8000-${String(i).padStart(12, "0")}`);
    return toAuditItem(key, { act: "auth/login", outcome: "ok", session: `s${i}`, tokenEpoch: 1, actor });
  });
  for (let i = 0; i < items.length; i += 25) await store.batchPut(items.slice(i, i + 25));
  table.close();
}
