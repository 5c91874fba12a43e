import { expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../../support/chance.ts";
import { createWorld, type World } from "../../support/world.ts";

const MODELS = ["key:a", "key:b"];
const KEYS = ["x", "y", "z"];
const WRITES = 60;
/** Runs of the test, each on a model of its own. */
const RUNS = countOfRun("METACTION_WARM_RUNS", 5);

type Call = readonly [action: string, payload: object];

/** A call that may or may not find what it names. */
function anyWrite({ pick, happens }: Chance): Call {
  const modelRef = pick(MODELS);
  const [key, another] = [pick(KEYS), pick(KEYS)];
  const entity = { modelRef, entityRef: `key:${key}` };
  const attribute = { ...entity, attributeRef: `key:${another}` };
  return pick<Call>([
    ["model/type_create", { modelRef, typeKey: key }],
    ["model/type_delete", { modelRef, typeRef: `key:${key}` }],
    ["model/type_update_key", { modelRef, typeRef: `key:${key}`, value: another }],
    ["model/entity_create", { modelRef, entityKey: key }],
    ["model/entity_create", { modelRef, entityKey: another }],
    ["model/entity_delete", entity],
    ["model/entity_update_key", { ...entity, value: another }],
    ["model/entity_update_description", { ...entity, value: (happens(0.2) ? "long " : "short ").repeat(600) }],
    ["model/entity_attribute_create", { ...entity, attributeKey: another, type: `key:${key}`, optional: true }],
    ["model/entity_attribute_create", { ...entity, attributeKey: key, type: `key:${another}`, optional: true }],
    ["model/entity_attribute_update_key", { ...attribute, value: key }],
    ["model/entity_attribute_delete", attribute],
    ["model/business_key_create", { ...entity, key: another, participants: [] }],
    ["model/business_key_delete", { modelRef, businessKeyRef: `key:${another}` }],
    ["model/model_update_name", { modelRef, value: another }],
    ["model/model_release", { modelRef, value: `${happens(0.5) ? 1 : 2}.0.0` }],
  ]);
}

function reads(modelRef: string): readonly Call[] {
  return [
    ["model/model_export", { modelRef }],
    ["model/type_list", { modelRef }],
    ["model/entity_list", { modelRef, limit: 2 }],
    ["model/business_key_list", { modelRef }],
    ...KEYS.flatMap((key): readonly Call[] => [
      ["model/entity_get", { modelRef, entityRef: `key:${key}` }],
      ["model/entity_attribute_list", { modelRef, entityRef: `key:${key}` }],
      ["model/business_key_get", { modelRef, businessKeyRef: `key:${key}` }],
    ]),
  ];
}

async function told(world: World, [action, payload]: Call): Promise<unknown> {
  try {
    return await world.run(action, payload);
  } catch (error) {
    if (error instanceof Problem && error.code !== "internal") return { refused: error.code, message: error.message };
    throw error;
  }
}

test("processes with caches answer like one without a cache", {
  timeout: 300_000,
}, async () => {
  const seed = seedOf("warm-random");
  for (let run = 0; run < RUNS; run++) {
    const chance = createChance(seed + run);
    const cold = await createWorld({ cachedObjects: 0 });
    const kept = [LIMITS.cachedObjects, LIMITS.cachedObjects, 12];
    const warm = await Promise.all(kept.map((cachedObjects) => createWorld({ beside: cold, cachedObjects })));
    for (const model of MODELS) await cold.run("model/model_create", { key: model.slice(4), name: "M" });
    for (let i = 0; i < WRITES; i++) {
      const writer = chance.pick([cold, ...warm]);
      const write = anyWrite(chance);
      // A dry run tells what the write itself would do.
      const foreseen = await foreseenBy(chance.pick(warm), write);
      const done = await told(writer, write);
      if (isRefusal(done) || isRefusal(foreseen)) expect(foreseen, `seed ${seed + run}, write ${i}`).toEqual(done);
      const read = chance.pick(reads(chance.pick(MODELS)));
      const right = await told(cold, read);
      for (const world of warm) {
        expect(
          await told(world, read),
          `seed ${seed + run}, after write ${i}: ${JSON.stringify([write, read])}`,
        ).toEqual(right);
      }
    }
  }
});

function isRefusal(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}

async function foreseenBy(world: World, [action, payload]: Call): Promise<unknown> {
  try {
    return (await world.answer(action, payload, world.people.admin, { dryRun: true })).body;
  } catch (error) {
    if (error instanceof Problem) return { refused: error.code, message: error.message };
    throw error;
  }
}
