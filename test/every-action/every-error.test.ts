import { describe, expect, test } from "vitest";
import { LISTED, type Listed, payloadOn } from "../actions/support/calls.ts";
import { expectFaults, newKey, useWorld } from "../actions/support/checked-world.ts";
import { type Example, repeatedExample } from "../actions/support/models.ts";
import { codeOf } from "../support/world.ts";

const world = useWorld();

const example = repeatedExample(world);

type Payload = Readonly<Record<string, unknown>>;

/** Members of payloads that may have another valid value, each with that value. */
const OTHERWISE: readonly (readonly [member: string, value: (e: Example) => unknown])[] = [
  ["modelRef", ({ model }) => model.byId],
  ["kinds", () => ["type"]],
  ["definitionRef", () => "key:steward"],
  ["tagGroupRef", ({ privacy }) => privacy.byId],
  ["groupRef", ({ privacy }) => privacy.byId],
  ["tagRef", ({ personal }) => personal.byId],
  ["roleRef", ({ auditor }) => auditor.byId],
  ["actorRef", ({ auditor }) => auditor.byId],
  ["serviceAccountRef", ({ auditor }) => auditor.byId],
  ["username", () => "another"],
  ["name", () => "Another"],
  ["modelKey", () => "another"],
  ["content", () => ({ name: "another", fields: [] })],
  ["tokenId", ({ auditor }) => auditor.byId],
];

function otherwise(payload: Payload, e: Example): Payload {
  const found = OTHERWISE.find(([member]) => payload[member] !== undefined);
  if (!found) throw new Error(`no member of ${JSON.stringify(payload)} is known to take another value`);
  return { ...payload, [found[0]]: found[1](e) };
}

const rows = (listed: readonly Listed[]) => listed.map((one) => ({ path: one.path, one }));
/** Actions of many models are tested by themselves, but for the import, which most often makes one. */
const isKept = ({ writes, action, path }: Listed) =>
  writes && !action.answersSecret && (!action.manyModels || path === "model/import");
/** Actions that end the token of their caller, so nobody could make the second call with the same key. */
const ENDS_TOKEN = ["auth/change_my_password", "auth/logout"];
const REPEATED = rows(LISTED.filter((one) => isKept(one) && !ENDS_TOKEN.includes(one.path)));

test.each(REPEATED)("an idempotency key that was used for another call is refused by $path", async ({ path, one }) => {
  const e = await example();
  const payload = payloadOn(one, e);
  const controls = { idempotencyKey: newKey("once") };
  await world.ok(path, payload, controls);
  const problem = await world.writesNothing(() => world.refused(path, otherwise(payload, e), controls));
  expect(problem.code).toBe("idempotency_key_reused");
  expect((await world.ok(path, payload, controls)).replayed).toBe(true);
});

const isPublic = ({ action }: Listed) => action.rule === "public";

test.each(rows(LISTED))("an unknown parameter is refused by $path", async ({ path, one }) => {
  const payload = { ...payloadOn(one, await example()), noSuchParameter: 1 };
  // Public actions require no token.
  const caller = isPublic(one) ? undefined : world.people.admin;
  expectFaults(await world.writesNothing(() => world.problem(path, payload, caller)), "/noSuchParameter");
});

describe("an invalid token", () => {
  test.each(rows(LISTED.filter((one) => !isPublic(one))))("is refused by $path", async ({ path, one }) => {
    const payload = payloadOn(one, await example());
    expect((await world.writesNothing(() => world.problem(path, payload, "no.such.token"))).code).toBe("not_signed_in");
  });

  test.each(rows(LISTED.filter(isPublic)))("is ignored by $path, which requires none", async ({ path, one }) => {
    const payload = payloadOn(one, await example());
    const ended = (caller: string | undefined) => codeOf(world.answer(path, payload, caller));
    expect(await ended("no.such.token")).toBe(await ended(undefined));
  });
});
