import { beforeAll, describe, expect, test } from "vitest";
import { type Action, explainBatchExclusion, isWrite } from "../../shared/actions/contract/action.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import type { Controls } from "../../shared/actions/contract/call.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { useWorld } from "../actions/support/checked-world.ts";
import { aModel, anEntity, exampleModel, type Made } from "../actions/support/models.ts";
import { ACTIONS } from "../support/actions.ts";
import { someoneOn } from "../support/someone.ts";

/** Store calls since the list was emptied, each with the units it cost. */
const calls: string[] = [];
const world = useWorld((operation, units) => calls.push(`${operation} ${units}`));

/** Callers who know nothing of the hidden model: with roles, and with bounded tokens, each by a pattern, by key and by id. */
const callers = new Map<string, string>();
let hidden: Made;
let gone: Made;

beforeAll(async () => {
  const { model } = await exampleModel(world);
  hidden = await aModel(world, "hidden");
  for (const key of ["one", "two", "three", "four"]) await anEntity(world, hidden, key);
  gone = await aModel(world, "gone");
  await world.ok("model/model_delete", { modelRef: gone.ref });
  for (const [name, models] of Object.entries({ pattern: "c*", key: "key:crm", id: `id:${model.id}` })) {
    const { token } = await someoneOn(world, `by-${name}`, { role: "manager", models });
    // The first call notes the caller as seen; the calls after it write no such note.
    await world.run("auth/whoami", {}, token);
    callers.set(name, token);
    // A token with the same bounds, of somebody who may do everything with both models.
    const owner = await someoneOn(world, `by-token-${name}`, { role: "manager", models: "*" });
    const bounded = await world.okAs(owner.token, "auth/token_create", { name, models: [models] });
    await world.run("auth/whoami", {}, bounded.body.token);
    callers.set(`token-${name}`, bounded.body.token);
  }
});

const CASES = ACTIONS.flatMap((action) =>
  Object.entries(getAllParams(action))
    .filter(([, { type }]) => type.id === "ModelRef" || type.id === "List<ModelRef>")
    .map(([parameter, { type }]) => ({
      action,
      path: `${action.group}/${action.name}`,
      parameter,
      payloadWith: (ref: string) => ({ ...action.example, [parameter]: type.item ? [ref] : ref }),
    })),
);

/** Makes a call, and answers its outcome and the store calls it made on its way. */
async function outcomeOf(path: string, payload: object, caller: string, controls: Partial<Controls>) {
  calls.length = 0;
  const [status, detail, ...members] = await world.answer(path, payload, caller, controls).then(
    ({ body }) => ["ok", JSON.stringify(body)],
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return [error.code, error.message, JSON.stringify(error.members)];
    },
  );
  // The look-up of the caller runs beside the first of these calls, and either may come first.
  return { status, detail: detail ?? "", members, calls: calls.toSorted() };
}

/** Fails where a call tells a hidden or a deleted model from one that never was. */
async function expectAlike(path: string, of: (ref: string) => object, controls = {}, expected = "not_found") {
  const missing = ["key:nowhere", `id:${world.service.runtime.newId()}`];
  for (const [name, caller] of callers) {
    for (const [ref, unknown = ""] of [
      [hidden.ref, missing[0]],
      [hidden.byId, missing[1]],
      [gone.byId, missing[1]],
    ] as const) {
      const one = await outcomeOf(path, of(ref), caller, controls);
      const other = await outcomeOf(path, of(unknown), caller, controls);
      const shown = { ...one, detail: one.detail.replaceAll(ref, "R") };
      const label = `${ref} for the caller by ${name}`;
      expect(shown, label).toEqual({ ...other, detail: other.detail.replaceAll(unknown, "R") });
      expect(shown.status, label).toBe(expected);
    }
  }
}

describe("a hidden model and a missing one get the same answer after the same requests to the table", () => {
  test.each(CASES)("$path, $parameter", async ({ action, path, payloadWith }) => {
    // An action for administrators refuses other callers whatever the model, and `can` answers with a no.
    const expected = action.rule === "admin" ? "not_allowed" : path === "auth/can" ? "ok" : "not_found";
    await expectAlike(path, payloadWith, isWrite(action) ? { dryRun: true } : {}, expected);
  });

  const batched = CASES.filter(({ action }: { readonly action: Action }) => !explainBatchExclusion(action));
  test.each(batched)("$path, $parameter, in a batch", async ({ action: { group, name }, payloadWith }) => {
    const of = (ref: string) => ({ actions: [{ group, action: name, payload: payloadWith(ref) }] });
    await expectAlike("batch/batch_run", of, { dryRun: true });
  });

  test("a write with an idempotency key", async () => {
    const of = (modelRef: string) => ({ modelRef, entityKey: "new" });
    await expectAlike("model/entity_create", of, { idempotencyKey: "hidden-1" });
  });

  test("a search among the tags of a model", async () => {
    const value = (ref: string) => ({ type: "model", id: ref.slice("id:".length) });
    const items = (ref: string) => [{ type: "scopeRef", condition: "is", value: value(ref) }];
    const missing = `id:${world.service.runtime.newId()}`;
    for (const caller of callers.values()) {
      const outcomes = [];
      for (const ref of [hidden.byId, missing]) {
        const one = await outcomeOf("tag/tag_search", { filters: { items: items(ref) } }, caller, {});
        outcomes.push({ ...one, detail: one.detail.replaceAll(ref, "R") });
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    }
  });
});

test("no read with keys shows anything of a hidden model, nor names of other actors", async () => {
  // Only the administrator has called before, so that every model's history is theirs.
  const reads = ACTIONS.filter(({ intent }) => intent === "read");
  const shown: string[] = [];
  for (const [name, caller] of callers) {
    for (const { group, name: action, example } of reads) {
      const { status, detail } = await outcomeOf(`${group}/${action}`, { ...example, expand: "keys" }, caller, {});
      if (status !== "ok") continue;
      shown.push(action);
      const names = detail.match(/"actorName":"[^"]*"/g) ?? [];
      expect(names.filter((one) => !one.includes(`by-${name}`))).toEqual([]);
      for (const secret of [hidden.id, `"${hidden.key}"`, `key:${hidden.key}`, `${hidden.key}/`])
        expect(detail, `${action} for the caller by ${name}`).not.toContain(secret);
    }
  }
  const many = shown.filter((action) => /^(history_version_changes|search|entity_list|whoami)$/.test(action));
  expect(many).toHaveLength(24);
});

test("every action with a model ref is tested", () => {
  const addressing = ACTIONS.filter(({ target, within }) => (target ?? within)?.ledger === "model");
  for (const action of addressing) expect(CASES.map((one) => one.action)).toContain(action);
});
