import { expect } from "vitest";
import type { Answer } from "../../../../shared/actions/contract/call.ts";
import { Problem } from "../../../../shared/domain/problems.ts";
import type { Chance } from "../../../support/chance.ts";
import type { Body } from "../../../support/world.ts";
import { ACCOUNT_ACTIONS, isReading } from "./account-calls.ts";
import { applyWrite } from "./apply-write.ts";
import { createDeck, drawn, isTaking, livingOf, takingAttempt } from "./attempts.ts";
import { noteAct } from "./audit.ts";
import { compare } from "./compare.ts";
import { ownerOf } from "./effects.ts";
import { expectWritten } from "./expect-written.ts";
import { actorOfUser, createFixture, type GrantFixture, meetNewcomer, send, signIn, type Tally } from "./fixture.ts";
import { guessOf, noteGuess } from "./guesses.ts";
import { type Attempt, administrators, type Bearer, heldByBearer } from "./model.ts";
import { WEAK } from "./passwords.ts";
import { compareAudit, compareRead } from "./reads.ts";
import { refusal, tokenProblems } from "./refusals.ts";
import { accountsOf } from "./users.ts";

/** How often a step reads something too. */
const READING = 0.5;
/** How the names of newcomers begin; at another issuer, nobody is a service account. */
const NEWCOMERS = ["x-new-", "service:new-"];
/** Wrong passwords in a row, of which the last ones have to wait. */
const BURST = 8;

/** One history: a call after the other, each held against the model, and so is what everyone may do after it. */
export async function runHistory(chance: Chance, steps: number, tally: Tally): Promise<void> {
  const scene = await createFixture(chance, tally);
  const { cast, accounts, bearers } = scene;
  const [writes, reads] = [createDeck(chance, "writes"), createDeck(chance, "reads")];
  await compare(scene, bearers, 2, "at the start");
  for (let step = 0; step < steps; step++) {
    cast.advance(2_000);
    if (chance.happens(0.05)) await meetNewcomer(scene, `${chance.pick(NEWCOMERS)}${step}`);
    const bearer = anyCaller(scene);
    const attempt = isTaking(chance) ? takingAttempt(chance, accounts) : deal(scene, bearer, writes());
    const times = isWrongGuess(scene, bearer, attempt) && chance.happens(0.2) ? BURST : 1;
    for (let i = 0; i < times; i++) await tryOut(scene, bearer, attempt, `step ${step}`);
    expect(administrators(accounts).length, `step ${step}`).toBeGreaterThan(0);
    if (!chance.happens(READING)) continue;
    const reader = anyCaller(scene);
    await tryOut(scene, reader, deal(scene, reader, reads()), `step ${step}, then`);
  }
  const able = bearers.find((bearer) => heldByBearer(accounts, bearer)?.everywhere.has("admin"));
  const all = able && (await cast.world.run("auth/audit_list", {}, able.token));
  compareAudit(accounts, all?.items ?? [], {}, "the audit log at the end");
  await cast.stop();
}

/** Any caller; more often one who may administer, or else little would ever happen. */
function anyCaller({ chance, accounts, bearers }: GrantFixture): Bearer {
  const able = bearers.filter((bearer) => heldByBearer(accounts, bearer)?.everywhere.has("admin"));
  return chance.pick(able.length > 0 && chance.happens(0.75) ? able : bearers);
}

/** A call of an action by somebody. */
function deal({ chance, accounts, cast, known }: GrantFixture, bearer: Bearer, action: string): Attempt {
  let made = 0;
  const attempt = drawn(action, {
    ...known,
    ...livingOf(accounts),
    chance,
    caller: accounts.actors.get(bearer.actor)?.username ?? "",
    passwordOf: (name) => (chance.happens(0.7) ? (accounts.passwords.get(name) ?? "") : "") || "Wrong horse 3 battery",
    newPassword: () => (chance.happens(0.15) ? chance.pick(WEAK) : `Horse ${made++} at ${cast.now()}`),
    from: new Date(cast.now() - 1_000 * chance.below(60)).toISOString(),
  });
  const sourceAddress = chance.pick(["", "192.0.2.1", "192.0.2.2"]);
  return sourceAddress === "" ? attempt : { ...attempt, sourceAddress };
}

function isWrongGuess({ accounts, cast }: GrantFixture, bearer: Bearer, attempt: Attempt): boolean {
  const [code] = refusal(accounts, bearer, attempt, cast.now()) ?? [];
  return code === "wrong_password" || (attempt.action === "login" && code === "not_signed_in");
}

