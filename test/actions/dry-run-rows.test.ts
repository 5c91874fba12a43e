import { expect, test } from "vitest";
import { formatWritten } from "../../shared/actions/pipeline/commit-decision.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createChange } from "../../shared/domain/model/changes.ts";
import type { Entity } from "../../shared/domain/model/objects.ts";

const entity = (n: number): Entity => ({ kind: "entity", id: `e${n}`, key: `k${n}`, revision: 1, primaryKey: [] });

test.each([
  ["as many changes as there is place for", LIMITS.listedChanges, LIMITS.listedChanges],
  ["one change more", LIMITS.listedChanges + 1, LIMITS.listedChanges],
])("a dry run of %s lists at most listedChanges rows", (_, count, listed) => {
  const changes = Array.from({ length: count }, (_, n) => createChange(entity(n)));
  const answer = formatWritten({ subject: { id: "m", key: "m" }, changes }, 2, true, { dryRun: true });
  expect(answer).toHaveProperty("changes.length", listed);
});
