import { Problem } from "../../../../shared/domain/problems.ts";
import { logPartition } from "../../../../shared/store/table/keys.ts";
import type { Table } from "../../../../shared/store/table/table.ts";
import { checkModel, partition } from "../../../store/support/check-model.ts";
import { quickRuntime } from "../../../store/support/quick-runtime.ts";
import { readyScene, sceneDocument } from "../../../store/support/scene.ts";
import { type Outcome, serviceOver } from "../../../store/support/service-over.ts";
import type { World } from "../../../support/world.ts";
import type { MatrixCase } from "./cases.ts";

/** The table as the struck call sees it: one of its storage calls goes wrong. */
export interface Struck {
  readonly table: Table;
  calls(): number;
  /** Ends the fault, and brings about what is still to happen. */
  settle(): Promise<void>;
}

/** The outcomes of one write under a fault and of its repetition afterwards, with the effects of both. */
export interface Blow {
  readonly first: Outcome;
  readonly second: Outcome;
  readonly calls: number;
  /** How often each ledger tells of the call. */
  readonly effects: readonly number[];
  readonly faults: readonly string[];
}

/** Problem codes that a struck call may be answered with, when the fault hides its outcome or does not pass. */
const GIVEN_UP: ReadonlySet<string> = new Set(["unavailable", "out_of_time", "contention", "throttled"]);

let scenes = 0;

/** Runs a write on a scene of its own in a world, over a table that is struck, and once more with the same idempotency key. */
export async function strike(world: World, one: MatrixCase, struck: () => Struck): Promise<Blow> {
  scenes += 1;
  const key = `matrix-${scenes}`;
  await world.run("model/import", { content: sceneDocument(key) });
  const { id } = await world.run("model/model_get", { modelRef: `key:${key}` });
  await readyScene(one.title, key, (action, payload) => world.run(`model/${action}`, payload));
  await patiently(() => world.run("tag/tag_group_create", { key }));
  await patiently(() => world.run("tag/tag_global_create", { groupRef: `key:${key}`, key: "personal" }));
  const clock = quickRuntime();
  const payload = one.payload(key, id);
  if (/^tag\/.*_delete_property$/.test(one.action)) {
    const given = { ...payload, value: "To be taken away." };
    await patiently(() => world.run(one.action.replace("_delete_", "_update_"), given));
  }
  const controls = { idempotencyKey: key };
  const opened = struck();
  const first = await serviceOver(world, opened.table, clock).call(one.action, payload, controls);
  const calls = opened.calls();
  await opened.settle();
  const second = await serviceOver(world, world.table, clock).call(one.action, payload, controls);
  const ledgers = one.ledgers(second.answer, id);
  const requests = new Set([first.request, second.request]);
  const logs = await Promise.all(ledgers.map((ledger) => partition(world.table, logPartition(ledger))));
  const effects = logs.map((log) => log.filter(({ request }) => requests.has(String(request))).length);
  const faults = (await Promise.all(ledgers.map((ledger) => checkModel(world.table, ledger)))).flat();
  return { first, second, calls, effects, faults };
}

/** The scenes of all rows are made at the same time, and their groups belong to one ledger. */
async function patiently(make: () => Promise<unknown>) {
  for (;;) {
    try {
      await make();
      return;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "contention") throw error;
    }
  }
}

/** The faults of a write's outcomes: it has to be right or given up, and to have one effect in the end. */
export function faultsOf({ first, second, effects, faults }: Blow, mayGiveUp = true): readonly string[] {
  const said = first.problem?.code ?? "ok";
  const same = !first.answer || JSON.stringify(first.answer.body) === JSON.stringify(second.answer?.body);
  const wrong: string[] = [];
  if (!(said === "ok" ? same : mayGiveUp && GIVEN_UP.has(said))) wrong.push(`${said}, then another answer`);
  if (!second.answer) wrong.push(`the repeat ended in ${second.problem?.code}`);
  if (effects.length === 0 || effects.some((n) => n !== 1)) wrong.push(`${effects} effects`);
  return [...wrong, ...faults];
}
