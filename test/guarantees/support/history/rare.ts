import { PROBLEMS, type ProblemCode } from "../../../../shared/domain/problems.ts";
import { createChain, type HandleRequest } from "../../../../shared/service/chain.ts";
import type { Rule } from "../../../store/support/fault-plan.ts";
import { createFaultTable, type FaultTable } from "../../../store/support/fault-table.ts";
import { quickAmbient } from "../../../store/support/quick-ambient.ts";
import { freshTable } from "../../../support/table.ts";
import { createWorld, type World } from "../../../support/world.ts";
import type { Notice } from "./run.ts";

/** A world on a table that can fail, in which rare refusals are brought about. */
interface Scene {
  readonly world: World;
  readonly table: FaultTable;
  readonly send: HandleRequest;
}

/** Brings one refusal about and answers its code; `n` tells the calls apart. */
type Make = (scene: Scene, n: number) => Promise<string>;

const ALWAYS = Number.POSITIVE_INFINITY;
const COMMITS = { operation: "transactWrite", key: /^log#/ } as const;

/** A write while the table behaves like that: it is refused, nothing is written, and sent again it succeeds once. */
const whileTable =
  (rule: Rule): Make =>
  async ({ world, table }, n) => {
    const key = `${rule.match.operation}-${rule.do}-${n}`;
    const control = { idempotencyKey: key };
    const write = () =>
      world.answer("model/type_create", { modelRef: "key:rare", typeKey: key }, world.people.admin, control);
    const types = async () => (await world.run("model/type_list", { modelRef: "key:rare" })).items.length as number;
    const before = await types();
    table.arm({ rules: [{ times: ALWAYS, ...rule }] });
    const code = await write().then(
      () => "ok",
      (problem: { readonly code: string }) => problem.code,
    );
    await table.settle();
    if ((await types()) !== before) return `${code}, and it was written`;
    await write();
    return (await types()) === before + 1 ? code : `${code}, and once more it was not written once`;
  };

interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request over HTTP; the code of its problem document, whose status has to be that of the response. */
const overHttp =
  (request: Request): Make =>
  async ({ world, send }) => {
    const { method = "POST", path = "/api/model/model_list", query = "", headers = {}, body } = request;
    const all = { authorization: `Bearer ${world.people.admin}`, "content-type": "application/json", ...headers };
    const response = await send({ method, path, query, headers: all, body });
    const { code, status } = JSON.parse(String(response.body)) as {
      readonly code: ProblemCode;
      readonly status: number;
    };
    return PROBLEMS[code]?.status === response.status && status === response.status
      ? code
      : `${code} as ${response.status}`;
  };

/** A document so large that no answer can hold it as it is. */
async function makeLarge(world: World): Promise<void> {
  await world.run("model/model_create", { key: "large", name: "Large" });
  const entries = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({
      group: "model",
      action: "entity_create",
      payload: { modelRef: "key:large", entityKey: `e${from + i}`, description: "x".repeat(100_000) },
    }));
  // The entities are more than one request can hold.
  await world.run("batch/batch_run", { actions: entries(0, 40) });
  await world.run("batch/batch_run", { actions: entries(40, 65) });
}

/** More fields than one call may write. */
const MANY = { fields: Array.from({ length: 20_100 }, (_, i) => ({ name: `f${i}` })) };

/** Refusals that random histories do not meet, by code: they take faults of the table, or HTTP. */
const RARE: Readonly<Record<string, Make>> = {
  throttled: whileTable({ match: COMMITS, do: "throttle" }),
  contention: whileTable({ match: COMMITS, do: "conflict" }),
  unavailable: whileTable({ match: { operation: "query", key: /^log#/ }, do: "lose" }),
  out_of_time: whileTable({ match: COMMITS, do: "lose" }),
  unknown_path: overHttp({ path: "/nowhere" }),
  method_not_allowed: overHttp({ method: "PUT" }),
  not_acceptable: overHttp({ headers: { accept: "text/html" } }),
  query_too_long: overHttp({ query: "x".repeat(8_001) }),
  unsupported_media_type: overHttp({ headers: { "content-type": "text/xml" }, body: "<a/>" }),
  bad_request: overHttp({ body: "{" }),
  too_large: overHttp({ body: JSON.stringify({ from: "x".repeat(6_200_001) }) }),
  result_too_large: overHttp({ path: "/api/model/model_export", body: '{"modelRef":"key:large"}' }),
  plan_outdated: async ({ world }, n) => {
    const content = { $schema: "urn:metaction:model:2", key: "rare", types: [{ key: `planned-${n}` }] };
    const apply = (more: object, control = {}) =>
      world.answer("model/model_apply", { modelRef: "key:rare", content, ...more }, world.people.admin, control);
    const { body } = await apply({}, { dryRun: true });
    await world.run("model/type_create", { modelRef: "key:rare", typeKey: `meanwhile-${n}` });
    return apply({ plan: (body as { readonly plan: string }).plan }).then(
      () => "ok",
      (problem: { readonly code: string }) => problem.code,
    );
  },
  merge_conflict: async ({ world }, n) => {
    const key = `followed-${n}`;
    const send = (name: string, more: object) =>
      world.run("model/import", { content: { $schema: "urn:metaction:model:2", key, name }, source: "s", ...more });
    await send("First", {});
    await world.run("model/model_update_name", { modelRef: `key:${key}`, name: "People's" });
    return send("Second", { into: `key:${key}` }).then(
      () => "ok",
      (problem: { readonly code: string }) => problem.code,
    );
  },
  job_running: async ({ world }, n) => {
    const control = { idempotencyKey: "large-job" };
    const send = () => world.answer("model/import", { content: MANY, modelKey: "many" }, world.people.admin, control);
    if (n === 0) await send();
    return send().then(
      () => "ok",
      (problem: { readonly code: string }) => problem.code,
    );
  },
};

/** Brings every rare refusal about so many times; answers what came out otherwise. */
export async function meetRareRefusals(times: number, notice: Notice): Promise<readonly string[]> {
  const table = createFaultTable(await freshTable());
  // Every call of the table that is to fail is made.
  const world = await createWorld({ table, ambient: quickAmbient(), cachedObjects: 0 });
  const log = (): void => undefined;
  const send = createChain(world.service, { publicUrl: "https://metaction.example", corsOrigins: [], log });
  await world.run("model/model_create", { key: "rare", name: "Rare" });
  await makeLarge(world);
  const wrong: string[] = [];
  for (const [code, make] of Object.entries(RARE)) {
    for (let n = 0; n < times; n++) {
      const met = await make({ world, table, send }, n);
      if (met === code) notice("", code);
      else wrong.push(`${code}: ${met}`);
    }
  }
  return wrong;
}
