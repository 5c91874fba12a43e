import fc from "fast-check";
import { expect } from "vitest";
import { isWrite } from "../../../../shared/actions/contract/action.ts";
import type { Importer } from "../../../../shared/actions/contract/ports.ts";
import { TAGS_LEDGER } from "../../../../shared/actions/contract/view.ts";
import { kindMade } from "../payloads.ts";
import { type FuzzRequest, type FuzzResponse, printed, type Send, throughChain } from "./exchange.ts";
import { faultsOf, parsed } from "./oracle.ts";
import { tableState } from "./table.ts";
import { createFuzzWorld, type FuzzWorld } from "./world.ts";

/** A suite of inputs of one sort. */
export interface FuzzSuite {
  readonly title: string;
  readonly seed: number;
  readonly runs: number;
  readonly importer: Importer;
  readonly tally: Tally;
  /** The inputs from number `first` on, made of what the world holds now: any of an arbitrary, or each of a list. */
  readonly inputs: (
    fuzz: FuzzWorld,
    first: number,
    count: number,
  ) => fc.Arbitrary<FuzzRequest> | readonly FuzzRequest[];
}

/** Counts of the inputs that a file of suites has sent and of their answers, printed at its end. */
export interface Tally {
  inputs: number;
  slow: number;
  worst: { ms: number; what: string };
  /** Status -> how often; by action, and by what was tried. */
  readonly byAction: Map<string, Map<number, number>>;
  readonly byCode: Map<string, number>;
}

/** An empty tally. */
export function createTally(): Tally {
  return { inputs: 0, slow: 0, worst: { ms: 0, what: "nothing" }, byAction: new Map(), byCode: new Map() };
}

/** Inputs between two looks at the whole table, and looks before a new world begins. */
const BATCH = 25;
const BATCHES_OF_WORLD = 16;

/** Sends the inputs one after the other and holds every answer, and the table, against what the contract promises. */
export async function runFuzz(suite: FuzzSuite): Promise<void> {
  let fuzz: FuzzWorld | undefined;
  let send: Send | undefined;
  const logged: string[] = [];
  const log = (line: string): void => {
    if (line.includes('"defect"')) logged.push(line);
  };
  for (let done = 0, batch = 0; done < suite.runs; done += BATCH, batch++) {
    if (!fuzz || !send || batch % BATCHES_OF_WORLD === 0) {
      fuzz = await createFuzzWorld(suite.importer, suite.seed + batch);
      send = throughChain(fuzz.service, log);
    }
    const runs = Math.min(BATCH, suite.runs - done);
    const what = `${suite.title}, METACTION_SEED=${suite.seed}, inputs from ${done}`;
    const inputs = suite.inputs(fuzz, done, runs);
    const before = tableState(await fuzz.dump());
    const tags = before.revisions.get(TAGS_LEDGER) ?? 0;
    const seen: Seen = { acknowledged: new Map(), tags, touched: false };
    const check = checking(fuzz, send, suite.tally, seen, logged);
    if (Array.isArray(inputs)) for (const input of inputs) await check(input);
    else await checkAll(inputs as fc.Arbitrary<FuzzRequest>, check, suite.seed + batch, runs, what);
    const after = tableState(await fuzz.dump());
    if (!seen.touched) expect(after, `${what}: the table of a batch that wrote nothing`).toEqual(before);
    expect(after.revisions, `${what}: newest revisions`).toEqual(new Map([...before.revisions, ...seen.acknowledged]));
  }
}

/** The effects of a batch of inputs, as far as their answers tell. */
interface Seen {
  /** Model id -> newest revision that an answer told of. */
  readonly acknowledged: Map<string, number>;
  /** The revision that the tags of groups had before. */
  readonly tags: number;
  touched: boolean;
}

async function checkAll(
  inputs: fc.Arbitrary<FuzzRequest>,
  check: (request: FuzzRequest) => Promise<void>,
  seed: number,
  runs: number,
  what: string,
): Promise<void> {
  const details = await fc.check(fc.asyncProperty(inputs, check), { seed, numRuns: runs });
  if (!details.failed) return;
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "no input could be made";
  expect.fail(`${what}, after ${details.numShrinks} shrinks: ${reason}`);
}

