import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import { isWrite } from "../../../../shared/actions/contract/action.ts";
import type { Importer } from "../../../../shared/actions/contract/ports.ts";
import { TAGS_LEDGER } from "../../../../shared/actions/contract/view.ts";
import { type ItemKey, logPartition, RUNS } from "../../../../shared/store/table/keys.ts";
import { countOfRun, seedOf } from "../../../support/chance.ts";
import { kindMade } from "../payloads.ts";
import { type FuzzRequest, type FuzzResponse, printed, type Send, throughChain } from "./exchange.ts";
import { faultsOf, parsed } from "./oracle.ts";
import { createFuzzWorld, type FuzzWorld, listCommits } from "./world.ts";

/** The seed of a fuzz file, and how many inputs there are in all files together. */
export interface FuzzRun {
  readonly seed: number;
  readonly runs: number;
}

/** Reads the run that the environment asks for. */
export function fuzzRun(title: string): FuzzRun {
  return { seed: seedOf(title), runs: countOfRun("METACTION_FUZZ_RUNS", 2_000) };
}

/** The part of all inputs that a suite takes, at least 25. */
export function share({ runs }: FuzzRun, part: number): number {
  return Math.max(25, Math.round(runs * part));
}

export interface FuzzSuite {
  readonly title: string;
  readonly seed: number;
  readonly runs: number;
  readonly importer: Importer;
  readonly tally: Tally;
  /** The inputs from number `first` on, made of what the world holds now: any of an arbitrary, or each of a list. */
  readonly inputs: (fuzz: FuzzWorld, first: number, count: number) => fc.Arbitrary<FuzzRequest> | FuzzRequest[];
}

/** Counts of the inputs that a file of suites has sent and of their answers, printed at its end. */
export interface Tally {
  inputs: number;
  slow: number;
  worst: { ms: number; what: string };
  /** How often each status was answered, by action. */
  readonly byAction: Map<string, Map<number, number>>;
  readonly byCode: Map<string, number>;
}

export function createTally(): Tally {
  return { inputs: 0, slow: 0, worst: { ms: 0, what: "nothing" }, byAction: new Map(), byCode: new Map() };
}

/** Inputs that are drawn from the same state of the world, and how many such batches a world is used for. */
const BATCH = 25;
const BATCHES_OF_WORLD = 16;

/** Sends the inputs one after the other and compares every answer, and what was written, with the contract. */
export async function runFuzz(suite: FuzzSuite): Promise<void> {
  let fuzz: FuzzWorld | undefined;
  let send: Send | undefined;
  const logged: string[] = [];
  const log = (line: string) => {
    if (line.includes('"defect"')) logged.push(line);
  };
  for (let done = 0, batch = 0; done < suite.runs; done += BATCH, batch++) {
    if (!fuzz || !send || batch % BATCHES_OF_WORLD === 0) {
      fuzz = await createFuzzWorld(suite.importer, suite.seed + batch);
      send = throughChain(fuzz.service, log);
    }
    const runs = Math.min(BATCH, suite.runs - done);
    const inputs = suite.inputs(fuzz, done, runs);
    const check = createCheck(fuzz, send, suite.tally, logged);
    if (Array.isArray(inputs)) {
      for (const input of inputs) await check(input);
      continue;
    }
    const checked = await fc.check(fc.asyncProperty(inputs, check), { seed: suite.seed + batch, numRuns: runs });
    if (!checked.failed) continue;
    const reason = checked.errorInstance instanceof Error ? checked.errorInstance.message : "no input could be made";
    const what = `${suite.title}, METACTION_SEED=${suite.seed}, inputs from ${done}`;
    expect.fail(`${what}, after ${checked.numShrinks} shrinks: ${reason}`);
  }
}

/** Returns a function that sends one input and throws where anything about its answer or its writes is wrong. */
function createCheck(fuzz: FuzzWorld, send: Send, tally: Tally, logged: readonly string[]) {
  return async (request: FuzzRequest): Promise<void> => {
    const response = await send(request);
    count(tally, request, response);
    const written = fuzz.takeWritten();
    const ending = await omitReads(fuzz, request, endingOf(request, response), written);
    const faults = [...faultsOf(request, response, fuzz.table), ...writeFaults(request, ending, written)];
    if (ending.commits.length > 0 && request.action && request.payload)
      fuzz.known.learn(request.action, request.payload, parsed(response.text));
    if (faults.length === 0) return;
    const answer = `answer ${response.status} ${response.text.slice(0, 600)}`;
    throw new Error([faults.join("; "), printed(request), answer, logged.at(-1)?.slice(0, 900)].join("\n"));
  };
}

