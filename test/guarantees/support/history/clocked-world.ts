import { type Answer, NO_CONTROLS, toUnreadPayload } from "../../../../shared/actions/contract/call.ts";
import type { Searches } from "../../../../shared/actions/contract/ports.ts";
import type { Service } from "../../../../shared/actions/pipeline/call-context.ts";
import { Problem } from "../../../../shared/domain/problems.ts";
import { mintToken } from "../../../../shared/identity/tokens/mint-token.ts";
import { createMemoryIndex } from "../../../../shared/search/memory-index.ts";
import { createStore } from "../../../../shared/store/model-store.ts";
import {
  BOOTSTRAP,
  idsPartition,
  logPartition,
  objectsPartition,
  RUNS,
  TAGS,
} from "../../../../shared/store/table/keys.ts";
import { FORMAT, type Table } from "../../../../shared/store/table/table.ts";
import { partition } from "../../../store/support/check-model.ts";
import { writePerson } from "../../../support/accounts.ts";
import { dispatchNamed } from "../../../support/dispatch-named.ts";
import { ISSUER } from "../../../support/issuer.ts";
import { runtimeAt } from "../../../support/runtime.ts";
import { openTableInMemory } from "../../../support/table.ts";
import { createWorld, type World } from "../../../support/world.ts";
import type { SentCall } from "../reference/answer.ts";
import { type CallerName, PEOPLE } from "../reference/callers.ts";

/** The answer or the problem with which the service ended a call. */
export type Outcome = { readonly answer: Answer } | { readonly problem: Problem };

export type ClockedWorld = Awaited<ReturnType<typeof createClockedWorld>>;

/** Creates the service on an empty table, with callers and a clock. Searches use memory unless `searchesInFile`. */
export async function createClockedWorld(searchesInFile: boolean) {
  const clock = runtimeAt("2027-03-01T12:00:00Z");
  const opened = searchesInFile ? await openTableInMemory(undefined, () => clock.now()) : undefined;
  const inFile = opened?.searches?.({ store: () => createStore(opened.table, clock), say: () => undefined });
  const world = await createWorld({ runtime: clock, ...(opened && { table: opened.table }) });
  await settlePeople(world);
  const tokens = createTokens(world, clock.now);
  const freshSearches = async (): Promise<Searches> => {
    const fresh = (await inFile?.()) ?? createMemoryIndex();
    // Tags are remembered by a revision, which may come once more.
    fresh.tags = undefined;
    return fresh;
  };
  let searches = await freshSearches();
  /** The service of a new process: a log that goes back is none that a process follows. */
  const freshService = async (): Promise<Service> => {
    const { service: fresh } = await createWorld({ beside: world, runtime: clock });
    const ports: Service["ports"] = (deadline) => ({ ...fresh.ports(deadline), searches: async () => searches });
    return { ...fresh, ports };
  };
  let service = await freshService();
  /** Runs a call whose ids are the service's own. Throws every error that is not a `Problem`. */
  const call = async (sent: SentCall, requestId = clock.newId()): Promise<Outcome> => {
    const [group = "", name = ""] = sent.action.split("/");
    const token = await tokens(sent.caller);
    const payload = toUnreadPayload(sent.payload.body, sent.payload.query);
    const controls = { ...NO_CONTROLS, ...sent.controls };
    const asked = { group, name, token, payload, controls, channel: "http", requestId } as const;
    try {
      return { answer: await dispatchNamed({ ...asked, deadline: clock.now() + 29_000 }, service) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error };
      throw error;
    }
  };
  const asAdmin = async (action: string, body: object = {}): Promise<Answer> => {
    const outcome = await call({ action, caller: "admin", payload: { query: [], body }, controls: {} });
    if ("problem" in outcome) throw outcome.problem;
    return outcome.answer;
  };
  const actors = new Map<CallerName, unknown>();
  for (const caller of PEOPLE.keys()) {
    const payload = { query: [], body: { title: "Who am I" } };
    const outcome = await call({ action: "model/run_begin", caller, payload, controls: {} });
    if ("answer" in outcome) actors.set(caller, Reflect.get(Object(outcome.answer.body), "actor"));
  }
  await empty(world.table, RUNS);
  return {
    call,
    /** The ids of the people. */
    actors,
    pause: clock.advance,
    now: clock.now,
    newId: clock.newId,
    /** Deletes every model and all that is known of tags and runs, for a history that begins with none. */
    clear: async () => {
      const models = (await asAdmin("model/model_list")).body as readonly { readonly id: string }[];
      for (const { id } of models) await asAdmin("model/model_delete", { modelRef: `id:${id}` });
      for (const pk of EMPTIED) await empty(world.table, pk);
      searches = await freshSearches();
      service = await freshService();
    },
  };
}

/** The partitions of the tags of groups, whose revisions begin anew where nothing is left of them, and of runs. */
const EMPTIED = [
  RUNS,
  logPartition(TAGS.model),
  objectsPartition(TAGS.model, TAGS.generation),
  idsPartition(TAGS.model, TAGS.generation),
];

async function empty(table: Table, pk: string) {
  for (const { sk } of await partition(table, pk))
    await table.write({ delete: { pk, sk }, expect: { anything: true } });
}

/** Someone who was disabled, in a service whose bootstrap was used; the administrator of the world can sign in. */
async function settlePeople({ table, service }: World) {
  const createdAt = "2027-03-01T12:00:00Z";
  const id = service.runtime.newId();
  await writePerson(table, { username: "disabled", id, roles: [], createdAt, disabledAt: createdAt });
  const used = { ...BOOTSTRAP, v: FORMAT, revision: 1, operation: "the tests" };
  await table.write({ put: used, expect: { absent: true } });
}

function createTokens({ keys, service }: World, now: () => number) {
  const kept = new Map<string, { readonly token: string; readonly until: number }>();
  const mint = async (username: string, ago: number): Promise<string> => {
    const fullname = PEOPLE.get(username as CallerName)?.fullname ?? `The ${username}`;
    const runtime = { ...service.runtime, now: () => now() - ago };
    const terms = { keys, issuer: ISSUER, audience: "metaction", runtime };
    return (await mintToken({ username, fullname, tokenEpoch: 1 }, terms)).access_token;
  };
  return async (caller: CallerName) => {
    if (caller === "anonymous") return undefined;
    if (caller === "invalid") return `${await mint("admin", 0)}x`;
    if (caller === "expired") return mint("admin", 2 * 3_600_000);
    const known = kept.get(caller);
    if (known && now() < known.until) return known.token;
    const token = await mint(caller, 0);
    kept.set(caller, { token, until: now() + 50 * 60_000 });
    return token;
  };
}
