import { describe, expect, test } from "vitest";
import { IMPACTS } from "../../shared/domain/differences.ts";
import { requireProblem } from "../../shared/domain/problems.ts";
import { foundBy, naiveDifference } from "../store/support/naive-difference.ts";
import { namesIn } from "../store/support/naive-match.ts";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import type { Body } from "../support/world.ts";
import { aDocument } from "./support/apply-documents.ts";
import { newKey, useWorld } from "./support/checked-world.ts";
import { makeSteps } from "./support/plan-steps.ts";

const world = useWorld();

const PAIRS = countOfRun("METACTION_APPLIED_PAIRS", 30);

const exported = (modelRef: string): Promise<Body> => world.read("model/model_export", { modelRef });

async function imported(content: Body): Promise<string> {
  return `id:${(await world.ok("model/import", { content })).body.id}`;
}

/** A document without ids, and without the key that tells one model from another. */
function anonymous(document: Body): Body {
  const { key: _, ...others } = JSON.parse(
    JSON.stringify(document, (member, value) => (member === "id" ? undefined : value)),
  );
  return others;
}

/** Some objects of the document have the ids of objects of the model, whatever their keys. */
function withSomeIds(document: Body, model: Body, chance: Chance): Body {
  const ids = (list: readonly Body[], of: readonly Body[]) =>
    list.map((one) => (of.length > 0 && chance.happens(0.15) ? { ...one, id: chance.pick(of).id } : one));
  return { ...document, entities: ids(document.entities, model.entities), types: ids(document.types, model.types) };
}

/** The ids of the objects of a model that a document has as well, by a name of each. */
function idsOfMatched(model: Body, document: Body): ReadonlyMap<Body, string> {
  const names = namesIn(model, document, false);
  const byName = new Map([...names].filter(([one]) => document !== one).map(([one, name]) => [name, one]));
  const lists = (holder: Body) =>
    Object.values(holder).flatMap((list) => (Array.isArray(list) ? list.filter((o) => Object(o) === o) : []));
  const objects = [...lists(model), ...[...model.entities, ...model.relationships].flatMap(lists)];
  const ids = new Map<Body, string>();
  for (const one of objects) {
    const name = names.get(one);
    const other = name === undefined ? undefined : byName.get(name);
    if (other && other !== one) ids.set(other, one.id);
  }
  return ids;
}

async function aRound(chance: Chance, prune: boolean, saysAll: boolean) {
  const modelRef = await imported(aDocument(chance, { key: newKey("applied") }));
  const before = await exported(modelRef);
  const wanted = withSomeIds(aDocument(chance, { key: before.key, saysAll }), before, chance);
  return { before, wanted, modelRef, payload: { modelRef, content: wanted, prune } };
}
type Round = Awaited<ReturnType<typeof aRound>>;

/** Applies a document, unless the two cannot go together; what a refused one finds is the same as before. */
async function applied({ payload, modelRef, before }: Round): Promise<{ dry: Body; done: Body } | undefined> {
  const dry = await world
    .answer("model/model_apply", payload, world.people.admin, { dryRun: true })
    .catch((error) => requireProblem(error).code);
  if (typeof dry === "string") {
    expect(["key_taken", "still_used", "too_large"]).toContain(dry);
    expect((await world.refused("model/model_apply", payload)).code).toBe(dry);
    expect(await exported(modelRef)).toEqual(before);
    return undefined;
  }
  const { body: done } = await world.ok("model/model_apply", { ...payload, plan: (dry.body as Body).plan });
  return { dry: dry.body as Body, done };
}

