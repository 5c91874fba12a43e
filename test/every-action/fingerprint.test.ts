import { describe, expect, test } from "vitest";
import { canKeepAnswer } from "../../shared/actions/contract/action.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { CallBudget } from "../../shared/actions/contract/budget.ts";
import type { Call, Payload } from "../../shared/actions/contract/call.ts";
import { createIdempotencyRequest } from "../../shared/actions/pipeline/commit-decision.ts";
import { readPayload } from "../../shared/actions/pipeline/read-payload.ts";
import { createKeyedDigest } from "../../shared/identity/tokens/mint-token.ts";
import { ACTIONS } from "../support/actions.ts";

const digest = createKeyedDigest(async () => "a secret of the deployment");
const CALL: Call = {
  ...{ operationId: "o", requestId: "r", action: "a", channel: "http", principal: undefined, deadline: 0 },
  ...{ time: "2026-03-01T08:00:00.000Z", now: () => 0, sleep: async () => undefined, repeat: () => undefined },
  ...{ nextId: () => "", newId: () => "" },
  budget: new CallBudget({ now: () => 0, sleep: async () => undefined }, 0),
};
const OTHER = { scheme: "key", value: "another one" } as const;

const KEEPING = ACTIONS.filter(canKeepAnswer).map((action) => {
  const { path, input } = readPayload(action, { query: [], body: action.example });
  // The example may leave out what is optional.
  const all = Object.fromEntries(Object.keys(action.input).map((name) => [name, input[name] ?? "given"]));
  return { name: `${action.group}/${action.name}`, action, payload: { path, input: all } };
});

/** A payload and every payload that differs from it in one parameter. */
function variants({ path, input }: Payload): readonly Payload[] {
  return [
    ...path.map((_, i) => ({ input, path: path.map((step, j) => (i === j ? { ...step, ref: OTHER } : step)) })),
    ...Object.keys(input).map((name) => ({ path, input: { ...input, [name]: { other: true } } })),
    ...Object.keys(input).map((name) => ({ path, input: { ...input, [name]: undefined } })),
  ];
}

describe("the fingerprint of a call with an idempotency key", () => {
  test.each(KEEPING)("of $name changes with any parameter, refs and secrets included", async ({ payload }) => {
    const all = [payload, ...variants(payload)];
    const claims = await Promise.all(all.map((one) => createIdempotencyRequest(one, "k", CALL, digest)));
    expect(new Set(claims.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
    expect(new Set(claims.map(({ id }) => id)).size).toBe(1);
  });

  test("is tested with refs at every depth and with secrets", () => {
    expect(new Set(KEEPING.map(({ payload }) => payload.path.length))).toEqual(new Set([0, 1, 2, 3]));
    const secret = KEEPING.filter(({ action }) => Object.values(getAllParams(action)).some(({ type }) => type.secret));
    const expected = ["auth/user_create", "auth/user_change_password", "auth/change_my_password"];
    expect(secret.map(({ name }) => name)).toEqual(expected);
  });
});
