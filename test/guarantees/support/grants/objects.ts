import type { Accounts } from "./accounts.ts";

/** An object of the ledger, as the model knows it. */
export interface KnownObject {
  readonly kind: string;
  readonly id: string;
  /** Key of a user or role, subject of an actor, name of an API token. */
  readonly name: string;
  /** Everything that an act can change about it, in one text. */
  readonly facts: string;
}

/** Every object there is, by kind and id. */
export function objectsOf({ roles, actors, tokens, shown }: Accounts): ReadonlyMap<string, KnownObject> {
  const all: KnownObject[] = [];
  for (const [id, { permissions, ...role }] of roles) {
    const { name, description } = shown.roles.get(id) ?? {};
    all.push({ kind: "role", id, name: role.key, facts: facts([...permissions].sort(), role, name, description) });
  }
  for (const [id, actor] of actors) {
    const { subject = "", ...rest } = shown.actors.get(id) ?? {};
    const scoped = actor.scopedRoles.map(({ role, models }) => `${role} ${models}`).sort();
    all.push({ kind: "actor", id, name: subject, facts: facts([...actor.roles].sort(), scoped, rest) });
  }
  for (const [name, user] of shown.users) all.push({ kind: "user", id: user.id, name, facts: facts(user) });
  for (const [id, token] of tokens) {
    all.push({ kind: "api_token", id, name: shown.tokens.get(id)?.name ?? "", facts: facts(token) });
  }
  return new Map(all.map((one) => [`${one.kind} ${one.id}`, one]));
}

const facts = (...all: readonly unknown[]): string => JSON.stringify(all);

/** The changes between two moments, as `<change> <kind> <id> <name>` each, sorted. */
export function changesBetween(
  before: ReadonlyMap<string, KnownObject>,
  after: ReadonlyMap<string, KnownObject>,
): readonly string[] {
  const changes: string[] = [];
  for (const [place, { kind, id, name, facts }] of after) {
    const was = before.get(place);
    if (was?.facts !== facts || was.name !== name) changes.push(`${was ? "update" : "create"} ${kind} ${id} ${name}`);
  }
  for (const [place, { kind, id, name }] of before) if (!after.has(place)) changes.push(`delete ${kind} ${id} ${name}`);
  return changes.sort();
}
