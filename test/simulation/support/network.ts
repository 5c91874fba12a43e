import { Problem } from "../../../shared/domain/problems.ts";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import {
  Contention,
  type Item,
  OutcomeUnknown,
  type Table,
  Unread,
  type Write,
} from "../../../shared/store/table/table.ts";
import type { Conditions } from "./conditions.ts";
import { drawRequestFault, type RequestFault } from "./request-faults.ts";
import { mixed } from "./seeds.ts";
import { keyOf, type SimulatedTable } from "./simulated-table.ts";
import type { Timeline } from "./timeline.ts";

/** A process of the service: it may die, and it may stand still for a while. */
export interface Process {
  readonly number: number;
  alive: boolean;
  /** Milliseconds since the epoch. */
  frozenUntil: number;
  /** Functions that are called when the process dies. */
  readonly ended: (() => void)[];
}

/** A sender of requests: a call, a sweep or a run of a worker. Its faults come from its own chance. */
export interface Sender {
  readonly number: number;
  readonly process: Process;
  /** Milliseconds since the epoch. */
  readonly began: number;
  sent: number;
  writing: number;
}

/** A fault of a request, and how long after its sender began that was over, in milliseconds. */
export interface Suffered {
  readonly fate: RequestFault;
  readonly after: number;
}

/** The network between the processes and the table, with its delays and faults. */
export interface Network {
  readonly timeline: Timeline;
  readonly seed: number;
  readonly table: SimulatedTable;
  weather: Conditions;
  /** Faults left out, by `<sender>.<request>`: whoever shortens a schedule looks for those that matter. */
  readonly spared: ReadonlySet<string>;
  readonly struck: string[];
  /** The same by the number of the sender. */
  readonly suffered: Map<number, readonly Suffered[]>;
  /** Called with the fate of each request. */
  readonly note: ((sender: Sender, describe: () => string) => void) | undefined;
  requests: number;
  /** A number that is the same wherever the same requests have the same fates at the same moments. */
  hash: number;
  /** Log items in the order in which transactions wrote them. */
  readonly committed: ItemKey[];
  /** The keys of the transactions that the newest commits of each ledger were made by, oldest first. */
  readonly newest: Map<string, (readonly ItemKey[])[]>;
}

/** Time after which a request is given up, in milliseconds; sooner where a deadline is near. */
const MOST_WAIT_MS = 10_000;
const LEAST_WAIT_MS = 500;

/** Has a process see something at a moment: never where it died, later where it stands still. */
export function deliver(timeline: Timeline, process: Process, moment: number, see: () => void): void {
  const meet = () => {
    if (!process.alive) return;
    if (process.frozenUntil > timeline.now()) timeline.at(process.frozenUntil, meet);
    else see();
  };
  if (moment <= timeline.now()) meet();
  else timeline.at(moment, meet);
}

function end(timeline: Timeline, process: Process) {
  process.alive = false;
  for (const told of process.ended) timeline.at(timeline.now(), told);
}

/** A request on its way. `apply` answers how long after it the writer is told, in milliseconds. */
interface Request<T> {
  readonly operation: keyof Table;
  readonly keys: () => readonly ItemKey[];
  readonly apply: (fate: RequestFault) => { readonly value: T; readonly toldAfter?: number };
}

/** The table as a sender sees it until a deadline, in milliseconds since the epoch. */
export function tableOf(network: Network, sender: Sender, deadline: number): Table {
  const { table, committed } = network;
  const send =
    <A, R>(operation: keyof Table, toKeys: (asked: A) => readonly ItemKey[], apply: (asked: A) => R) =>
    (asked: A): Promise<R> =>
      sent(network, sender, deadline, { operation, keys: () => toKeys(asked), apply: () => ({ value: apply(asked) }) });
  const batch = <R extends ItemKey>(operation: "batchPut" | "batchDelete", rows: readonly R[]): Promise<readonly R[]> =>
    sent(network, sender, deadline, {
      operation,
      keys: () => rows,
      apply: ({ fault }) => {
        const taken = fault === "half" ? Math.ceil(rows.length / 2) : rows.length;
        // The rows that `batchPut` leaves are of the type it was given.
        const left = table[operation](rows.slice(0, taken) as never) as readonly unknown[] as readonly R[];
        return { value: [...left, ...rows.slice(taken)] };
      },
    });
  return {
    get: send("get", (key) => [key], table.get),
    batchGet: (keys) =>
      sent(network, sender, deadline, {
        operation: "batchGet",
        keys: () => keys,
        apply: ({ fault }) => {
          if (fault !== "half" || keys.length < 2) return { value: table.batchGet(keys) };
          const taken = Math.ceil(keys.length / 2);
          throw new Unread(table.batchGet(keys.slice(0, taken)), keys.slice(taken));
        },
      }),
    query: send("query", ({ pk, prefix = "" }) => [{ pk, sk: prefix }], table.query),
    transactGet: send("transactGet", (keys) => keys, table.transactGet),
    write: send("write", (write) => [keyOf(write)], table.write),
    batchPut: (items) => batch("batchPut", items),
    batchDelete: (keys) => batch("batchDelete", keys),
    transactWrite: (writes) =>
      sent(network, sender, deadline, {
        operation: "transactWrite",
        keys: () => writes.map(keyOf),
        apply: ({ hidden }) => {
          const { weather } = network;
          const delays = writes.map((w) => Math.min(hidden(), isLog(w) ? weather.logSpreadMs : weather.spreadMs));
          table.transactWrite(writes, delays);
          let logged = 0;
          for (const [i, w] of writes.entries()) {
            if (!isLog(w)) continue;
            committed.push(w.put);
            showOlder(network, w.put.pk, writes.map(keyOf));
            logged = Math.max(logged, delays[i] ?? 0);
          }
          return { value: undefined, toldAfter: weather.toldEarly ? logged : Math.max(0, ...delays) };
        },
      }),
  };
}

