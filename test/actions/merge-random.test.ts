import { expect, test } from "vitest";
import { type Chance, countOfRun, createChance, seedOf } from "../support/chance.ts";
import type { Body } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const ROUNDS = countOfRun("METACTION_MERGED_ROUNDS", 40);
const MEMBERS = ["name", "description"] as const;
const KEYS = ["a", "b", "c", "d", "e"];

/** Objects by list and key, with the texts that they have. */
type State = ReadonlyMap<string, Body>;

/** The names of all objects there may be. */
const NAMES = ["types", "localTags"].flatMap((list) => KEYS.map((key) => `${list} ${key}`));

/** What the words of the issue say becomes of a model, written without a look at how it is done. */
function reference(base: State, ours: State, theirs: State, holds: "ours" | "theirs") {
  const conflicts: string[] = [];
  const after = new Map<string, Body>();
  const differ = (one: Body | undefined, other: Body | undefined) => MEMBERS.some((m) => one?.[m] !== other?.[m]);
  for (const name of NAMES) {
    const [b, o, t] = [base.get(name), ours.get(name), theirs.get(name)];
    if (o && t) {
      const made: Body = {};
      for (const m of MEMBERS) {
        const isOfSource = b ? b[m] !== t[m] : t[m] !== undefined;
        const isOfPeople = b ? b[m] !== o[m] : o[m] !== undefined;
        const isConflict = isOfSource && isOfPeople && o[m] !== t[m];
        if (isConflict) conflicts.push(`${name} ${m}`);
        const value = isConflict ? (holds === "ours" ? o[m] : t[m]) : isOfSource ? t[m] : o[m];
        if (value !== undefined) made[m] = value;
      }
      after.set(name, made);
    } else if (o) {
      const isConflict = b !== undefined && differ(b, o);
      if (isConflict) conflicts.push(`${name} null`);
      if (!b || (isConflict && holds === "ours")) after.set(name, o);
    } else if (t) {
      const isConflict = b !== undefined && differ(b, t);
      if (isConflict) conflicts.push(`${name} null`);
      if (!b || (isConflict && holds === "theirs")) after.set(name, t);
    }
  }
  return { conflicts: conflicts.sort(), after };
}

const texts = (chance: Chance): Body =>
  Object.fromEntries(
    MEMBERS.flatMap((m) => (chance.happens(0.5) ? [[m, chance.pick(["One", "Two", "Three"])] as const] : [])),
  );

/** A source after some changes. */
function changed(before: State, chance: Chance): State {
  const after = new Map(before);
  for (const name of NAMES) {
    if (chance.happens(0.6)) continue;
    if (after.has(name) && chance.happens(0.3)) after.delete(name);
    else after.set(name, texts(chance));
  }
  return after;
}

function documentOf(state: State): Body {
  const list = (wanted: string) =>
    [...state].flatMap(([name, object]) => {
      const [of, key] = name.split(" ");
      return of === wanted ? [{ key, ...object }] : [];
    });
  return { $schema: "urn:metaction:model:2", key: "any", types: list("types"), localTags: list("localTags") };
}

function stateOf(document: Body): State {
  return new Map(
    ["types", "localTags"].flatMap((list) =>
      document[list].map(({ key, name, description }: Body) => [
        `${list} ${key}`,
        { ...(name !== undefined && { name }), ...(description !== undefined && { description }) },
      ]),
    ),
  );
}

test(`changes of users and of a source are merged as the documentation says, in ${ROUNDS} rounds`, async () => {
  const seed = seedOf("merges");
  let told = 0;
  const chance = createChance(seed * 7_919);
  for (let start = 0; start < ROUNDS; start += 10) {
    await world.renew();
    let source = changed(new Map(), chance);
    const content = documentOf(source);
    const { body } = await world.ok("model/import", { content, source: "s", modelKey: newKey("merged") });
    const into = `id:${body.id}`;
    const exported = async (): Promise<State> => stateOf(await world.read("model/model_export", { modelRef: into }));
    for (let round = start; round < Math.min(start + 10, ROUNDS); round++) {
      const label = `seed ${seed}, round ${round}`;
      const base = source;
      // People change the model by documents of their own, which leave nothing as the source said it.
      const people = changed(await exported(), chance);
      const wanted = documentOf(people);
      const nulled = (list: Body[]) => list.map((one) => ({ name: null, description: null, ...one }));
      await world.ok("model/model_apply", {
        ...{ modelRef: into, prune: true },
        content: { ...wanted, types: nulled(wanted.types), localTags: nulled(wanted.localTags) },
      });
      const ours = await exported();
      expect(ours, label).toEqual(people);
      source = changed(source, chance);
      const payload = { content: documentOf(source), into, source: "s" };
      const holds = chance.pick(["ours", "theirs"] as const);
      const { conflicts, after } = reference(base, ours, source, holds);
      told += conflicts.length;
      for (const side of ["ours", "theirs"] as const) {
        const { body: dry } = await world.ok("model/import", { ...payload, onConflict: side }, { dryRun: true });
        const named = dry.conflicts.map((one: Body) => {
          const list = one.objectType === "type" ? "types" : "localTags";
          return `${list} ${one.typeKey ?? one.tagKey} ${one.member}`;
        });
        expect(named.sort(), label).toEqual(conflicts);
      }
      if (conflicts.length > 0) {
        const problem = await world.refused("model/import", payload);
        expect([problem.code, problem.members.conflictCount], label).toEqual(["merge_conflict", conflicts.length]);
        expect(await exported(), label).toEqual(ours);
        await world.ok("model/import", { ...payload, onConflict: holds });
      } else await world.ok("model/import", payload);
      expect(await exported(), label).toEqual(after);
      expect((await world.ok("model/import", payload)).body.changed, label).toBe(false);
    }
  }
  console.log(`${ROUNDS} rounds, ${told} conflicts`);
  expect(told).toBeGreaterThan(ROUNDS);
}, 600_000);
