import { expect } from "vitest";
import type { Answer } from "../../../../shared/actions/contract/call.ts";
import { BUILT_IN } from "../../../../shared/domain/accounts/principal.ts";
import { Problem } from "../../../../shared/domain/problems.ts";
import { actorKey } from "../../../../shared/store/table/keys.ts";
import type { Chance } from "../../../support/chance.ts";
import type { Body } from "../../../support/world.ts";
import { type Accounts, passwordsOf, shownOf } from "./accounts.ts";
import { noteAct, rowOf } from "./audit.ts";
import { noteGuess, placeOf } from "./guesses.ts";
import { type Attempt, type Bearer, heldByBearer } from "./model.ts";
import { changesBetween, objectsOf } from "./objects.ts";
import { entriesAfter, grantsOf } from "./replay.ts";
import { createCast, type Users } from "./users.ts";

/** How many calls of a history were acknowledged and refused, how many answers were compared, and what was called. */
export interface Tally {
  acknowledged: number;
  refused: number;
  compared: number;
  note(action: string, code: string): void;
}

/** The cast of a history with what the model knows of it, and everything that calls can name. */
export interface GrantFixture {
  readonly cast: Users;
  readonly accounts: Accounts;
  /** Everyone who ever had a token. */
  readonly bearers: Bearer[];
  /** The ids of all actors, API tokens and models that ever existed. */
  readonly known: { readonly actors: string[]; readonly tokens: string[]; readonly models: readonly string[] };
  readonly chance: Chance;
  readonly tally: Tally;
}

/** The cast with nothing done yet, and what is stored then as the model's beginning. */
export async function createFixture(chance: Chance, tally: Tally): Promise<GrantFixture> {
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
  const shown = await shownOf(world);
  const rows: readonly Body[] = (await world.run("auth/audit_list")).items;
  const accounts: Accounts = {
    ...stored,
    actors,
    ended: new Set(),
    shown,
    passwords: passwordsOf(shown),
    guesses: new Map(),
    models: cast.models,
    called: new Map((await seenIds(cast)).map((id) => [id, cast.now()])),
    audit: { done: rows.map(rowOf).reverse(), refused: new Map() },
    revision: (await entriesAfter(world, 0)).at(-1)?.revision ?? 0,
  };
  const known = { actors: [...actors.keys()], tokens: [], models: cast.models.map(({ id }) => id) };
  return { cast, accounts, bearers, known, chance, tally };
}

async function seenIds({ world: { table } }: Users): Promise<readonly string[]> {
  const { items } = await table.query({ pk: "identity", prefix: "seen#" });
  return items.map(({ sk }) => sk.slice("seen#".length));
}

/** Calls an action of accounts as somebody, over HTTP: the whole answer, or the problem it ends in. */
export async function send(
  { cast, accounts, tally }: GrantFixture,
  bearer: Bearer,
  { action, payload, sourceAddress }: Attempt,
): Promise<Answer | Problem> {
  if (action !== "login" && heldByBearer(accounts, bearer)) accounts.called.set(bearer.actor, cast.now());
  const token = action === "login" ? undefined : bearer.token;
  try {
    const answer = await cast.world.answer(`auth/${action}`, payload, token, { sourceAddress });
    tally.note(`auth/${action}`, "ok");
    return answer;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    tally.note(`auth/${action}`, error.code);
    return error;
  }
}

/** Signs somebody in who can: a user with the password the model knows, anybody else but programs at the other issuer. */
export async function signIn({ cast, accounts, bearers, tally }: GrantFixture, actor: string): Promise<void> {
  const { username, service } = accounts.actors.get(actor) ?? {};
  if (service !== undefined) return;
  // Nothing else of the audit log is of this moment, so that its order is known.
  cast.advance(1_000);
  if (username === undefined) {
    const { subject = "" } = accounts.shown.actors.get(actor) ?? {};
    bearers.push(await cast.signInOutside(subject));
    accounts.called.set(actor, cast.now());
    return;
  }
  const guess = { name: username, password: accounts.passwords.get(username) ?? "" };
  cast.advance(Math.max(0, (accounts.guesses.get(placeOf(guess))?.notBefore ?? 0) - cast.now()));
  const bearer = await cast.signIn(username, guess.password);
  tally.note("auth/login", "ok");
  expect(bearer.actor, username).toBe(actor);
  noteGuess(accounts, "login", guess, cast.now());
  noteAct(accounts, "login", bearer, cast.now(), []);
  bearers.push(bearer);
}

/** Signs in a person of the other issuer for the first time, who gets the role of new actors. */
export async function meetNewcomer({ cast, accounts, bearers, known }: GrantFixture, subject: string): Promise<void> {
  const before = objectsOf(accounts);
  const bearer = await cast.signInOutside(subject);
  const { actor, claims } = bearer;
  const roles = [...accounts.roles].filter(([, { autoAssign }]) => autoAssign).map(([id]) => id);
  accounts.actors.set(actor, { roles, scopedRoles: [], disabled: false });
  accounts.shown.actors.set(actor, {
    issuer: cast.issuer,
    subject,
    fullname: subject,
    ...(claims.length > 0 && { claimedRoles: [...claims].sort() }),
    createdAt: new Date(cast.now()).toISOString(),
    endings: 0,
  });
  accounts.called.set(actor, cast.now());
  accounts.revision += 1;
  noteAct(accounts, "first_sight", { actor }, cast.now(), changesBetween(before, objectsOf(accounts)));
  bearers.push(bearer);
  known.actors.push(actor);
}

/** The id of the actor of a user. */
export async function actorOfUser({ world }: Users, username: string): Promise<string> {
  return String((await world.table.get(actorKey(BUILT_IN, username)))?.id);
}
