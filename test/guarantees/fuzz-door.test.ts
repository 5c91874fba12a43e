import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Action } from "../../shared/actions/contract/action.ts";

import { ACTIONS } from "../support/actions.ts";
import { BROKEN_BODIES } from "./support/fuzz/bodies.ts";
import { adminOf } from "./support/fuzz/callers.ts";
import { posted } from "./support/fuzz/carry.ts";
import type { FuzzRequest } from "./support/fuzz/exchange.ts";
import { QUERY_TRICKS } from "./support/fuzz/query.ts";
import { fuzzRun, share } from "./support/fuzz/seed.ts";
import { type ClosedInternet, openClosedInternet } from "./support/fuzz/source.ts";
import { createTally, printTally, runFuzz } from "./support/fuzz/suite.ts";
import {
  CONTROL_TRICKS,
  HEADER_TRICKS,
  MEDIA_TRICKS,
  METHOD_TRICKS,
  PATH_TRICKS,
  type Trick,
  tricks,
} from "./support/fuzz/tricks.ts";
import type { FuzzWorld } from "./support/fuzz/world.ts";
import { samplePayload } from "./support/payloads.ts";
import { isOfAccounts } from "./support/reference/auth.ts";

const TITLE = "HTTP fuzz of what is around the payload";
const run = fuzzRun(TITLE);
const tally = createTally();
/** Inputs to accounts would end the tokens of those who send them. */
const FUZZED = ACTIONS.filter((action) => !isOfAccounts(action));
let internet: ClosedInternet | undefined;

beforeAll(async () => {
  internet = await openClosedInternet();
});
afterAll(async () => {
  await internet?.close();
  printTally(TITLE, tally);
});

const BODY_TRICKS = tricks(
  "the body",
  BROKEN_BODIES.map((body) => Buffer.from(body).toString("latin1")),
  (body) => ({ body: Buffer.from(body, "latin1"), expected: ["bad_request"] }),
);

/** Sends every trick to some action, and in a long run to every action; valid payloads made anew in each batch. */
async function play(title: string, set: readonly Trick[], part: number): Promise<void> {
  if (!internet) throw new Error("the internet is opened before the first test");
  const pairs = set.flatMap((trick) => FUZZED.filter(trick.applies).map((action) => ({ trick, action })));
  const shuffled =
    fc.sample(fc.shuffledSubarray(pairs, { minLength: pairs.length }), { seed: run.seed, numRuns: 1 })[0] ?? [];
  // Every trick once, then the others.
  const first = set.flatMap((trick) => shuffled.find((pair) => pair.trick === trick) ?? []);
  const order = [...first, ...shuffled.filter((pair) => !first.includes(pair))];
  await runFuzz({
    title,
    seed: run.seed,
    runs: Math.min(order.length, share(run, part, first.length)),
    tally,
    importer: internet.importer,
    inputs: (fuzz, from, count) =>
      order.slice(from, from + count).flatMap(({ trick, action }, i) => tricked(fuzz, trick, action, from + i) ?? []),
  });
}

function tricked(fuzz: FuzzWorld, trick: Trick, action: Action, number: number): FuzzRequest | undefined {
  const payload = samplePayload(action, fuzz.known, run.seed + number);
  if (!payload) return undefined;
  const around = { tries: trick.tries, headers: adminOf(fuzz.world).headers, expected: "accepted" as const };
  const base: FuzzRequest = { ...posted(action, JSON.stringify(payload), around), payload };
  return { ...base, ...trick.change(base, action, payload) };
}

describe(TITLE, { timeout: 900_000 }, () => {
  test.each<[string, readonly Trick[], number]>([
    ["bodies that are no JSON object", BODY_TRICKS, 0.1],
    ["query strings", QUERY_TRICKS, 0.1],
    ["paths", PATH_TRICKS, 0.07],
    ["methods", METHOD_TRICKS, 0.02],
    ["media types and encodings", MEDIA_TRICKS, 0.05],
    ["headers that change nothing", HEADER_TRICKS, 0.04],
    ["controls", CONTROL_TRICKS, 0.07],
  ])("%s", (title, set, part) => play(title, set, part));
});
