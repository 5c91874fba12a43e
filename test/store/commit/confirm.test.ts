import { describe, expect, test } from "vitest";
import { ACTIONS } from "../../support/actions.ts";
import { createWorld } from "../../support/world.ts";
import { scatterWrites } from "../support/fault-plan.ts";
import { createFaultTable, untilHidden } from "../support/fault-table.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { readPayload, sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver } from "../support/service-over.ts";

interface Question {
  readonly name: string;
  readonly payload: (scene: string) => object;
}

type Step = readonly [action: string, payload: object];

const on = (name: string, payload: object): Question => ({
  name,
  payload: (scene) => ({ modelRef: `key:${scene}`, ...payload }),
});

/** Every read of the catalogue, absences, refusals, and writes that change nothing. */
const QUESTIONS: readonly Question[] = [
  ...ACTIONS.filter((a) => a.group === "model" && a.intent === "read" && (a.target || a.within)).map(
    (a): Question => ({ name: a.name, payload: (scene) => readPayload(a.example, scene) }),
  ),
  on("entity_get", { entityRef: "key:client" }),
  on("entity_attribute_get", { entityRef: "key:customer", attributeRef: "key:number" }),
  on("entity_attribute_list", { entityRef: "key:customer", limit: 1 }),
  on("type_delete", { typeRef: "key:string" }),
  on("entity_update_key", { entityRef: "key:customer", value: "order" }),
  on("entity_update_name", { entityRef: "key:customer", value: "Customers" }),
  on("model_update_authority", { value: "system" }),
];

/** The changes that others make meanwhile, step by step, each chosen to tear apart what several reads have seen. */
const DISTURBANCES: { readonly [what: string]: (scene: string) => readonly Step[] } = {
  "an entity is renamed and its key taken by another": () => [
    ["entity_update_key", { entityRef: "key:customer", value: "client" }],
    ["entity_create", { entityKey: "customer", name: "Another" }],
  ],
  "two types swap their keys": () => [
    ["type_update_key", { typeRef: "key:string", value: "swap" }],
    ["type_update_key", { typeRef: "key:integer", value: "string" }],
    ["type_update_key", { typeRef: "key:swap", value: "integer" }],
  ],
  "an attribute is renamed against the order of a list": () => [
    ["entity_attribute_update_key", { entityRef: "key:customer", attributeRef: "key:name", value: "a" }],
    ["entity_attribute_update_key", { entityRef: "key:customer", attributeRef: "key:code", value: "z" }],
  ],
  "an entity is deleted and made again": () => [
    ["entity_delete", { entityRef: "key:customer" }],
    ["entity_create", { entityKey: "customer" }],
  ],
  "the model is renamed, then everything in it": (scene) => [
    ["model_update_key", { value: `${scene}-renamed` }],
    ["type_update_name", { modelRef: `key:${scene}-renamed`, typeRef: "key:string", value: "New" }],
    ["model_update_name", { modelRef: `key:${scene}-renamed`, name: "New" }],
    ["entity_update_name", { modelRef: `key:${scene}-renamed`, entityRef: "key:customer", value: "N" }],
  ],
  "the model is deleted and another made with its key": (scene) => [
    ["model_delete", {}],
    ["model_create", { key: scene, name: "Another", modelRef: undefined }],
  ],
};

const world = await createWorld();
let scenes = 0;

async function newScene(): Promise<string> {
  scenes += 1;
  const scene = `scene-${scenes}`;
  await world.run("model/import", { content: sceneDocument(scene) });
  return scene;
}

function takeStep(caller: Caller, [action, payload]: Step, scene: string): Promise<Outcome> {
  const whole = Object.entries({ modelRef: `key:${scene}`, ...payload }).filter(([, value]) => value !== undefined);
  return caller.call(action, Object.fromEntries(whole));
}

function openProcesses() {
  const table = createFaultTable(world.table);
  const [quiet, caller] = [world.table, table].map((on) => serviceOver(world, on, quickRuntime())) as [Caller, Caller];
  return { quiet, table, caller };
}

/** Returns the code of the problem, or the body with its entity tag; the answer of a change has the revision. */
function told({ answer, problem }: Outcome): string {
  if (!answer) return String(problem?.code);
  const body = JSON.stringify(answer.body);
  return body.includes('"changed":true') ? body : `${answer.etag}: ${body}`;
}