/** Makes a call, and holds the answer and what comes of it against the model. */
async function tryOut(scene: GrantFixture, bearer: Bearer, attempt: Attempt, when: string): Promise<void> {
  const { cast, accounts, bearers, chance, tally } = scene;
  const { action, payload } = attempt;
  const what = `${when}: ${bearer.label} ${action} ${JSON.stringify(payload)}`;
  const why = refusal(accounts, bearer, attempt, cast.now());
  const guess = guessOf(accounts, bearer, attempt);
  const before = await accountsOf(cast.world);
  const answer = await send(scene, bearer, attempt);
  if (guess) noteGuess(accounts, action, guess, cast.now());
  const isRead = ACCOUNT_ACTIONS.some((one) => one.name === action && isReading(one));
  let changed = false;
  if (answer instanceof Problem) {
    expect(why, `${what} was refused: ${answer.code}, ${answer.message}`).toBeDefined();
    const held = action === "login" || heldByBearer(accounts, bearer);
    expect(held ? [why?.[0]] : tokenProblems(accounts, bearer), `${what}: ${why?.[1]}`).toContain(answer.code);
    tally.refused += 1;
  } else {
    expect(why, `${what} was acknowledged`).toBeUndefined();
    tally.acknowledged += 1;
    if (isRead) {
      const more: (of: Attempt["payload"]) => Promise<Answer> = async (of) => {
        const page = await send(scene, bearer, { action, payload: of });
        if (page instanceof Problem) throw page;
        return page;
      };
      await compareRead(accounts, { bearer, attempt, answer, more, now: cast.now(), what });
      tally.compared += 1;
    } else changed = await follow(scene, bearer, attempt, answer, what);
  }
  if (!changed) expect(await accountsOf(cast.world), `${what} changed nothing, and`).toEqual(before);
  // After a call that changed nothing, as was seen, a few are enough.
  const asked = changed ? bearers : [chance.pick(bearers), bearer];
  if (!isRead) await compare(scene, asked, changed ? 2 : 1, what);
}

/** Takes an acknowledged call into the model, and signs in whoever can from then on; answers whether it changed anything. */
async function follow(
  scene: GrantFixture,
  bearer: Bearer,
  attempt: Attempt,
  answer: Answer,
  what: string,
): Promise<boolean> {
  const { cast, accounts, bearers, known, chance } = scene;
  const { action, payload } = attempt;
  const now = cast.now();
  const body: Body = answer.body;
  if (action === "login") {
    const actor = await actorOfUser(cast, String(payload.username));
    const signedIn = { label: String(payload.username), token: body.access_token, actor, claims: [] };
    expect(body, what).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 3_600 });
    noteAct(accounts, action, signedIn, now, []);
    // Several tokens of one actor end together; of too many nothing more is learnt.
    if (chance.happens(0.3)) bearers.push(signedIn);
    return false;
  }
  const was = { actors: new Map(accounts.actors), shown: new Map(accounts.shown.actors) };
  const actor = action === "user_create" ? await actorOfUser(cast, String(payload.username)) : undefined;
  const target = expectWritten.before(accounts, bearer, attempt);
  const changes = applyWrite(accounts, { bearer, attempt, answer: body, now, ...(actor !== undefined && { actor }) });
  if (changes.length > 0) noteAct(accounts, action, bearer, now, changes);
  expectWritten.after(accounts, attempt, body, { target, changes, what });
  if (action === "token_create") {
    const owner = ownerOf(bearer, payload);
    const label = `API token of ${accounts.shown.actors.get(owner)?.subject} for ${body.permissions} on ${body.models}`;
    bearers.push({ label, token: body.token, actor: owner, claims: [], apiToken: body.id });
    known.tokens.push(body.id);
  }
  for (const id of new Set([...was.actors.keys(), ...accounts.actors.keys()])) {
    const [past, is] = [was.actors.get(id), accounts.actors.get(id)];
    const endings = accounts.shown.actors.get(id)?.endings ?? -1;
    if (past && endings !== was.shown.get(id)?.endings) endTokens(scene, id, is === undefined || is.disabled);
    const could = past && !past.disabled && endings === was.shown.get(id)?.endings;
    if (!is || is.disabled || could) continue;
    await signIn(scene, id);
    if (!past) known.actors.push(id);
  }
  return changes.length > 0;
}

/** Access tokens of an actor open nothing any more; a new password leaves those of programs. */
function endTokens({ accounts, bearers }: GrantFixture, actor: string, all: boolean): void {
  for (const one of bearers) {
    if (one.actor === actor && (all || one.apiToken === undefined)) accounts.ended.add(one.token);
  }
}
