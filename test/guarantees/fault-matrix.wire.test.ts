import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { openProxiedTable, type Passage } from "../store/support/table-proxy.ts";
import { createWorld, type World } from "../support/world.ts";
import { MATRIX_CASES, type MatrixCase } from "./support/matrix/cases.ts";
import { faultsOf, type Struck, strike } from "./support/matrix/strike.ts";

/** A fault below the AWS SDK: `passage` gives it for a request; `passes` is true if the call must succeed anyway. */
interface WireFault {
  readonly name: string;
  readonly passage: (operation: string) => Passage;
  readonly passes: boolean;
}

const throttling = (error: string): WireFault => ({ name: error, passage: () => ({ error }), passes: true });

const FAULTS: readonly WireFault[] = [
  throttling("ThrottlingException"),
  throttling("ProvisionedThroughputExceededException"),
  throttling("RequestLimitExceeded"),
  {
    name: "TransactionConflict",
    passage: (operation) =>
      operation.startsWith("Transact")
        ? { error: "TransactionCanceledException", reasons: ["TransactionConflict"] }
        : { error: "TransactionConflictException" },
    passes: true,
  },
  { name: "500", passage: () => ({ error: "InternalServerError", status: 500 }), passes: false },
  { name: "cut", passage: () => "cut", passes: false },
  { name: "answer cut", passage: () => "cut-answer", passes: false },
];

/** The quick run takes a few writes of all sorts, with one fault after the other; `METACTION_MATRIX=all` takes everything. */
const ALL = process.env.METACTION_MATRIX === "all";
const QUICK = [
  ...["entity_create", "model_copy", "model_delete", "tag_global_create"],
  "batch_run in two models and the tags of all",
];
const CASES = ALL ? MATRIX_CASES : MATRIX_CASES.filter(({ title }) => QUICK.includes(title));

let opened: Awaited<ReturnType<typeof openProxiedTable>>;
let world: World;

beforeEach(async () => {
  opened = await openProxiedTable();
  world = await createWorld({ table: opened.direct });
});

afterEach(() => opened.proxy.stop());

function struckBy(nth: number, fault: WireFault | undefined): Struck {
  let requests = 0;
  opened.proxy.decide((operation) => {
    requests += 1;
    return requests === nth && fault ? fault.passage(operation) : "pass";
  });
  return { table: createDynamoTable(opened.proxied), calls: () => requests, settle: async () => undefined };
}

async function strikeEverywhere(one: MatrixCase): Promise<readonly string[]> {
  const { calls } = await strike(world, one, () => struckBy(0, undefined));
  expect(calls).toBeGreaterThan(2);
  const wrong: string[] = [];
  for (let nth = 1; nth <= calls; nth++) {
    for (const [i, fault] of FAULTS.entries()) {
      if (!ALL && nth % FAULTS.length !== i) continue;
      const faults = faultsOf(await strike(world, one, () => struckBy(nth, fault)), !fault.passes);
      wrong.push(...faults.map((what) => `${fault.name} at request ${nth}: ${what}`));
    }
  }
  return wrong;
}

describe("every write, with every fault below the SDK at each of its requests, repeated with the same key", () => {
  test.each(CASES)("$title answers correctly or not at all, and has exactly one effect in the end", {
    timeout: ALL ? 900_000 : 180_000,
  }, async (one) => {
    expect(await strikeEverywhere(one)).toEqual([]);
  });

  test("has a row for every write, or in the quick run for some of each kind", () => {
    expect(CASES).toHaveLength(ALL ? MATRIX_CASES.length : QUICK.length);
  });
});
