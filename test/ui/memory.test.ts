import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { useApplication } from "./support/application.ts";
import { makeLibrary } from "./support/library.ts";
import { ONE_WAIT } from "./support/patience.ts";
import { type Held, heldBy, roundOfUse } from "./support/rounds.ts";
import { visitsOf } from "./support/visits.ts";

// Hundreds of rounds take longer than a token lasts otherwise.
const application = useApplication({ environment: { METACTION_TOKEN_MINUTES: String(LIMITS.mostTokenMinutes) } });
/** Rounds until every screen was loaded and every list read. */
const FIRST = 5;
const ROUNDS = Number(process.env.METACTION_UI_ROUNDS ?? 10);

test("memory does not grow with the rounds of use", {
  timeout: (ROUNDS + 5) * ONE_WAIT,
}, async () => {
  await makeLibrary(application, "library");
  const page = await application.open("/models");
  const visits = visitsOf(page);
  /** Goes so many rounds; true where they loaded a file. */
  const rounds = async (count: number): Promise<boolean> => {
    const before = visits.loaded();
    for (let at = 0; at < count; at++) await roundOfUse(page, visits);
    return visits.loaded() > before;
  };
  await rounds(FIRST);
  let before: Held;
  // What a slow machine loads late is code, and no memory that a round leaves behind.
  do before = await heldBy(page);
  while (await rounds(ROUNDS));
  const after = await heldBy(page);
  process.stderr.write(`${JSON.stringify({ rounds: ROUNDS, before, after })}\n`);
  // One screen that stayed would have hundreds of nodes, once for each round.
  expect(after.nodes).toBeLessThan(before.nodes + 100);
  expect(after.listeners).toBeLessThan(before.listeners + 20);
  expect(after.documents).toBe(before.documents);
  // Collections and compiled code move it by two or three percent; what a screen leaves behind in each round, by far more.
  expect(after.madeBytes).toBeLessThan(before.madeBytes * 1.05);
});
