import { expect } from "vitest";
import { BUILT_IN } from "../../../shared/domain/principal.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { actorKey } from "../../../shared/store/keys.ts";
import type { Body } from "../../support/world.ts";
import { anyAttempt } from "./grants-attempts.ts";
import { accountsOf, type Cast, createCast, MODEL_KEYS } from "./grants-cast.ts";
import { apply, refusal } from "./grants-effects.ts";
import { type Attempt, administrators, type Bearer, type Grants, heldByBearer, remains } from "./grants-model.ts";
import { grantsOf } from "./grants-replay.ts";
import { anywhere, comparable, type Held, onModel, told } from "./grants-rules.ts";
import type { Chance } from "./history-chance.ts";

/** How many calls of a history were acknowledged and refused, and how many answers were compared with the model. */
export interface Tally {
  acknowledged: number;
  refused: number;
  compared: number;
}

/** Actions that are asked about, each with its rule. */
const ASKED = [
  ["model/model_get", "model_read"],
  ["model/entity_create", "model_write"],
  ["model/model_delete", "model_delete"],
] as const;

/** One history: a call after the other, each held against the model, and so is what everyone may do after it. */
export async function runHistory(chance: Chance, steps: number, tally: Tally): Promise<void> {
  const cast = await createCast();
  const { world } = cast;
  const bearers = [...cast.bearers];
  const stored = await grantsOf(world);
  // In the order of the cast, so that a seed picks the same ones whatever their ids.
  const actors = new Map(
    [...bearers.map(({ actor }) => actor), ...stored.actors.keys()].flatMap((id) => {
      const one = stored.actors.get(id);
      return one ? [[id, one] as const] : [];
    }),
  );
  const grants: Grants = { ...stored, actors, ended: new Set() };
  const known = { actors: [...actors.keys()], tokens: [] as string[] };
  await compare(cast, grants, bearers, chance, tally);
  for (let step = 0; step < steps; step++) {
    cast.advance(2_000);
    if (chance.happens(0.05)) await meetNewcomer(cast, grants, bearers, known.actors, step);
    const bearer = anyCaller(chance, grants, bearers);
    const attempt = anyAttempt(chance, known, grants);
    const why = refusal(grants, bearer, attempt, (change) => remains(grants, change));
    const what = `step ${step}: ${bearer.label} ${attempt.action} ${JSON.stringify(attempt.payload)}`;
    const before = await accountsOf(world);
    const answer = await world.run(`auth/${attempt.action}`, attempt.payload, bearer.token).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return error;
    });
    if (answer instanceof Problem) {
      expect(why, `${what} was refused: ${answer.message}`).toBeDefined();
      expect(answer.code, what).not.toBe("internal");
      expect(await accountsOf(world), `${what} was refused, and`).toEqual(before);
      tally.refused += 1;
    } else {
      expect(why, `${what} was acknowledged`).toBeUndefined();
      tally.acknowledged += 1;
      await follow(cast, grants, bearers, known, bearer, attempt, answer);
    }
    expect(administrators(grants).length, what).toBeGreaterThan(0);
    // After a call that changed nothing, as was seen, a few are enough.
    const asked = answer instanceof Problem ? [chance.pick(bearers), bearer] : bearers;
    await compare(cast, grants, asked, chance, tally, what);
  }
  await cast.stop();
}

/** Any caller; more often one who may administer, or else little would ever happen. */
function anyCaller(chance: Chance, grants: Grants, bearers: readonly Bearer[]): Bearer {
  const able = bearers.filter((bearer) => heldByBearer(grants, bearer)?.everywhere.has("admin"));
  return chance.pick(able.length > 0 && chance.happens(0.7) ? able : bearers);
}

/** Somebody whom the other issuer signs in for the first time, and who gets the role of new actors. */
async function meetNewcomer(cast: Cast, grants: Grants, bearers: Bearer[], actors: string[], step: number) {
  const bearer = await cast.signInOutside(`x-new-${step}`);
  const roles = [...grants.roles].filter(([, { autoAssign }]) => autoAssign).map(([id]) => id);
  grants.actors.set(bearer.actor, { roles, scopedRoles: [], disabled: false });
  bearers.push(bearer);
  actors.push(bearer.actor);
}

