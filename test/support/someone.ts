import { mintToken } from "../../shared/identity/tokens/mint-token.ts";
import { writePerson } from "./accounts.ts";
import { ISSUER } from "./issuer.ts";
import type { Body, World } from "./world.ts";

export interface Someone {
  readonly id: string;
  readonly token: string;
  readonly username: string;
}

/** A user of this name with the roles of these ids, and no other. */
export async function someone(world: World, username: string, ...roles: readonly string[]): Promise<Someone> {
  const { table, keys, service } = world;
  const { runtime } = service;
  const id = runtime.newId();
  await writePerson(table, { username, id, roles, createdAt: new Date(runtime.now()).toISOString() });
  const terms = { keys, issuer: ISSUER, audience: "metaction", runtime };
  const { access_token: token } = await mintToken({ username, fullname: username, tokenEpoch: 1 }, terms);
  return { id, token, username };
}

/** A user whose only roles are these, each for the models of a pattern. */
export async function someoneOn(
  world: World,
  username: string,
  ...roles: readonly { readonly role: string; readonly models: string }[]
): Promise<Someone> {
  const made = await someone(world, username);
  for (const { role, models } of roles)
    await world.run("auth/actor_add_role", { actorId: made.id, roleRef: `key:${role}`, models });
  return made;
}

let counted = 0;

/** Someone new with the roles of these keys. */
export async function person(world: World, ...roles: readonly string[]): Promise<Someone> {
  counted += 1;
  const { items } = await world.run("auth/role_list");
  const ids = roles.map((wanted) => items.find(({ key }: Body) => key === wanted).id);
  return someone(world, `person${counted}`, ...ids);
}
