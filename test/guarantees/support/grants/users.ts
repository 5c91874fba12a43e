import { expect } from "vitest";
import { BUILT_IN } from "../../../../shared/domain/permissions.ts";
import { Problem } from "../../../../shared/domain/problems.ts";
import { readIssuers } from "../../../../shared/identity/issuers/configuration.ts";
import { actorKey } from "../../../../shared/store/table/keys.ts";
import { startIssuerServer } from "../../../identity/support/issuer-server.ts";
import { createSigner } from "../../../identity/support/token-signer.ts";
import { PASSWORD } from "../../../support/accounts.ts";
import { runtimeAt } from "../../../support/runtime.ts";
import { someone } from "../../../support/someone.ts";
import { type Body, createWorld, type World } from "../../../support/world.ts";
import { jsonOf } from "../reference/constraints.ts";
import { ownerOf } from "./effects.ts";
import type { Attempt, Bearer, Grants } from "./model.ts";
import type { CastModel } from "./rules.ts";

/** Keys of roles that people make, and that tokens of the other issuer claim. */
export const ROLE_KEYS = ["red", "green", "blue"];
const MODEL_KEYS = ["crm_a", "other"];

/** The roles that the other issuer's tokens claim, by the person it signs in. */
export const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  "x-nothing": [],
  "x-red": ["red"],
  "x-chief": ["admin", "green"],
};

const START = "2027-01-15T08:00:00.000Z";

/** People of the service and of another issuer, each with a way to sign in. */
export interface Users {
  readonly world: World;
  readonly models: readonly CastModel[];
  readonly bearers: readonly Bearer[];
  /** Signs in a user of the service; all users have the same password. */
  signIn(username: string): Promise<Bearer>;
  /** A token of the other issuer for one of its people, who are new where they never called. */
  signInOutside(subject: string): Promise<Bearer>;
  actorOf(username: string): Promise<string>;
  advance(ms: number): void;
  stop(): Promise<void>;
}

let signer: ReturnType<typeof createSigner> | undefined;

/** A world with two administrators, others, and people whose tokens claim roles. */
export async function createCast(): Promise<Users> {
  signer ??= createSigner("grants", "ES256");
  const { jwk, token: tokenOf } = signer;

  const server = await startIssuerServer([jwk]);
  const runtime = runtimeAt(START);
  const roles = { admin: "admin", red: "red", green: "green" };
  const outside = { issuer: server.issuer, audiences: ["metaction"], rolesClaim: "groups", roles };
  const world = await createWorld({ runtime, issuers: readIssuers(JSON.stringify({ issuers: [outside] })) });
  const models: CastModel[] = [];
  for (const key of MODEL_KEYS)
    models.push({ key, id: (await world.run("model/model_create", { key, name: key })).id });
  await someone(world, "second", (await world.run("auth/role_list")).items.find((r: Body) => r.key === "admin").id);

  const idOf = async (issuer: string, subject: string): Promise<string> =>
    String((await world.table.get(actorKey(issuer, subject)))?.id);
  const cast: Omit<Users, "bearers"> = {
    world,
    models,
    signIn: async (username) => {
      const { access_token: token } = await world.run("auth/login", { username, password: PASSWORD }, undefined);
      return { label: username, token, actor: await idOf(BUILT_IN, username), claims: [] };
    },
    signInOutside: async (subject) => {
      const claims = CLAIMS[subject] ?? [];
      const iat = Math.floor(runtime.now() / 1000);
      const said = { iss: server.issuer, sub: subject, aud: "metaction", name: subject, groups: claims };
      const token = tokenOf({ ...said, iat, exp: iat + 3_600 }, { typ: "at+jwt" });
      // The first call makes the actor; whether it is disabled shows later.
      await world.run("auth/whoami", {}, token).catch((error: unknown) => expect(error).toBeInstanceOf(Problem));
      return { label: subject, token, actor: await idOf(server.issuer, subject), claims };
    },
    actorOf: (username) => idOf(BUILT_IN, username),
    advance: runtime.advance,
    stop: server.stop,
  };
  const { admin, manager, reader, nobody } = world.people;
  const { signIn, signInOutside } = cast;
  const bearers = await Promise.all([
    ...Object.entries({ admin, manager, reader, nobody }).map(async ([label, token]) => {
      return { label, token, actor: await idOf(BUILT_IN, label), claims: [] };
    }),
    signIn("second"),
  ]);
  for (const subject of Object.keys(CLAIMS)) bearers.push(await signInOutside(subject));
  return { ...cast, bearers };
}

/** The bearer of an API token that a call created: for the actor that it names, or for its caller. */
export function bearerOfToken(caller: Bearer, payload: Attempt["payload"], { id, token }: Body): Bearer {
  const actor = ownerOf(caller, payload);
  return { label: `API token of ${actor}, created by ${caller.label}`, token, actor, claims: [], apiToken: id };
}

type KnownActors = Grants["actors"];

/** Signs in every person who is not disabled now, and was disabled or did not exist before. */
export async function signInAgain(cast: Users, bearers: readonly Bearer[], before: KnownActors, now: KnownActors) {
  const signedIn: Bearer[] = [];
  for (const [id, { username, service, disabled }] of now) {
    const was = before.get(id);
    // A service account has the API tokens that administrators made for it.
    if (service !== undefined || disabled || (was && !was.disabled)) continue;
    const outside = bearers.find(({ actor }) => actor === id)?.label ?? "";
    signedIn.push(await (username === undefined ? cast.signInOutside(outside) : cast.signIn(username)));
  }
  return signedIn;
}

/** The objects of the identity ledger, and its newest commit: what a refused call leaves as it is. */
export async function accountsOf({ table }: World): Promise<readonly string[]> {
  const newest = { pk: "log#identity", descending: true, limit: 1 };
  const [{ items }, log] = await Promise.all([table.query({ pk: "identity" }), table.query(newest)]);
  const objects = items.filter(({ sk }) => !String(sk).startsWith("seen#")).map(jsonOf);
  return [...objects, `commit ${log.items[0]?.sk}`];
}
