import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { ACTIONS } from "../support/actions.ts";
import { ANCESTOR_ACTIONS } from "./support/ancestor-actions.ts";

const EXPECTED = Object.entries(ANCESTOR_ACTIONS).flatMap(([group, names]) => names.map((name) => `${group}/${name}`));
const HERE = new Set(ACTIONS.map(({ group, name }) => `${group}/${name}`));

describe("the actions of the ancestor", () => {
  test("are 127, each named once", () => {
    const counts = Object.fromEntries(Object.entries(ANCESTOR_ACTIONS).map(([group, names]) => [group, names.length]));
    expect(counts).toEqual({ batch: 1, auth: 26, tag: 18, model: 72, config: 8, database: 2 });
    expect(new Set(EXPECTED).size).toBe(127);
  });

  test("exist, except for those on databases", () => {
    expect(EXPECTED.filter((path) => !HERE.has(path))).toEqual(["database/driver_list", "database/datasource_list"]);
  });

  test("are found with the ancestor's spelling of groups", async () => {
    const { find } = createCatalogue();
    for (const group of ["model", "tag"]) {
      for (const name of ANCESTOR_ACTIONS[group] ?? []) expect((await find(`${group}s`, name)).name).toBe(name);
    }
  });
});
