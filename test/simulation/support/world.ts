import { NO_CONTROLS, type Runtime, toUnreadPayload } from "../../../shared/actions/contract/call.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { toStaging } from "../../../shared/store/log/stagings.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { STAGINGS } from "../../../shared/store/table/keys.ts";
import { Contention, OutcomeUnknown, type Table, type Write } from "../../../shared/store/table/table.ts";
import type { Outcome } from "../../guarantees/support/history/clocked-world.ts";
import type { SentCall } from "../../guarantees/support/reference/answer.ts";
import { createChance } from "../../support/chance.ts";
import { dispatchNamed } from "../../support/dispatch-named.ts";
import { CALM } from "./conditions.ts";
import { deliver, type Network, type Process, type Sender, tableOf } from "./network.ts";
import { MOST_LATE_MS } from "./request-faults.ts";
import { mixed } from "./seeds.ts";
import { createShared, type Shared, simulatedService } from "./simulated-service.ts";

/** Counts the writes of a sender. `broken` is called if it begins or abandons a stage while it still writes. */
function countWrites(table: Table, sender: Sender, broken: (what: string) => void): Table {
  const counted = async <T>(write: () => Promise<T>): Promise<T> => {
    sender.writing += 1;
    try {
      return await write();
    } finally {
      sender.writing -= 1;
    }
  };
  const check = (writes: readonly Write[]) => {
    if (sender.writing === 0) return;
    for (const write of writes) {
      if (!("put" in write) || write.put.pk !== STAGINGS) continue;
      const { state } = toStaging(write.put);
      if (state === "closed") broken("a stage is given up by a sender that still writes");
      if (state === "open" && "absent" in write.expect) broken("a stage is begun by a sender that still writes");
    }
  };
  return {
    ...table,
    write: (write) => {
      check([write]);
      return counted(() => table.write(write));
    },
    transactWrite: (writes) => {
      check(writes);
      return counted(() => table.transactWrite(writes));
    },
    batchPut: (items) => counted(() => table.batchPut(items)),
    batchDelete: (keys) => counted(() => table.batchDelete(keys)),
  };
}

interface Running extends Process {
  readonly shared: Shared;
}

/** Processes that serve callers, work on jobs and sweep, all over one simulated network. */
export interface World {
  readonly network: Network;
  /** Calls the service; a call whose process dies ends without an answer. */
  call(sent: SentCall, request: string, sender: number, process: number): Promise<Outcome>;
  /** One run of the sweeper, as its schedule has it: jobs without a worker first. Answers how much it did. */
  sweep(sender: number): Promise<number>;
  readonly busy: () => number;
  /** The ledgers among the given ones whose turn is still taken, in a process that lives. */
  turnsTaken(ledgers: readonly string[]): readonly string[];
  /** Errors that are no problems, which nobody may ever see. */
  readonly broken: string[];
}

/** How long a worker may run, in milliseconds: as in the cloud, it ends before the second look at what it writes. */
const WORKER_MS = SWEEP.stagingMs + SWEEP.secondLookMs - MOST_LATE_MS;
const SWEEPER_MS = 60_000;
const WORKERS = 1_000_000;

