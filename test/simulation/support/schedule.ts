import { TAGS } from "../../../shared/store/table/keys.ts";
import type { Outcome } from "../../guarantees/support/history/clocked-world.ts";
import type { RefState } from "../../guarantees/support/reference/state.ts";
import { createChance } from "../../support/chance.ts";
import { drawCallMix, weatherOf } from "./call-mix.ts";
import { aCall, type Kind, type Scene } from "./calls.ts";
import { CALM } from "./conditions.ts";
import type { Op } from "./history.ts";
import type { Network } from "./network.ts";
import { prepareTable } from "./prepare-table.ts";
import { mixed } from "./seeds.ts";
import { createTimeline } from "./timeline.ts";
import { createWorld, type World } from "./world.ts";

/** One schedule: everything in it follows from this. */
export interface Plan {
  readonly seed: number;
  readonly clients: number;
  readonly calls: number;
  /** Calls left out, by `<client>.<call>`. */
  readonly skipped: ReadonlySet<string>;
  /** Faults left out, by `<sender>.<request>`. */
  readonly spared: ReadonlySet<string>;
}

export function planOf(seed: number, clients = 5, calls = 20): Plan {
  return { seed, clients, calls, skipped: new Set(), spared: new Set() };
}

/** The events of a schedule that ran: its calls, the network they went over, and the state before them. */
export interface Ran {
  readonly scene: Scene;
  /** The state of the table before the first call, as the reference holds it. */
  readonly before: RefState;
  readonly network: Network;
  readonly ops: readonly Op[];
  /** Requests of calls, which have a number each. */
  readonly broken: readonly string[];
  /** Calls that were made, by `<client>.<call>`. */
  readonly made: readonly string[];
  readonly senders: ReadonlyMap<string, number>;
}

const BURST = 5;
const BEGIN = Date.parse("2027-03-01T12:00:00Z");
/** No schedule takes longer, in virtual milliseconds. */
const LONGEST_MS = 2 * 3_600_000;

/** A listener that looks on while a schedule runs. */
export interface Onlooker {
  readonly note: Network["note"];
  /** Called before the first call. */
  readonly began: (ran: Ran) => void;
}

/** Runs a schedule: clients, sweeper and workers, until all of it is over and swept. */
export async function runSchedule(plan: Plan, onlooker?: Onlooker): Promise<Ran> {
  const { seed } = plan;
  const weather = weatherOf(seed);
  const habits = drawCallMix(seed);
  const timeline = createTimeline(BEGIN);
  const { table, scene, state: before } = await prepareTable(timeline, weather);
  const network: Network = {
    ...{ timeline, seed, table, weather, note: onlooker?.note },
    ...{ spared: plan.spared, struck: [], suffered: new Map(), committed: [], newest: new Map(), requests: 0, hash: 0 },
  };
  const world = createWorld(network);
  const ops: Op[] = [];
  const made: string[] = [];
  const senders = new Map<string, number>();
  const ran: Ran = { scene, before, network, ops, made, senders, broken: world.broken };
  onlooker?.began(ran);
  let ticks = 0;
  const tick = () => ++ticks;
  /** Makes a call; in doubt it is made again, with its idempotency key where it has one. */
  const oneCall = async (client: number, n: number) => {
    const chance = createChance(mixed(seed, 3, client, n));
    const call = aCall(chance, habits, scene, () => `key ${client} ${n}`);
    const send = async (attempt: number): Promise<Op> => {
      const sender = 1_000 * (client + 1) + 10 * n + attempt;
      const request = `request-${client}-${n}-${attempt}`;
      senders.set(request, sender);
      const start = tick();
      const process = (client + (attempt > 0 ? chance.below(weather.processes) : 0)) % weather.processes;
      const outcome = await world.call(call, request, sender, process);
      const op: Op = { request, start, end: tick(), call, outcome };
      ops.push(op);
      learn(scene, op);
      return op;
    };
    const isKeyed = call.controls.idempotencyKey !== undefined;
    // A client that is in doubt sends the same call again while the first is still under way.
    const first = isKeyed && chance.happens(0.2) ? await Promise.all([send(0), send(1)]) : [await send(0)];
    let doubtful = first.every(({ outcome }) => isDoubtful(outcome));
    for (let attempt = 2; isKeyed && doubtful && attempt < 5; attempt++) {
      await until(world, timeline.now() + chance.next() * 2_000);
      doubtful = isDoubtful((await send(attempt)).outcome);
    }
  };
  let working = plan.clients;
  const clients = Array.from({ length: plan.clients }, async (_, client) => {
    for (let n = 0; n < plan.calls; n++) {
      const name = `${client}.${n}`;
      const chance = createChance(mixed(seed, 1, client, n));
      if (plan.skipped.has(name)) continue;
      made.push(name);
      await until(world, momentOf(seed, n) + thinkingOf(chance));
      await oneCall(client, n);
    }
    working -= 1;
  });
  const failed = Promise.all(clients);
  // Without an end to it a client that waits for ever would never be noticed.
  sweepNowAndThen(world, () => working > 0 && timeline.now() < BEGIN + LONGEST_MS);
  await timeline.run(() => working === 0);
  if (working > 0) world.broken.push(`${working} clients wait for ever`);
  else {
    await failed;
    for (const ledger of world.turnsTaken([...scene.sites.map(({ id }) => id), TAGS.model]))
      world.broken.push(`the turn of ${ledger} was never given back`);
    await comeToRest(world);
  }
  return ran;
}

