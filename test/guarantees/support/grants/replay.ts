import { expect } from "vitest";
import { type LogChange, readWholeEntry, toLogEntry, type WholeEntry } from "../../../../shared/store/log/log.ts";
import { partition } from "../../../store/support/check-model.ts";
import type { Body, World } from "../../../support/world.ts";
import { administrators, type Grants, type KnownActor, type KnownRole, type KnownToken, lasting } from "./model.ts";
import { anywhere, heldBy, meaning } from "./rules.ts";

type Standing = Pick<Grants, "roles" | "actors" | "tokens">;

export async function grantsOf({ table }: World): Promise<Standing> {
  const standing: Standing = { roles: new Map(), actors: new Map(), tokens: new Map() };
  const { items } = await table.query({ pk: "identity" });
  for (const item of items) {
    const kind = String(item.sk).split("#")[0] ?? "";
    put(standing, kind, String(item.id), item);
  }
  return standing;
}

function put({ roles, actors, tokens }: Standing, kind: string, id: string, fields: Body) {
  if (kind === "role") roles.set(id, roleFields(fields) as KnownRole);
  if (kind === "actor") actors.set(id, actorOf(fields));
  if (kind !== "api_token") return;
  const { owner, permissions, models } = fields;
  tokens.set(id, { owner, permissions, ...(models && { models }) });
}

const ROLE_FIELDS = ["key", "permissions", "managed", "autoAssign"];
const roleFields = (fields: Body): Partial<KnownRole> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => ROLE_FIELDS.includes(name)));

const actorOf = ({ issuer, subject, roles, scopedRoles, disabledAt }: Body): KnownActor => ({
  ...(String(issuer).startsWith("urn:") && nameOf(String(subject))),
  roles,
  scopedRoles: scopedRoles ?? [],
  disabled: typeof disabledAt === "string",
});

/** Whom the service itself knows by a subject: a service account, or a user, in whose name no colon can be. */
function nameOf(subject: string): Pick<KnownActor, "username" | "service"> {
  const [, service] = /^service:(.*)/.exec(subject) ?? [];
  return service === undefined ? { username: subject } : { service };
}

/** Every entry of the log of the accounts after a revision, oldest first. */
export async function entriesAfter({ table }: World, revision: number): Promise<readonly WholeEntry[]> {
  const items = await partition(table, "log#identity");
  const entries = await Promise.all(items.map((item) => readWholeEntry(table, toLogEntry(item))));
  return entries.filter((entry) => entry.revision > revision);
}

const OWN = ["auth/first_sight", "auth/new_claims", "auth/token_create", "auth/token_revoke"];

/** Replays the log. Fails for an author without rights at that time. `claims`: claims of an actor's tokens. */
export function replay(before: Standing, entries: readonly WholeEntry[], claims: (actor: string) => readonly string[]) {
  const { roles, actors, tokens } = before;
  const now: Standing = { roles: new Map(roles), actors: new Map(actors), tokens: new Map(tokens) };
  for (const entry of entries) {
    const author = String(entry.actor);
    const at = `${entry.actions} at ${entry.revision}`;
    const known = now.actors.get(author);
    expectToken(now, entry, at);
    const administers =
      known !== undefined && heldBy(known, now.roles, { claims: claims(author) }).everywhere.has("admin");
    if (!administers) {
      const others = entry.actions.filter((action) => !OWN.includes(action));
      expect(others, at).toEqual([]);
      for (const change of entry.changes ?? []) expectOwn(now, author, change, at);
    }
    for (const change of entry.changes ?? []) {
      if (change.kind === "api_token" && change.does === "create") expectWithin(now, author, administers, change, at);
      lay(now, change);
    }
    expect(administrators(now).length, `administrators after ${at}`).toBeGreaterThan(0);
    const newcomers = [...now.roles.values()].filter(({ autoAssign }) => autoAssign);
    expect(newcomers.length, `roles of new actors after ${at}`).toBeLessThan(2);
    for (const role of newcomers) expect(meaning(role.permissions).has("admin"), at).toBe(false);
  }
  return now;
}

/** An API token changes nothing but itself, which it ends; a service account has nothing else to call with. */
function expectToken({ actors, tokens }: Standing, { actor = "", apiToken, changes = [] }: WholeEntry, at: string) {
  if (apiToken === undefined) expect(actors.get(actor)?.service, at).toBeUndefined();
  else {
    expect(tokens.get(apiToken)?.owner, at).toBe(actor);
    const made = changes.map(({ does, kind, id }) => [does, kind, id]);
    expect(made, at).toEqual([["delete", "api_token", apiToken]]);
  }
}

/** Checks a change by an author who is not an administrator: becoming known, or their own API tokens. */
function expectOwn(now: Standing, author: string, { kind, does, id, after }: LogChange, at: string) {
  if (kind === "api_token" && does === "create") return;
  if (kind === "api_token") expect(now.tokens.get(id)?.owner, at).toBe(author);
  else {
    expect([kind, id], at).toEqual(["actor", author]);
    if (does === "create") {
      const given = [...now.roles].filter(([, { autoAssign }]) => autoAssign).map(([role]) => role);
      expect([after?.roles, after?.scopedRoles], at).toEqual([given, undefined]);
    } else {
      expect(does, at).toBe("update");
      const listed = ["fullname", "email", "claimedRoles", "claimsAt"];
      const others = Object.keys(after ?? {}).filter((name) => !listed.includes(name));
      expect(others, at).toEqual([]);
    }
  }
}

/** Expects a token of its maker, or of an administrator for an enabled actor, within the actor's assigned rights. */
function expectWithin(now: Standing, maker: string, administers: boolean, { after }: LogChange, at: string) {
  // The log has the whole object where one is made.
  const { owner, permissions, models } = after as unknown as KnownToken;
  if (owner !== maker) expect([administers, now.actors.get(owner)?.disabled], at).toEqual([true, false]);
  expect(models, at).not.toEqual([]);
  const held = lasting(now, owner);
  const more = permissions.filter((permission) => !anywhere(held, permission));
  expect(more, at).toEqual([]);
}

function lay(now: Standing, { kind, does, id, after }: LogChange) {
  if (does === "delete") {
    for (const place of [now.roles, now.actors, now.tokens]) place.delete(id);
    return;
  }
  const fields: Body = { ...after };
  if (kind === "role") now.roles.set(id, { ...now.roles.get(id), ...roleFields(fields) } as KnownRole);
  if (kind === "api_token") put(now, kind, id, fields);
  if (kind !== "actor") return;
  const known = now.actors.get(id) ?? actorOf(fields);
  now.actors.set(id, {
    ...known,
    ...("roles" in fields && { roles: fields.roles }),
    ...("scopedRoles" in fields && { scopedRoles: fields.scopedRoles ?? [] }),
    ...("disabledAt" in fields && { disabled: fields.disabledAt !== null }),
  });
}
