import { LIMITS, scaleLimit } from "../../../shared/domain/limits.ts";
import type { Attribute, Entity } from "../../../shared/domain/model/objects.ts";
import type { LogEntry } from "../../../shared/store/log/log.ts";
import { createObjectsRead, ModelCache } from "../../../shared/store/read/model-cache.ts";

/* Fills the caches of a function with "objects", "models" or nothing; prints their weight and the used heap. */
const [, , megabytes = "", filling = ""] = process.argv;
const room = scaleLimit(LIMITS.cachedObjects, Number(megabytes));
const now = Date.parse("2026-11-22T12:00:00.000Z");
const cache = new ModelCache(() => now, room);

const OF_ONE_MODEL = 500;

function attributeOf(model: number, i: number): Attribute {
  const key = `attribute_${i}`;
  return JSON.parse(
    JSON.stringify({
      kind: "attribute",
      id: `0193b3c2-7a5e-7000-8000-${String(model * OF_ONE_MODEL + i).padStart(12, "0")}`,
      key,
      owner: `0193b3c2-7a5e-7000-9000-${String(model).padStart(12, "0")}`,
      name: `Attribute ${i} of the model ${model}`,
      description:
        `What ${key} says of an order, in a sentence that is as long as sentences of descriptions are.`.repeat(3),
      type: `0193b3c2-7a5e-7000-a000-${String(model).padStart(12, "0")}`,
      optional: false,
      order: i,
      revision: 1,
    }),
  );
}

function learn(model: number) {
  const entry = {
    revision: 1,
    key: `model_${model}`,
    generation: "g",
    state: "live",
    touched: [],
  } as unknown as LogEntry;
  const facts = createObjectsRead();
  if (filling === "models")
    return void cache.learn({ ledgerId: `model-${model}`, generation: "g", head: { entry, recent: [entry] }, facts });
  const owner = attributeOf(model, 0).owner;
  const entity: Partial<Entity> = { kind: "entity", id: owner, key: "order", revision: 1 };
  facts.objects.set("entity#order", entity as Entity);
  for (let i = 0; i < OF_ONE_MODEL; i += 1) {
    const attribute = attributeOf(model, i);
    facts.objects.set(`attribute#${attribute.owner}#${attribute.key}`, attribute);
  }
  cache.learn({ ledgerId: `model-${model}`, generation: "g", head: { entry, recent: [entry] }, facts });
}

if (filling !== "empty") {
  // Some models more than there is room for, so that the first are dropped.
  let more = 10;
  for (let model = 0, before = -1; more > 0; model += 1) {
    learn(model);
    if (cache.weight <= before) more -= 1;
    before = cache.weight;
  }
}
globalThis.gc?.();
const megabytesKept = process.memoryUsage().heapUsed / 1_048_576;
process.stdout.write(JSON.stringify({ weight: cache.weight, room, megabytes: megabytesKept }));
