import { expect, test } from "vitest";
import { problemOnly } from "../../shared/domain/problems.ts";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import type { Body } from "../support/world.ts";
import { aDocument } from "./support/apply-documents.ts";
import { newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const ROUNDS = countOfRun("METACTION_MERGED_ROUNDS", 40);

test(`whole models and their sources go together whoever holds, and once more nothing is left to do, in ${ROUNDS} rounds`, async () => {
  const seed = seedOf("merged structures");
  const chance = createChance(seed * 6_151);
  const outcomes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 20 === 19) await world.renew();
    const label = `seed ${seed}, round ${round}`;
    const draw = () => aDocument(chance, { key: newKey("merged"), saysAll: chance.happens(0.5) });
    const { body } = await world.ok("model/import", { content: draw(), source: "s" });
    const into = `id:${body.id}`;
    const exported = (): Promise<Body> => world.read("model/model_export", { modelRef: into });
    await world
      .run("model/model_apply", { modelRef: into, content: draw(), prune: chance.happens(0.3) })
      .catch(problemOnly);
    const ours = await exported();
    const payload = { content: draw(), into, source: "s" };
    const results = new Map<string, string>();
    for (const onConflict of ["ours", "theirs"]) {
      const dry = await world
        .answer("model/import", { ...payload, onConflict }, world.people.admin, { dryRun: true })
        .catch(problemOnly);
      const told = "code" in dry ? String(dry.code) : "merged";
      results.set(onConflict, told);
      expect(["merged", "key_taken", "too_large"], label).toContain(told);
      if (told !== "merged") expect((await world.refused("model/import", { ...payload, onConflict })).code).toBe(told);
      else if (!("code" in dry)) {
        const { conflictCount, stepCount } = dry.body as Body;
        const refused = conflictCount > 0 ? (await world.refused("model/import", payload)).code : "";
        expect(refused, label).toMatch(conflictCount > 0 ? /merge_conflict|key_taken|too_large/ : /^$/);
        const { revision } = (await world.ok("model/model_get", { modelRef: into })).body;
        const done = await world.ok("model/import", { ...payload, onConflict });
        expect(done.body.stepCount, label).toBe(stepCount);
        expect((await world.ok("model/import", payload)).body, label).toMatchObject({ changed: false, stepCount: 0 });
        await world.ok("model/model_restore", { modelRef: into, revision });
        expect(await exported(), label).toEqual(ours);
      }
      outcomes.set(told, (outcomes.get(told) ?? 0) + 1);
    }
  }
  console.log(JSON.stringify([...outcomes]));
  expect(outcomes.get("merged")).toBeGreaterThan(ROUNDS);
}, 600_000);