interface Ending {
  /** The revisions that the answer says were written, by ledger. */
  readonly commits: readonly (readonly [ledger: string, revision: number])[];
  /** True where the tags of groups were written to beside the model, at a revision that the answer does not have. */
  readonly changedTags: boolean;
  readonly refused: boolean;
  readonly keyed: boolean;
}

function endingOf({ action, headers }: FuzzRequest, response: FuzzResponse): Ending {
  const body = response.status === 200 && action && isWrite(action) ? parsed(response.text) : undefined;
  const changed = body?.changed === true && body.dryRun !== true && !response.headers["idempotency-replayed"];
  const [, id = "", revision = ""] = /^"(tags|.{36})-(\d+)"$/.exec(response.headers.etag ?? "") ?? [];
  const all = (body?.revisions ?? [{ id, revision }]) as readonly { id: string; revision: number }[];
  return {
    commits: changed ? all.map((one) => [one.id, Number(one.revision)] as const) : [],
    changedTags: changed && body.revisions === undefined && Number((body.counts ?? body).globalTags ?? 0) > 0,
    refused: response.status >= 400,
    keyed: headers.some(([name]) => name.toLowerCase() === "idempotency-key"),
  };
}

/** Omits the models that a batch only read: its answer has their newest revisions, even after other writes. */
async function omitReads({ world }: FuzzWorld, { action }: FuzzRequest, ending: Ending, written: readonly ItemKey[]) {
  const ledgers = new Set(listCommits(written).map(([ledger]) => ledger));
  if (!action?.manyModels || ledgers.size === 0) return ending;
  const commits: Ending["commits"][number][] = [];
  for (const commit of ending.commits) {
    const [ledger, revision] = commit;
    const { items } = await world.table.query({ pk: logPartition(ledger), descending: true, limit: 1 });
    if (ledgers.has(ledger) || Number(items[0]?.sk) !== revision) commits.push(commit);
  }
  return { ...ending, commits };
}

/** Items that a call leaves behind unseen when it makes a whole model and is refused at the very end. */
const UNSEEN = /^(stagings$|sweeps$|model#|ids#|tag#|blob#)/;

/** The log has the revisions of the answer and no others; a call that says that it changed nothing wrote nothing. */
function writeFaults(
  { action }: FuzzRequest,
  { commits, changedTags, refused, keyed }: Ending,
  written: readonly ItemKey[],
): readonly string[] {
  const logged = listCommits(written).filter(([ledger]) => !(changedTags && ledger === TAGS_LEDGER));
  if (!isDeepStrictEqual(logged.toSorted(), commits.toSorted()))
    return [`says that it wrote ${JSON.stringify(commits)}, and wrote ${JSON.stringify(logged)}`];
  if (commits.length > 0) return [];
  const makesModel =
    action !== undefined &&
    (action.manyModels === true || action.findsDeleted === true || kindMade(action)?.name === "model");
  const seen = written.filter(({ pk }) => {
    if (makesModel && refused && UNSEEN.test(pk)) return false;
    // A login counts wrong passwords, and ends the count when one is right, although its answer says nothing of that.
    if (action?.name === "login" && /^(attempts|audit)#/.test(pk)) return false;
    if (action?.name === "run_begin" && pk === RUNS) return false;
    return !(keyed && !refused && pk.startsWith("idempotency#"));
  });
  return seen.length === 0 ? [] : [`says that it wrote nothing, and wrote ${seen.map(({ pk }) => pk).join(", ")}`];
}

function count(tally: Tally, request: FuzzRequest, { status, ms, text }: FuzzResponse) {
  tally.inputs += 1;
  if (ms > 1_000) tally.slow += 1;
  if (ms > tally.worst.ms)
    tally.worst = { ms, what: `${request.method} ${request.target.slice(0, 60)}: ${request.tries}` };
  const action = request.action ? `${request.action.group}/${request.action.name}` : "none";
  const row = tally.byAction.get(action) ?? new Map<number, number>();
  tally.byAction.set(action, row.set(status, (row.get(status) ?? 0) + 1));
  const code = status >= 400 ? String(parsed(text)?.code) : String(status);
  tally.byCode.set(code, (tally.byCode.get(code) ?? 0) + 1);
}

/** Prints how many inputs there were, the slowest, how many took over a second, and the endings. */
export function printTally(title: string, { inputs, slow, worst, byCode }: Tally): void {
  const endings = [...byCode].sort((a, b) => b[1] - a[1]).map(([code, times]) => `${code} ${times}`);
  const slowest = `slowest ${Math.round(worst.ms)} ms (${worst.what}), ${slow} over a second`;
  process.stdout.write(`${title}: ${inputs} inputs, ${slowest}\n  ${endings.join(", ")}\n`);
}