/** Takes an acknowledged call into the model, and signs in whoever can from then on. */
async function follow(
  cast: Cast,
  grants: Grants,
  bearers: Bearer[],
  known: { readonly actors: string[]; readonly tokens: string[] },
  bearer: Bearer,
  attempt: Attempt,
  answer: Body,
): Promise<void> {
  const { action, payload } = attempt;
  const before = new Map(grants.actors);
  const id = action === "user_create" ? await actorOfUser(cast, String(payload.username)) : String(answer.id);
  apply(grants, bearer, attempt, { id });
  if (action === "token_create") {
    const label = `API token of ${bearer.label} for ${answer.permissions}`;
    bearers.push({ label, token: answer.token, actor: bearer.actor, claims: [], apiToken: id });
    known.tokens.push(id);
  }
  for (const actor of new Set([...before.keys(), ...grants.actors.keys()])) {
    const [was, is] = [before.get(actor), grants.actors.get(actor)];
    const could = was !== undefined && !was.disabled;
    if (!is || is.disabled) {
      if (could) for (const one of bearers) if (one.actor === actor) grants.ended.add(one.token);
      continue;
    }
    if (could) continue;
    const outside = bearers.find((one) => one.actor === actor && is.username === undefined);
    bearers.push(
      is.username === undefined ? await cast.signInOutside(outside?.label ?? "") : await cast.signIn(is.username),
    );
    if (!was) known.actors.push(actor);
  }
}

async function actorOfUser({ world }: Cast, username: string): Promise<string> {
  return String((await world.seam.get(actorKey(BUILT_IN, username)))?.id);
}

/** Holds what the service says of everyone, and lets some do, against the model. */
async function compare(
  { world }: Cast,
  grants: Grants,
  bearers: readonly Bearer[],
  chance: Chance,
  tally: Tally,
  after = "at the start",
): Promise<void> {
  const shown = bearers.filter(({ token }, i) => !grants.ended.has(token) || i >= bearers.length - 4);
  await Promise.all(
    shown.map(async (bearer) => {
      const held = heldByBearer(grants, bearer);
      const said = await world.run("auth/whoami", {}, bearer.token).catch((error: unknown) => codeOf(error));
      const where = `${bearer.label} after ${after}`;
      if (held) expect(typeof said === "string" ? said : comparable(said), where).toEqual(comparable(told(held)));
      else expect(["not_signed_in", "actor_disabled"], where).toContain(said);
      tally.compared += 1;
    }),
  );
  const able = bearers.filter((bearer) => heldByBearer(grants, bearer));
  for (const bearer of able.length > 0 ? [chance.pick(able), chance.pick(able)] : []) {
    const held = heldByBearer(grants, bearer);
    if (held) tally.compared += await compareModels(world.run, held, bearer, after);
  }
}

/** What `auth/can` says of the models, and what happens when it is tried. */
async function compareModels(run: Cast["world"]["run"], held: Held, bearer: Bearer, after: string): Promise<number> {
  const models = MODEL_KEYS.map((key) => `key:${key}`);
  const where = `${bearer.label} after ${after}`;
  const { items } = await run("auth/can", { actions: ASKED.map(([action]) => action), models }, bearer.token);
  const expected = ASKED.flatMap(([action, permission]) =>
    MODEL_KEYS.map((key) => ({ action, model: `key:${key}`, allowed: onModel(held, permission, key) })),
  );
  expect(items, where).toEqual(expected);
  for (const key of MODEL_KEYS) {
    const modelRef = `key:${key}`;
    const made = { modelRef, entityKey: "tried" };
    const read = run("model/model_get", { modelRef }, bearer.token);
    const write = run("model/entity_create", made, bearer.token, { dryRun: true });
    const outcomes = await Promise.all([read, write].map((call) => call.then(() => "ok", codeOf)));
    const wanted = [verdict(held, "model_read", key), verdict(held, "model_write", key)];
    expect(outcomes, `${where} on ${key}`).toEqual(wanted);
  }
  return items.length + 2 * MODEL_KEYS.length;
}

/** A model that may not be read does not exist; who holds a permission nowhere needs no model to be refused. */
function verdict(held: Held, permission: string, key: string): string {
  if (!anywhere(held, permission)) return "not_allowed";
  if (!onModel(held, "model_read", key)) return "not_found";
  return onModel(held, permission, key) ? "ok" : "not_allowed";
}

function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}