const learn = (asked: Promise<Outcome>): Promise<string> => asked.then(told, (error: unknown) => `DEFECT ${error}`);

/** The answer as it would be right now, with nobody else about; a dry run, so that nothing moves. */
async function askQuietly(quiet: Caller, question: Question, scene: string): Promise<string> {
  const isRead = ACTIONS.find((a) => a.name === question.name)?.intent === "read";
  const outcome = await quiet.call(question.name, question.payload(scene), { dryRun: !isRead });
  const { answer } = outcome;
  // A dry run shows its changes beside the answer; one that would change something is no answer this test looks for.
  if (isRead || !answer) return told(outcome);
  const { dryRun: _, changes: __, ...body } = answer.body as Record<string, unknown>;
  return told({ ...outcome, answer: { ...answer, body } });
}

/** Asks while the steps come about before the calls given; answers the right answers of the meantime and the one given. */
async function interleaved(
  question: Question,
  steps: readonly Step[],
  scene: string,
  before: (step: number) => number,
) {
  const { quiet, table, caller } = openProcesses();
  const right: string[] = [await askQuietly(quiet, question, scene)];
  const doStep = async (step: Step) => {
    const { problem } = await takeStep(quiet, step, scene);
    if (problem) throw problem;
    right.push(await askQuietly(quiet, question, scene));
  };
  const doSteps = async (group: readonly (readonly [number, Step])[]) => {
    for (const [, step] of group) await doStep(step);
  };
  const byCall = [...Map.groupBy(steps.entries(), ([i]) => before(i))];
  const rules = byCall.map(([nth, group]) => ({ match: { nth }, do: { before: () => doSteps(group) } }));
  table.arm({ pageRows: 4, rules });
  const given = await learn(caller.call(question.name, question.payload(scene)));
  return { right, given, calls: table.trace.length };
}

const CASES = Object.entries(DISTURBANCES).flatMap(([what, steps]) =>
  QUESTIONS.map((question) => {
    const title = `${what}: ${question.name} ${JSON.stringify(question.payload("crm"))}`;
    return [title, steps, question] as const;
  }),
);

describe.concurrent("an answer was true at one point in time during the call", () => {
  test.each(CASES)("when %s", async (_, steps, question) => {
    const wrong: string[] = [];
    let calls = 6;
    for (let nth = 1; nth <= calls; nth++) {
      // All at once; from the first call on also one step before each.
      for (const before of [() => nth, ...(nth === 1 ? [(step: number) => nth + step] : [])]) {
        const scene = await newScene();
        const run = await interleaved(question, steps(scene), scene, before);
        calls = Math.min(calls, run.calls);
        if (!run.right.includes(run.given)) {
          const [given, right] = [run.given.slice(0, 300), run.right.join(" | ").slice(0, 900)];
          wrong.push(`before call ${nth}: ${given} is not one of ${right}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe.concurrent("while the items of a transaction become visible one by one", () => {
  test.each(
    CASES,
  )("an answer is the one before or the one after, and never the one before again: %s", async (_, steps, question) => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= 2; seed++) {
      const scene = await newScene();
      const { quiet, table, caller } = openProcesses();
      const [first] = steps(scene) as [Step];
      const old = await askQuietly(quiet, question, scene);
      table.arm({ rules: [scatterWrites(seed, 3 * seed - 3, false)] });
      const writing = takeStep(caller, first, scene);
      await untilHidden(table, writing);
      const now = await askQuietly(quiet, question, scene);
      const ask = (): Promise<string> => learn(caller.call(question.name, question.payload(scene)));
      const given = await ask();
      // Where the question is a write that does something by now, asking again would be another one.
      const again = given.includes('"changed":true') ? given : await ask();
      await table.settle();
      expect((await writing).problem).toBeUndefined();
      const right = (given === old && again === old) || ((given === old || given === now) && again === now);
      if (!right) {
        const [a, b, c, d] = [given, again, old, now].map((text) => text.slice(0, 200));
        wrong.push(`seed ${seed}: ${a} then ${b} between ${c} and ${d}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
