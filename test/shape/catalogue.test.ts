import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { ACTIONS } from "../support/actions.ts";
import { ANCESTOR_ACTIONS } from "./support/ancestor-actions.ts";

/** Actions of the ancestor that the service does not have yet. */
const STILL_TO_COME: readonly string[] = ["database/datasource_list", "database/driver_list"];

const EXPECTED = Object.entries(ANCESTOR_ACTIONS).flatMap(([group, names]) => names.map((name) => `${group}/${name}`));
const HERE = new Set(ACTIONS.map(({ group, name }) => `${group}/${name}`));

/**
 * The faults of a list of missing actions: expected actions that are neither here nor in the list, entries that are
 * here after all, and entries that nobody expects.
 */
function misstated(expected: readonly string[], here: ReadonlySet<string>, missing: readonly string[]) {
  return {
    unlisted: expected.filter((path) => !here.has(path) && !missing.includes(path)),
    listedButHere: missing.filter((path) => here.has(path)),
    unknown: missing.filter((path) => !expected.includes(path)),
  };
}

const NOTHING = { unlisted: [], listedButHere: [], unknown: [] };

describe("the actions of the ancestor", () => {
  test("are 127, each named once", () => {
    const counts = Object.fromEntries(Object.entries(ANCESTOR_ACTIONS).map(([group, names]) => [group, names.length]));
    expect(counts).toEqual({ batch: 1, auth: 26, tag: 18, model: 72, config: 8, database: 2 });
    expect(new Set(EXPECTED).size).toBe(127);
  });

  test("exist, or are in the list of missing ones", () => {
    expect(misstated(EXPECTED, HERE, STILL_TO_COME)).toEqual(NOTHING);
    expect([...STILL_TO_COME].sort()).toEqual([...new Set(STILL_TO_COME)]);
  });

  test("are found with the ancestor's spelling of groups", async () => {
    const { find } = createCatalogue();
    for (const [group, plural] of [
      ["model", "models"],
      ["tag", "tags"],
    ] as const) {
      for (const name of ANCESTOR_ACTIONS[group] ?? []) {
        if (HERE.has(`${group}/${name}`)) expect((await find(plural, name)).name).toBe(name);
      }
    }
  });

  test("an outdated list is found", () => {
    const here = new Set(["model/a"]);
    expect(misstated(["model/a", "model/b"], here, ["model/b"])).toEqual(NOTHING);
    expect(misstated(["model/a", "model/b"], here, [])).toEqual({ ...NOTHING, unlisted: ["model/b"] });
    expect(misstated(["model/a"], here, ["model/a"])).toEqual({ ...NOTHING, listedButHere: ["model/a"] });
    expect(misstated(["model/a"], here, ["model/c"])).toEqual({ ...NOTHING, unknown: ["model/c"] });
  });
});
