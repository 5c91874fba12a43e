import { beforeAll, describe, expect, test } from "vitest";
import { createComparison } from "./support/comparison.ts";
import { allPages, NOT_RUN, pageAt, RUN_PAGES } from "./support/pages.ts";
import { type PageRun, runPage } from "./support/run-page.ts";
import { type Block, blocksOf, stepsOf } from "./support/steps.ts";

/** Values that differ from run to run, or are left out: changing them changes nothing that could be noticed. */
const FREE = /…|eyJ|[0-9a-f]{8}-[0-9a-f]{4}-|^ +data in/;

/** A shown output many times over, each time with one value, member name or line changed. */
function changeOutputs(shown: Block): readonly Block[] {
  const texts = shown.language === "text" ? linesChanged(shown.text) : jsonChanged(JSON.parse(shown.text));
  return texts.map((text) => ({ ...shown, text }));
}

function linesChanged(text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  return lines.flatMap((line, i) =>
    FREE.test(line) || line === "" ? [] : [lines.with(i, `${line.slice(0, -1)}~`).join("\n")],
  );
}

function jsonChanged(value: unknown): readonly string[] {
  return [...changes(value)].map((changed) => JSON.stringify(changed));
}

function* changes(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, row] of value.entries()) for (const changed of changes(row)) yield value.with(i, changed);
    if (![value.at(-1), value.at(-2)].includes("…") && value.length > 0) yield value.slice(0, -1);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const changed of changes(member)) yield { ...value, [name]: changed };
      if (!FREE.test(name)) yield renamed(value, name);
    }
  } else if (!FREE.test(String(value))) {
    yield typeof value === "string" ? `${value}~` : `not ${value}`;
  }
}

function renamed(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).map(([n, member]) => [n === name ? `${n}~` : n, member]));
}

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
