import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Action, isWrite } from "../../shared/actions/contract/action.ts";
import { ACTIONS } from "../support/actions.ts";
import { carried, posted } from "./support/fuzz/carry.ts";
import type { FuzzRequest } from "./support/fuzz/exchange.ts";
import { mutantsOf } from "./support/fuzz/mutants.ts";
import { type ClosedInternet, openClosedInternet } from "./support/fuzz/source.ts";
import { createTally, fuzzRun, printTally, runFuzz, share } from "./support/fuzz/suite.ts";
import type { FuzzWorld } from "./support/fuzz/world.ts";
import { isOfAccounts } from "./support/grants/account-calls.ts";
import { type PayloadJson, samplePayload, validPayload } from "./support/payloads.ts";

const run = fuzzRun("HTTP fuzz from the action schemas");
const tally = createTally();
let internet: ClosedInternet | undefined;

beforeAll(async () => {
  internet = await openClosedInternet();
});
afterAll(async () => {
  await internet?.close();
  printTally("HTTP fuzz from the action schemas", tally);
});

/** Inputs to accounts would end the tokens of those who send them; test/actions/auth-*.test.ts sends what is hostile there. */
const FUZZED = ACTIONS.filter((action) => !isOfAccounts(action));

const EACH = 3;

const suite = (title: string, runs: number) => {
  if (!internet) throw new Error("the internet is opened before the first test");
  return { title, runs, seed: run.seed, tally, importer: internet.importer };
};

/** Inputs to every action that has something to address, each action as often as the others. */
function toActions(
  fuzz: FuzzWorld,
  inputs: (action: Action, payload: PayloadJson) => fc.Arbitrary<FuzzRequest>,
): fc.Arbitrary<FuzzRequest> {
  const possible = FUZZED.flatMap((action) => {
    const payloads = validPayload(action, fuzz.known);
    return payloads ? [{ action, payloads }] : [];
  });
  return fc
    .constantFrom(...possible)
    .chain(({ action, payloads }) => payloads.chain((payload) => inputs(action, payload)));
}

/** The headers of the administrator: with other callers, test/http/problem-response.test.ts proves that nothing is read. */
const adminHeaders = ({ world }: FuzzWorld) => [["authorization", `Bearer ${world.people.admin}`]] as const;

function controlsFor(action: Action, key: number): fc.Arbitrary<readonly (readonly [string, string])[]> {
  if (!isWrite(action)) return fc.constant([]);
  return fc.constantFrom(
    [],
    [],
    [],
    [["dry-run", "true"]],
    [["dry-run", "false"]],
    [["idempotency-key", `key-${key}`]],
  );
}

describe("HTTP fuzz from the action schemas", { timeout: 900_000 }, () => {
  test("a valid input is never refused for its form, over any transport", async () => {
    await runFuzz({
      ...suite("valid inputs", share(run, 0.25)),
      inputs: (fuzz) =>
        toActions(fuzz, (action, payload) =>
          fc.nat().chain((key) =>
            controlsFor(action, key).chain((controls) =>
              carried(action, payload, {
                tries: "a valid input",
                headers: [...adminHeaders(fuzz), ...controls],
                expected: "accepted",
              }),
            ),
          ),
        ),
    });
    // Chance alone leaves some actions out of a short run.
    await runFuzz({
      ...suite("valid inputs to each action", EACH * FUZZED.length),
      inputs: (fuzz, from, count) =>
        Array.from({ length: count }, (_, i) => from + i).flatMap((n) => {
          const action = FUZZED[n % FUZZED.length];
          const payload = action && samplePayload(action, fuzz.known, run.seed + n);
          const around = { tries: "a valid input", headers: adminHeaders(fuzz), expected: "accepted" as const };
          return action && payload ? [{ ...posted(action, JSON.stringify(payload), around), payload }] : [];
        }),
    });
    const ended = (action: Action) => [...(tally.byAction.get(`${action.group}/${action.name}`)?.keys() ?? [])];
    const names = (actions: readonly Action[]) => actions.map((action) => `${action.group}/${action.name}`);
    // Got through to what the world holds, be it nothing or too much for the call.
    const reached = (action: Action) => ended(action).some((status) => status !== 400 && status !== 403);
    expect(names(FUZZED.filter((action) => !reached(action)))).toEqual([]);
    const failed = FUZZED.filter((action) => !ended(action).includes(200));
    process.stdout.write(`actions that never succeeded: ${names(failed).join(", ")}\n`);
    expect(failed.length).toBeLessThan(FUZZED.length / 4);
  });

  test("a mutated payload is answered or refused, and refused if it violates the schema", async () => {
    await runFuzz({
      ...suite("payloads with something done to them", share(run, 0.5)),
      inputs: (fuzz) =>
        toActions(fuzz, (action, payload) =>
          mutantsOf(action, payload).map(({ tries, body, expected }) =>
            posted(action, body, { tries, headers: adminHeaders(fuzz), expected }),
          ),
        ),
    });
  });
});