/** Comparisons of the model before with the model after, or with a document of it, find what a scan of both exports finds. */
async function checkComparisons({ before, modelRef }: Round, after: Body, label: string) {
  const left = { leftModelRef: modelRef, leftRevision: 1 };
  const content = { ...anonymous(after), key: after.key };
  for (const [right, side, isSameModel] of [
    [after, { rightModelRef: modelRef }, true],
    [content, { rightContent: content }, false],
  ] as const) {
    const { entries, ...counts } = await world.read("model/model_compare", { ...left, ...side });
    expect(foundBy(entries), label).toEqual(naiveDifference(before, right, isSameModel));
    const count = (impact: string) => entries.filter((entry: Body) => entry.impact === impact).length;
    expect(counts, label).toMatchObject(Object.fromEntries(IMPACTS.map((impact) => [impact, count(impact)])));
    const report = await world.read("model/model_compare_as", { ...left, ...side, format: "markdown" });
    const reported = report.content.match(new RegExp(`^- \\*\\*(${IMPACTS.join("|")})\\*\\* `, "gm")) ?? [];
    expect(reported, label).toHaveLength(entries.length);
  }
}

describe.each([
  ["everything that a document says, and nothing else", true, true],
  ["what a document says beside what it leaves out", false, false],
  ["what a document says of what it has", true, false],
])("random documents: a model becomes %s", (_, prune, saysAll) => {
  test(`in ${Math.ceil(PAIRS / 3)} pairs`, async () => {
    const seed = seedOf(`apply ${prune} ${saysAll}`);
    let refused = 0;
    let steps = 0;
    for (let i = 0; i < Math.ceil(PAIRS / 3); i++) {
      if (i % 20 === 19) await world.renew();
      const chance = createChance(seed * 7_919 + i * 3 + Number(prune) + Number(saysAll));
      const round = await aRound(chance, prune, saysAll);
      const label = `seed ${seed}, pair ${i}`;
      const result = await applied(round);
      if (!result) {
        refused += 1;
        continue;
      }
      const { dry, done } = result;
      steps += dry.stepCount;
      expect(
        IMPACTS.reduce((sum, impact) => sum + dry[impact], 0),
        label,
      ).toBe(dry.stepCount);
      const after = await exported(round.modelRef);
      expect(done.changed, label).toBe(dry.stepCount > 0);
      await checkComparisons(round, after, label);
      // Nothing is left to do.
      const again = await world.ok("model/model_apply", round.payload);
      expect(again.body, label).toMatchObject({ changed: false, stepCount: 0, revision: done.revision });
      // What both had is what it was.
      for (const [object, id] of idsOfMatched(round.before, round.wanted)) {
        const found = JSON.stringify(after).includes(`"id":"${id}","key":${JSON.stringify(object.key)}`);
        const isKey = round.wanted.businessKeys.includes(object);
        expect(found || isKey, `${label}: ${id} is ${object.key}`).toBe(true);
      }
      if (prune && saysAll) {
        const fresh = await imported({ ...round.wanted, key: newKey("fresh") });
        expect(anonymous(after), label).toEqual(anonymous(await exported(fresh)));
      } else {
        const sides = { leftContent: round.wanted, rightModelRef: round.modelRef };
        const { entries } = await world.read("model/model_compare", sides);
        const told = entries.filter(({ status }: Body) => status === "DELETED" || status === "RENAMED");
        expect(told, label).toEqual([]);
      }
      // The steps lead from the state before to the same.
      await world.ok("model/model_restore", { modelRef: round.modelRef, revision: 1 });
      expect(await exported(round.modelRef), label).toEqual(round.before);
      await makeSteps(world, round.modelRef, dry.steps).catch((error) => {
        throw new Error(`${label}: ${error.message}\n${JSON.stringify(dry.steps, null, 1)}`, { cause: error });
      });
      const made = anonymous(await exported(round.modelRef));
      expect(made, `${label}\n${JSON.stringify(dry.steps, null, 1)}`).toEqual(anonymous(after));
    }
    console.log(`${Math.ceil(PAIRS / 3)} pairs, ${steps} steps, ${refused} refused`);
    expect(refused).toBeLessThan(PAIRS / 6);
    expect(steps).toBeGreaterThan(PAIRS);
  }, 600_000);
});