export function createWorld(network: Network): World {
  const { timeline, seed } = network;
  const serving = new Map<number, Running>();
  const broken: string[] = [];
  let processes = 0;
  let workers = 0;
  let busy = 0;

  const newProcess = (): Running => {
    const shared = createShared(timeline.now);
    return { number: processes++, alive: true, frozenUntil: 0, ended: [], shared };
  };

  const toRuntime = (sender: Sender): Runtime => {
    const chance = createChance(mixed(seed, sender.number, -1));
    let ids = 0;
    return {
      now: () => Math.floor(timeline.now()),
      newId: () => idOf(timeline.now(), sender.number, ids++),
      random: chance.next,
      sleep: (ms, over) =>
        new Promise((resolve) => {
          deliver(timeline, sender.process, timeline.now() + ms, resolve);
          over?.addEventListener("abort", () => resolve());
        }),
    };
  };

  const meansOf = (sender: Sender) => ({
    runtime: toRuntime(sender),
    connect: (deadline: number) => countWrites(tableOf(network, sender, deadline), sender, (what) => broken.push(what)),
    startJob: async (id: string) => {
      const chance = createChance(mixed(seed, sender.number, -2));
      // An invocation may be lost if another follows, or come twice, as Lambda says of asynchronous ones.
      const times = network.weather === CALM ? 1 : chance.pick([0, 1, 1, 1, 1, 2]);
      for (let n = 0; n < times; n++) timeline.at(timeline.now() + 1 + chance.below(50), () => work(id));
    },
  });

  /** The result of some work, or "dead" when its process dies before. Afterwards a process may be stopped at any moment. */
  const orDead = <T>(sender: Sender, work: () => Promise<T>): Promise<T | "dead"> =>
    new Promise((resolve, reject) => {
      sender.process.ended.push(() => resolve("dead"));
      work()
        .finally(() => {
          if (sender.writing > 0) broken.push(`work ended with ${sender.writing} writes under way`);
        })
        .then(resolve, reject);
    });

  const report = (where: string, error: unknown) => {
    if (error instanceof Contention || error instanceof OutcomeUnknown || error instanceof Problem) return;
    broken.push(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };

  const work = (id: string) => {
    const process = newProcess();
    const sender: Sender = { number: WORKERS + workers++, process, began: timeline.now(), sent: 0, writing: 0 };
    const service = simulatedService(process.shared, meansOf(sender));
    busy += 1;
    orDead(sender, () => runJob(id, service, timeline.now() + WORKER_MS))
      .catch((error: unknown) => report(`job ${id}`, error))
      .finally(() => {
        busy -= 1;
      });
  };

  /** The table that the sweeper writes to; it notes as broken when a writer that still showed life is given up. */
  const watched = (table: Table): Table => ({
    ...table,
    transactWrite: (writes) => {
      for (const write of writes) {
        if (!("put" in write) || write.put.pk !== STAGINGS) continue;
        const { generation, state, since } = toStaging(write.put);
        const silence = timeline.now() - Date.parse(since);
        if (state !== "closed" || silence >= SWEEP.stagingMs) continue;
        broken.push(`the sweeper gives up ${generation}, whose writer showed life ${silence} ms ago`);
      }
      return table.transactWrite(writes);
    },
  });

  const processAt = (number: number): Running => {
    const there = serving.get(number);
    if (there?.alive) return there;
    const begun = newProcess();
    serving.set(number, begun);
    return begun;
  };

  return {
    network,
    broken,
    busy: () => busy,
    turnsTaken: (ledgers) =>
      [...serving.values()].flatMap(({ alive, shared }) =>
        alive ? ledgers.filter((ledger) => shared.turns.isTaken(ledger)) : [],
      ),
    call: async ({ action, caller, payload, controls }, request, number, processNumber) => {
      const process = processAt(processNumber);
      const sender: Sender = { number, process, began: timeline.now(), sent: 0, writing: 0 };
      const [group = "", name = ""] = action.split("/");
      const call = {
        ...{ group, name, token: caller, payload: toUnreadPayload(payload.body, payload.query) },
        controls: Object.keys(controls).length === 0 ? NO_CONTROLS : { ...NO_CONTROLS, ...controls },
        ...{ channel: "http" as const, requestId: request, deadline: timeline.now() + LIMITS.callMs },
      };
      const service = simulatedService(process.shared, meansOf(sender));
      try {
        const answer = await orDead(sender, () => dispatchNamed(call, service));
        if (answer !== "dead") return { answer };
        return { problem: new Problem("out_of_time", "the process died") };
      } catch (error) {
        if (error instanceof Problem) return { problem: error };
        broken.push(`${action}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return { problem: new Problem("internal", String(error)) };
      }
    },
    sweep: async (number) => {
      const process = newProcess();
      const sender: Sender = { number, process, began: timeline.now(), sent: 0, writing: 0 };
      const { runtime, connect, startJob } = meansOf(sender);
      const end = timeline.now() + SWEEPER_MS;
      const run = async (): Promise<number> => {
        const table = watched(connect(end));
        const jobs = createJobStore(table, runtime, startJob);
        for (const job of await jobs.listWaiting()) await startJob(job);
        const { closed, notes, items } = await sweep(table, runtime, () => timeline.now() < end - 20_000);
        return closed + notes + items;
      };
      const done = await orDead(sender, run).catch((error: unknown) => report("sweeper", error));
      return typeof done === "number" ? done : 1;
    },
  };
}

/** A version 7 UUID of a sender's own; those made later come later in order. */
function idOf(now: number, sender: number, count: number): string {
  const hex = (value: number, digits: number) => Math.floor(value).toString(16).padStart(digits, "0");
  const time = hex(now, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${hex(sender, 6)}${hex(count, 6)}`;
}
