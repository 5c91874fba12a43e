import { expect } from "vitest";
import { Problem } from "../../../../shared/domain/problems.ts";
import type { Chance } from "../../../support/chance.ts";
import type { Body } from "../../../support/world.ts";
import { drawAttempt, type KnownIds } from "./account-calls.ts";
import { compareBearer, compareModels } from "./compare-rights.ts";
import { apply } from "./effects.ts";
import { type Attempt, administrators, type Bearer, type Grants, heldByBearer } from "./model.ts";
import { refusal, tokenProblems } from "./refusals.ts";
import { grantsOf } from "./replay.ts";
import { accountsOf, bearerOfToken, createCast, signInAgain, type Users } from "./users.ts";

/** How many calls of all histories were acknowledged and refused, how many answers were compared, and what was called. */
export interface Tally {
  acknowledged: number;
  refused: number;
  compared: number;
  note(action: string, code: string): void;
}

interface History {
  readonly cast: Users;
  readonly grants: Grants;
  /** Everyone who ever had a token. */
  readonly bearers: Bearer[];
  readonly ids: KnownIds & { readonly actors: string[]; readonly tokens: string[] };
  readonly chance: Chance;
  readonly tally: Tally;
}

/** How the subjects of newcomers begin; at another issuer, nobody is a service account. */
const NEWCOMERS = ["x-new-", "service:new-"];

/** Makes one call after the other, and compares each answer and the rights of everyone after it with the model. */
export async function runHistory(chance: Chance, steps: number, tally: Tally): Promise<void> {
  const cast = await createCast();
  const bearers = [...cast.bearers];
  const stored = await grantsOf(cast.world);
  // In the order of the cast, so that a seed picks the same actors whatever their ids.
  const order = new Set([...bearers.map(({ actor }) => actor), ...stored.actors.keys()]);
  const actors = new Map([...order].flatMap((id) => [...stored.actors].filter(([one]) => one === id)));
  const grants: Grants = { ...stored, actors, ended: new Set() };
  const ids = { actors: [...order], tokens: [], models: cast.models.map(({ id }) => id) };
  const history: History = { cast, grants, bearers, ids, chance, tally };
  await compareRights(history, bearers, 2, "at the start");
  for (let step = 0; step < steps; step++) {
    cast.advance(2_000);
    if (chance.happens(0.05)) await meetNewcomer(history, `${chance.pick(NEWCOMERS)}${step}`);
    const able = bearers.filter((bearer) => heldByBearer(grants, bearer)?.everywhere.has("admin"));
    // Little would ever happen if most callers were not allowed to administer.
    const bearer = chance.pick(able.length > 0 && chance.happens(0.75) ? able : bearers);
    await makeCall(history, bearer, drawAttempt(chance, ids, grants), `step ${step}`);
    expect(administrators(grants).length, `step ${step}`).toBeGreaterThan(0);
  }
  await cast.stop();
}

/** Signs in a person of the other issuer for the first time, who gets the role of new actors. */
async function meetNewcomer({ cast, grants, bearers, ids }: History, subject: string) {
  const bearer = await cast.signInOutside(subject);
  const roles = [...grants.roles].filter(([, { autoAssign }]) => autoAssign).map(([id]) => id);
  grants.actors.set(bearer.actor, { roles, scopedRoles: [], disabled: false });
  bearers.push(bearer);
  ids.actors.push(bearer.actor);
}

async function makeCall(history: History, bearer: Bearer, attempt: Attempt, when: string) {
  const { cast, grants, bearers, chance, tally } = history;
  const { action, payload } = attempt;
  const what = `${when}: ${bearer.label} ${action} ${JSON.stringify(payload)}`;
  const expected = refusal(grants, cast.models, bearer, attempt);
  const before = await accountsOf(cast.world);
  const answer: Body = await cast.world.run(`auth/${action}`, payload, bearer.token).catch((error: unknown) => error);
  let changed = false;
  if (answer instanceof Problem) {
    tally.note(`auth/${action}`, answer.code);
    tally.refused += 1;
    expect(expected, `${what} was refused: ${answer.code}, ${answer.message}`).toBeDefined();
    const codes = heldByBearer(grants, bearer) ? [expected?.[0]] : tokenProblems(grants, bearer);
    expect(codes, `${what}: ${expected?.[1]}`).toContain(answer.code);
  } else {
    if (answer instanceof Error) throw answer;
    tally.note(`auth/${action}`, "ok");
    tally.acknowledged += 1;
    expect(expected, `${what} was acknowledged`).toBeUndefined();
    changed = await applyAnswer(history, bearer, attempt, answer);
    expect(answer.changed, what).toBe(changed);
  }
  if (!changed) expect(await accountsOf(cast.world), `${what} changed nothing, and`).toEqual(before);
  // After a call that changed nothing, a few bearers are enough.
  await compareRights(history, changed ? bearers : [chance.pick(bearers), bearer], changed ? 2 : 1, what);
}

/** Applies an acknowledged call to the model, and signs in whoever can from then on; true where it changed something. */
async function applyAnswer({ cast, grants, bearers, ids }: History, bearer: Bearer, attempt: Attempt, answer: Body) {
  const { action, payload } = attempt;
  const [actors, before] = [new Map(grants.actors), factsOf(grants)];
  apply(grants, bearer, attempt, action === "user_create" ? await cast.actorOf(String(payload.username)) : answer.id);
  for (const { actor, token } of bearers) {
    const now = grants.actors.get(actor);
    if (!now || now.disabled) grants.ended.add(token);
  }
  if (action === "token_create") {
    bearers.push(bearerOfToken(bearer, payload, answer));
    ids.tokens.push(answer.id);
  }
  // A new token must not be of the moment at which earlier ones ended.
  cast.advance(1_000);
  bearers.push(...(await signInAgain(cast, bearers, actors, grants.actors)));
  ids.actors.push(...[...grants.actors.keys()].filter((id) => !ids.actors.includes(id)));
  return before !== factsOf(grants);
}

/** All rights in one text, whatever the order of lists. */
function factsOf({ roles, actors, tokens }: Grants): string {
  const compare = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return JSON.stringify([...roles, ...actors, ...tokens], (_, value: unknown) =>
    Array.isArray(value) ? value.toSorted(compare) : value,
  );
}

/** Compares the rights of bearers with the model, and what `some` bearers with valid tokens can do with the models. */
async function compareRights(history: History, bearers: readonly Bearer[], some: number, after: string) {
  const { cast, grants, chance, tally } = history;
  // Of tokens that ended, the newest are enough.
  const asked = bearers.filter(({ token }, i) => !grants.ended.has(token) || i >= bearers.length - 4);
  await Promise.all(asked.map((bearer) => compareBearer(cast, grants, bearer, `${bearer.label} after ${after}`)));
  tally.compared += asked.length;
  const able = bearers.filter((bearer) => heldByBearer(grants, bearer));
  for (let i = 0; i < (able.length > 0 ? some : 0); i++) {
    const bearer = chance.pick(able);
    const held = heldByBearer(grants, bearer);
    if (held) tally.compared += await compareModels(cast, held, bearer.token, `${bearer.label} after ${after}`);
  }
}