function momentOf(seed: number, n: number): number {
  let moment = BEGIN;
  for (let burst = 1; burst <= Math.floor(n / BURST); burst++)
    moment += 300 + createChance(mixed(seed, 2, burst)).next() ** 4 * 150_000;
  return moment;
}

function thinkingOf(chance: ReturnType<typeof createChance>): number {
  return chance.happens(0.8) ? chance.next() * 20 : chance.next() * 400;
}

/** A moment of virtual time; where it has passed, some time from now. */
function until({ network: { timeline } }: World, moment: number): Promise<void> {
  const late = timeline.now() - BEGIN;
  return new Promise((resolve) => timeline.at(Math.max(moment, BEGIN + late + (moment % 7)), resolve));
}

const PASSING: ReadonlySet<string> = new Set(["out_of_time", "unavailable", "throttled", "contention", "job_running"]);

function isDoubtful(outcome: Outcome) {
  return "problem" in outcome && PASSING.has(outcome.problem.code);
}

const KIND_MADE: Readonly<Record<string, Kind>> = {
  type_create: "type",
  entity_create: "entity",
  entity_attribute_create: "attribute",
  relationship_create: "relationship",
  relationship_attribute_create: "attribute",
  business_key_create: "business_key",
  tag_local_create: "tag",
};

/** Takes in the facts about the models that an answer tells, for the calls that follow. */
export function learn(
  { sites, globalTags }: Scene,
  { request, call, outcome }: Pick<Op, "request" | "call" | "outcome">,
): void {
  if (!("answer" in outcome)) return;
  const { body, etag } = outcome.answer;
  const site = sites.find(({ id }) => etag?.startsWith(id));
  const revision = Number(/-(\d+)(?:\.\d+)?$/.exec(etag ?? "")?.[1]);
  if (site && revision > site.revision) site.revision = revision;
  if (site && (body as { readonly changed?: boolean } | undefined)?.changed) site.requests.push(request);
  const name = call.action.split("/")[1] ?? "";
  const { id } = Object(body) as { readonly id?: string };
  const kind = KIND_MADE[name];
  if (site && kind && id !== undefined) site.ids.set(kind, [...(site.ids.get(kind) ?? []), id]);
  if (name === "tag_global_create" && id !== undefined) globalTags.push(id);
}

function sweepNowAndThen(world: World, isOn: () => boolean) {
  const { timeline, seed } = world.network;
  const chance = createChance(mixed(seed, 4));
  let runs = 0;
  const next = () => {
    if (!isOn()) return;
    timeline.at(timeline.now() + 1_000 + chance.next() * 20_000, () => {
      if (!isOn()) return;
      void world.sweep(SWEEPERS + runs++);
      next();
    });
  };
  next();
}

const SWEEPERS = 2_000_000;
const HOUR_MS = 3_600_000;
/** Rounds after which everything has to be swept. */
const MOST_ROUNDS = 25;

/** Lets what is late arrive, works on what waits, and sweeps until nothing is left; then a day passes. */
async function comeToRest(world: World) {
  const { network } = world;
  const { timeline } = network;
  network.weather = CALM;
  const pass = async (ms: number) => {
    let over = false;
    timeline.at(timeline.now() + ms, () => {
      over = true;
    });
    await timeline.run(() => over);
  };
  let quiet = 0;
  for (let round = 0; quiet < 2; round++) {
    if (round > MOST_ROUNDS) {
      world.broken.push("the sweeper and the workers never come to an end");
      return;
    }
    await pass(100_000);
    let swept: number | undefined;
    void world.sweep(SWEEPERS + 500_000 + round).then((count) => {
      swept = count;
    });
    await pass(61_000);
    quiet = swept === 0 && world.busy() === 0 ? quiet + 1 : 0;
  }
  await pass(26 * HOUR_MS);
}
