import { beforeAll, describe, expect, test } from "vitest";
import { changeOutputs } from "./support/changed-outputs.ts";
import { createComparison } from "./support/comparison.ts";
import { allPages, NOT_RUN, pageAt, RUN_PAGES } from "./support/pages.ts";
import { type PageRun, runPage } from "./support/run-page.ts";
import { blocksOf, stepsOf } from "./support/steps.ts";

describe.each(RUN_PAGES)("$path", ({ path, before }) => {
  const text = pageAt(path);
  let ran: PageRun = { differences: [], recorded: [] };

  beforeAll(async () => {
    ran = await runPage(`${before}\n${text}`, { shortNpx: true });
  }, 300_000);

  test("shows the output of its commands, word for word and in order", () => {
    expect(ran.differences).toEqual([]);
    expect(ran.recorded).toHaveLength(stepsOf(`${before}\n${text}`).filter(({ shown }) => shown).length);
  });

  test("fails with any single value or name in its outputs changed", () => {
    for (const { shown, came } of ran.recorded) expect(createComparison().difference(shown, came)).toBeUndefined();
    const checked = ran.recorded.flatMap(({ shown, came }) => changeOutputs(shown).map((wrong) => ({ wrong, came })));
    const missed = checked.filter(({ wrong, came }) => createComparison().difference(wrong, came) === undefined);
    expect(missed.map(({ wrong }) => wrong)).toEqual([]);
    expect(checked.length).toBeGreaterThan(10);
  });
});

test("every page with commands is run, or has a reason not to be", () => {
  const withCommands = allPages().filter((path) => blocksOf(pageAt(path)).some(({ language }) => language === "sh"));
  expect(withCommands.sort()).toEqual([...RUN_PAGES.map(({ path }) => path), ...Object.keys(NOT_RUN)].sort());
});
