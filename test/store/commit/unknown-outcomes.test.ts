import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { Match, Rule } from "../support/fault-plan.ts";
import { useScenes } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

// test/simulation searches for other ways in which a late commit, a second attempt and other callers meet.
const scenes = useScenes();
const { newScene } = scenes;

const firstCommit = { operation: "transactWrite" } as const;
/** The second read of the log's head is that of the second attempt; the store asks for it three times. */
const secondHead = { operation: "query", key: /^log#/, nth: 2 } as const;

async function createTypeUnder(rules: readonly Rule[]) {
  const scene = await newScene();
  scene.table.arm({ rules });
  return { ...scene, outcome: await scene.caller.call("type_create", { modelRef: scene.modelRef, typeKey: "date" }) };
}

describe("a write without an answer is answered as unknown", () => {
  test.each<[string, readonly Rule[]]>([
    ["if none of its attempts has an answer", [{ match: firstCommit, do: "lose", times: 1_000 }]],
    [
      "if the log cannot be read any more",
      [
        { match: firstCommit, do: "lose-answer" },
        { match: { operation: ["get", "query", "transactGet"], key: /^log#/, nth: 2 }, do: "lose", times: 1_000 },
      ],
    ],
  ])("%s", async (_, rules) => {
    const { outcome } = await createTypeUnder(rules);
    expect(outcome.problem?.code).toBe("out_of_time");
  });

  test.each<[string, readonly Rule[]]>([
    ["if its second attempt cannot read", [{ match: secondHead, do: "lose", times: 3 }]],
    [
      "if nothing can be read from its second attempt on",
      [
        { match: { operation: "get", key: /^models\|/, nth: 2 }, do: "lose", times: 1_000 },
        { match: secondHead, do: "lose", times: 1_000 },
        { match: { operation: "transactGet", key: /^log#/, nth: 2 }, do: "lose", times: 1_000 },
      ],
    ],
  ])("%s and it succeeds later", async (_, reads) => {
    const late = { match: firstCommit, do: { applyLater: 1_000 } };
    const { outcome, table, modelRef } = await createTypeUnder([late, ...reads]);
    expect(outcome.problem?.code).toBe("out_of_time");
    await table.settle();
    expect(await scenes.world.run("model/type_get", { modelRef, typeRef: "key:date" })).toMatchObject({ key: "date" });
  });
});

describe("a commit that succeeded although its answer was lost", () => {
  test("is answered as done by the refusal of its second attempt, without another read", async () => {
    const { modelRef, table, caller } = await newScene();
    table.arm([
      { match: firstCommit, do: { applyLater: 100 } },
      { match: { ...firstCommit, nth: 2 }, do: { before: () => table.settle() } },
    ]);
    const outcome = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
    expect(table.trace.at(-1)?.operation).toBe("transactWrite");
  });

  test("is answered as done if the deadline comes before a second attempt", async () => {
    const { modelRef, table, clock, caller } = await newScene();
    const late = { before: async () => clock.advance(LIMITS.contentionMs) };
    table.arm([
      { match: firstCommit, do: { applyLater: 2 } },
      { match: { operation: "transactGet", key: /^log#/ }, do: late },
    ]);
    const outcome = await caller.call("type_create", { modelRef, typeKey: "date" });
    expect(writtenBody(outcome)).toMatchObject({ changed: true, revision: 2 });
  });

  test("is answered as the call's own if its record becomes visible before the other items", async () => {
    const ways: readonly (readonly [inTheWay: readonly Rule[], arrivesBefore: Match])[] = [
      // The second attempt is refused what it reads, and the record is all that is left to ask for.
      [[{ match: secondHead, do: "lose", times: 100 }], { operation: "get", key: /^idempotency#/, nth: 2 }],
      // The second attempt writes, and finds the record there.
      [[], { ...firstCommit, nth: 2 }],
    ];
    for (const [inTheWay, match] of ways) {
      const { key, modelRef, table, caller } = await newScene();
      const arrival = { match, do: { before: () => table.settle() } };
      table.arm([{ match: firstCommit, do: { applyLater: 1_000 } }, ...inTheWay, arrival]);
      const payload = { modelRef, typeKey: "date" };
      const { answer } = await caller.call("type_create", payload, { idempotencyKey: key });
      expect(answer).toMatchObject({ body: { changed: true, revision: 2 } });
      expect(answer?.replayed).toBeUndefined();
      expect((await caller.call("type_create", payload, { idempotencyKey: key })).answer?.replayed).toBe(true);
    }
  });
});

test("a call with a second attempt writes the same objects under the same ids", async () => {
  const { modelRef, table, caller } = await newScene();
  table.arm({ rules: [{ match: firstCommit, do: "conflict", times: 2 }] });
  writtenBody(await caller.call("type_create", { modelRef, typeKey: "date" }));
  const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
  expect(commits.map(({ keys }) => keys)).toEqual(commits.map(() => commits[0]?.keys));
  expect(commits).toHaveLength(3);
});