function isLog(write: Write): write is Write & { readonly put: Item } {
  return "put" in write && write.put.pk.startsWith("log#");
}

/** Shows the transaction after which a ledger had as many commits as may come before all of it is visible. */
function showOlder({ newest, table, weather }: Network, log: string, keys: readonly ItemKey[]) {
  const line = [...(newest.get(log) ?? []), keys];
  const older = line.length > weather.shownWithin ? line.shift() : undefined;
  if (older) table.show(older);
  newest.set(log, line);
}

function sent<T>(network: Network, sender: Sender, deadline: number, request: Request<T>): Promise<T> {
  const { timeline, weather, seed, spared, struck, suffered } = network;
  const left = deadline - timeline.now();
  if (left <= 0)
    return Promise.reject(new Problem("out_of_time", "the call ran out of time; try again", { retryAfter: 1 }));
  const nth = sender.sent++;
  const name = `${sender.number}.${nth}`;
  const patience = Math.min(MOST_WAIT_MS, left, Math.max(LEAST_WAIT_MS, left / 2));
  const calm = spared.has(name) ? { ...weather, faults: 0, deaths: 0, freezes: 0 } : weather;
  const fate = drawRequestFault(calm, seed, [sender.number, nth], request.operation, patience);
  if (fate.fault !== undefined) {
    struck.push(name);
    const after = timeline.now() - sender.began + fate.givenUp;
    suffered.set(sender.number, [...(suffered.get(sender.number) ?? []), { fate, after }]);
  }
  return new Promise((resolve, reject) => befall(network, sender, request, fate, { resolve, reject }));
}

type Waiting<T> = Pick<PromiseWithResolvers<T>, "resolve" | "reject">;

function befall<T>(network: Network, sender: Sender, request: Request<T>, fate: RequestFault, waiting: Waiting<T>) {
  const { timeline } = network;
  const { process } = sender;
  const { fault, arrives, givenUp, frozen } = fate;
  const sentAt = timeline.now();
  const say = (what: string) => {
    network.requests += 1;
    network.hash = mixed(network.hash, sender.number, timeline.now() * 1_000, what.length);
    network.note?.(sender, () => {
      const keys = request.keys().slice(0, 4);
      const shown = keys.map(({ pk, sk }) => `${pk}|${sk}`).join(" ");
      return `${request.operation} ${shown}${fault === undefined ? "" : ` [${fault}]`}: ${what}`;
    });
  };
  const arrive = (isHeard: boolean) => {
    try {
      const { value, toldAfter = 0 } = request.apply(fate);
      say("done");
      if (isHeard) deliver(timeline, process, timeline.now() + toldAfter, () => waiting.resolve(value));
    } catch (error) {
      say(error instanceof Error ? error.constructor.name : "failed");
      if (isHeard) deliver(timeline, process, timeline.now(), () => waiting.reject(error));
    }
  };
  const refuse = (moment: number, error: Error) =>
    deliver(timeline, process, moment, () => {
      say(error.message);
      waiting.reject(error);
    });
  if (fault === "dead") {
    say("the process dies");
    end(timeline, process);
    return;
  }
  if (fault === "throttled" || fault === "conflict") {
    refuse(sentAt + arrives, new Contention(fault === "throttled"));
    return;
  }
  if (fault === "dead-after" || fault === "frozen") {
    say(`the process ${fault === "frozen" ? "stands still" : "dies"}`);
    if (fault === "frozen") process.frozenUntil = Math.max(process.frozenUntil, sentAt + frozen);
    else end(timeline, process);
  }
  const isHeard = fault !== "unheard" && fault !== "late";
  if (fault !== "unsent") timeline.at(sentAt + arrives, () => arrive(isHeard));
  if (!isHeard || fault === "unsent") refuse(sentAt + givenUp, new OutcomeUnknown(LOST));
}

const LOST = new Error("no answer");
