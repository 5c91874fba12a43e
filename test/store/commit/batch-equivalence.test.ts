import { expect, test } from "vitest";
import { createChance, seedOf } from "../../support/chance.ts";
import { fsckWorld } from "../support/fsck-world.ts";
import { randomEntries } from "../support/random-entries.ts";
import {
  attempt,
  type Done,
  findings,
  makerOf,
  NO_ID,
  payloadFor,
  plain,
  prepare,
  visible,
} from "../support/two-sides.ts";

const ROUNDS = 5;
const ENTRIES = 80;
const HOUR_MS = 3_600_000;

test("a batch has the same effect as its entries one after another, and a failed one has none", {
  timeout: 240_000,
}, async () => {
  const seed = seedOf("batch-equals");
  const chance = createChance(seed);
  const world = await fsckWorld();
  let refusals = 0;
  let entries = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [left, right] = [`left${round}x`, `right${round}x`];
    // Both sides are filled before the batch, so that it meets older objects too.
    for (const side of [left, right]) await prepare(world, side);
    const done: Done[] = [];
    const batched: object[] = [];
    const batch = (more: object[]) => attempt(() => world.run("batch/batch_run", { actions: [...batched, ...more] }));
    for (const entry of randomEntries(chance, ENTRIES)) {
      const path = `${entry.group}/${entry.action}`;
      const idFor = (what: string) => {
        const at = makerOf(done, what);
        return at < 0 ? NO_ID : `id:${done[at]?.body.id}`;
      };
      const inBatch = (what: string) => {
        const at = makerOf(done, what);
        return at < 0 ? NO_ID : `id:$${at + 1}.id`;
      };
      const { group, action } = entry;
      const called = JSON.parse(JSON.stringify(payloadFor(right, entry, idFor)).replaceAll("$$", "$"));
      const { body, problem } = await attempt(() => world.run(path, called));
      const member = { group, action, payload: payloadFor(left, entry, inBatch) };
      if (body) {
        batched.push(member);
        done.push({ entry, body });
      } else if (chance.happens(0.15)) {
        refusals += 1;
        const before = await visible(world, left);
        const refused = await batch([member]);
        expect(
          [refused.problem?.code, refused.problem?.members.entry],
          `${seed}: ${path} ${problem?.message} <> ${refused.problem?.message}`,
        ).toEqual([problem?.code, batched.length + 1]);
        expect(await visible(world, left)).toEqual(before);
      }
    }
    entries += done.length;
    const { body, problem } = await batch([]);
    expect(problem?.message, `seed ${seed}, round ${round}`).toBeUndefined();
    expect(plain(left, body.results), `seed ${seed}, round ${round}`).toEqual(
      plain(
        right,
        done.map((one) => one.body),
      ),
    );
    expect(plain(left, await visible(world, left)), `seed ${seed}, round ${round}`).toEqual(
      plain(right, await visible(world, right)),
    );
    expect(await findings(world, left, right), `seed ${seed}, round ${round}`).toEqual([]);
  }
  expect(refusals).toBeGreaterThan(ROUNDS);
  expect(entries).toBeGreaterThan(ROUNDS * 8);
  for (const ms of [0, HOUR_MS, 24 * HOUR_MS, HOUR_MS]) {
    world.ambient.advance(ms);
    await world.signIn();
    await world.sweep();
    expect(await findings(world), `seed ${seed}`).toEqual([]);
  }
});