/** Sends one input and throws where anything about its answer is wrong. */
function checking(
  fuzz: FuzzWorld,
  send: Send,
  tally: Tally,
  seen: Seen,
  logged: readonly string[],
): (request: FuzzRequest) => Promise<void> {
  return async (request) => {
    const response = await send(request);
    count(tally, request, response);
    const written = fuzz.takeWritten();
    const ending = endingOf(request, response);
    for (const { model, revision } of ending.pins) seen.acknowledged.set(model, revision);
    // Which revision the tags have come to, the answer of an import does not tell.
    if (ending.tagsMoved) seen.acknowledged.set(TAGS_LEDGER, (seen.acknowledged.get(TAGS_LEDGER) ?? seen.tags) + 1);
    seen.touched ||= written.length > 0;
    const faults = [...faultsOf(request, response, fuzz.table), ...writeFaults(request, ending, written)];
    if (ending.pins.length > 0 && request.action && request.payload) {
      fuzz.known.learn(request.action, request.payload, parsed(response.text));
    }
    if (faults.length === 0) return;
    const answer = `answer ${response.status} ${response.text.slice(0, 600)}`;
    throw new Error([faults.join("; "), printed(request), answer, logged.at(-1)?.slice(0, 900)].join("\n"));
  };
}

interface Ending {
  /** The revisions that were written; none where the answer says that nothing was. */
  readonly pins: readonly { readonly model: string; readonly revision: number }[];
  /** True where the tags of groups were written to beside the model. */
  readonly tagsMoved: boolean;
  readonly refused: boolean;
  readonly keyed: boolean;
}

function endingOf({ action, headers }: FuzzRequest, response: FuzzResponse): Ending {
  const body = response.status === 200 && action && isWrite(action) ? parsed(response.text) : undefined;
  const changed = body?.changed === true && body.dryRun !== true && !response.headers["idempotency-replayed"];
  const [, model = "", revision = ""] = /^"(tags|.{36})-(\d+)"$/.exec(response.headers.etag ?? "") ?? [];
  const all = (body?.revisions ?? [{ id: model, revision }]) as readonly { id: string; revision: number }[];
  return {
    pins: changed ? all.map((one) => ({ model: one.id, revision: Number(one.revision) })) : [],
    tagsMoved: changed && body.revisions === undefined && Number((body.counts ?? body).globalTags ?? 0) > 0,
    refused: response.status >= 400,
    keyed: headers.some(([name]) => name.toLowerCase() === "idempotency-key"),
  };
}

/** Items that a call leaves behind unseen when it makes a whole model and is refused at the very end. */
const UNSEEN = /^(stagings$|sweeps$|model#|ids#|tag#|blob#)/;

function writeFaults(
  { action }: FuzzRequest,
  { pins, refused, keyed }: Ending,
  written: readonly string[],
): readonly string[] {
  if (pins.length > 0) return written.length === 0 ? ["says that it wrote, and wrote nothing"] : [];
  const makesModel = action !== undefined && (action.manyModels === true || kindMade(action)?.name === "model");
  const seen = written.filter((pk) => {
    if (makesModel && refused && UNSEEN.test(pk)) return false;
    // A login counts wrong passwords, and ends the count when one is right, although its answer says nothing of that.
    if (action?.name === "login" && /^(attempts|audit)#/.test(pk)) return false;
    return !(keyed && !refused && pk.startsWith("idempotency#"));
  });
  return seen.length === 0 ? [] : [`says that it wrote nothing, and wrote ${[...new Set(seen)].join(", ")}`];
}

function count(tally: Tally, request: FuzzRequest, { status, ms, text }: FuzzResponse): void {
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

/** Tells what was seen: how many inputs, the slowest, how many took over a second, and the endings. */
export function printTally(title: string, tally: Tally): void {
  const { inputs, slow, worst, byCode, byAction } = tally;
  const endings = [...byCode].sort((a, b) => b[1] - a[1]).map(([code, times]) => `${code} ${times}`);
  const lines = [
    `${title}: ${inputs} inputs, slowest ${Math.round(worst.ms)} ms (${worst.what}), ${slow} over a second`,
    `  ${endings.join(", ")}`,
  ];
  if (process.env.METACTION_FUZZ_TABLE) {
    for (const [action, row] of [...byAction].sort()) {
      lines.push(
        `  ${action}: ${[...row]
          .sort()
          .map(([status, times]) => `${status} x ${times}`)
          .join(", ")}`,
      );
    }
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
