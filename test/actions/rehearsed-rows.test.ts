import { expect, test } from "vitest";
import { writtenAnswer } from "../../shared/actions/dispatch/written-answer.ts";
import { create } from "../../shared/domain/change.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Entity } from "../../shared/domain/objects.ts";

const entity = (n: number): Entity => ({
  kind: "entity",
  id: `e${n}`,
  key: `entity-${n}`,
  revision: 1,
  primaryKey: [],
});

test.each([
  ["as many changes as there is place for", LIMITS.listedChanges, LIMITS.listedChanges],
  ["one change more", LIMITS.listedChanges + 1, LIMITS.listedChanges],
])("A dry run of %s lists what listedChanges allows", (_, count, listed) => {
  const changes = Array.from({ length: count }, (_, n) => create(entity(n)));
  const answer = writtenAnswer({ subject: { id: "m", key: "m" }, changes }, 2, true, { dryRun: true });
  expect(answer).toHaveProperty("changes.length", listed);
});
