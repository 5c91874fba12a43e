import { expect, test } from "vitest";
import { allParams } from "../../shared/actions/contract/action-params.ts";

import { expectFaults, useWorld } from "../actions/support/checked-world.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();

const CASES = ACTIONS.flatMap((action) =>
  Object.entries(allParams(action)).flatMap(([name, { type, aliases }]) =>
    aliases.map((alias) => ({ path: `${action.group}/${action.name}`, name, alias, json: type.json })),
  ),
);

test("some parameters have older names", () => {
  expect(CASES.length).toBeGreaterThan(10);
});

test.each(CASES)("$path names $name as $alias where it was called so", async ({ path, alias, json }) => {
  const wrong = json === "string" ? 7 : "none";
  const { code, members } = await world.refused(path, { [alias]: wrong });
  const [fault, ...others] = (members.errors ?? []).filter(({ pointer }) => pointer === `/${alias}`);
  expect([code, others]).toEqual(["bad_parameters", []]);
  expect(fault?.detail).toMatch(new RegExp(`^${alias}: `));
});

test("a version that is none is a fault of `version`", async () => {
  const problem = await world.refused("model/model_release", { modelRef: "key:none", version: "v1.1" });
  expectFaults(problem, "/version");
  expect(problem.message).toContain('version: "v1.1" is no version');
});
