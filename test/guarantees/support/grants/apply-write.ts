import { BUILT_IN } from "../../../../shared/domain/accounts/principal.ts";
import type { Body } from "../../../support/world.ts";
import type { Accounts } from "./accounts.ts";
import { apply } from "./effects.ts";
import { type Attempt, type Bearer, named } from "./model.ts";
import { changesBetween, objectsOf } from "./objects.ts";

const DAY_MS = 86_400_000;
/** An API token lasts so long unless told otherwise. */
const TOKEN_DAYS = 90;

/** A write that was acknowledged. `actor` is the id of the actor that a new user has. */
export interface Done {
  readonly bearer: Bearer;
  readonly attempt: Attempt;
  readonly answer: Body;
  readonly actor?: string;
  readonly now: number;
}

/** Does in the model all that an acknowledged write does, and answers what it changed. */
export function applyWrite(accounts: Accounts, done: Done): readonly string[] {
  const { bearer, attempt, answer, actor, now } = done;
  const [before, roles] = [objectsOf(accounts), new Map(accounts.shown.roles)];
  show(accounts, done);
  apply(accounts, bearer, attempt, { id: actor ?? String(answer.id) });
  for (const id of accounts.shown.tokens.keys()) if (!accounts.tokens.has(id)) accounts.shown.tokens.delete(id);
  const after = objectsOf(accounts);
  const changes = changesBetween(before, after);
  for (const [id, role] of accounts.shown.roles) {
    const place = `role ${id}`;
    const same = before.get(place)?.facts === after.get(place)?.facts;
    if (roles.has(id) && !same) accounts.shown.roles.set(id, { ...role, updatedAt: timeOf(now) });
  }
  if (changes.length > 0) accounts.revision += 1;
  return changes;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** Changes what reads tell beside rights; before those change, so that what a call names is found as it was. */
function show(accounts: Accounts, { bearer, attempt, answer, actor: made, now }: Done): void {
  const { action, payload } = attempt;
  const { shown, passwords, actors } = accounts;
  const { roleId, actorId } = named(accounts, attempt);
  const role = shown.roles.get(roleId);
  const time = timeOf(now);
  const username = actors.get(action === "change_my_password" ? bearer.actor : actorId)?.username;
  const name = username ?? String(payload.username);
  switch (action) {
    case "role_create": {
      const { name, description } = texts(payload);
      shown.roles.set(answer.id, { name, ...(description && { description }), createdAt: time, updatedAt: time });
      return;
    }
    case "role_update_name":
      if (role) shown.roles.set(roleId, { ...role, name: String(payload.value) });
      return;
    case "role_update_description": {
      const { description: _, ...rest } = role ?? { name: "", createdAt: "", updatedAt: "" };
      const { value } = payload;
      shown.roles.set(roleId, typeof value === "string" && value !== "" ? { ...rest, description: value } : rest);
      return;
    }
    case "role_delete":
      shown.roles.delete(roleId);
      return;
    case "token_create": {
      const days = typeof payload.expiresInDays === "number" ? payload.expiresInDays : TOKEN_DAYS;
      const expiresAt = timeOf(now + days * DAY_MS);
      shown.tokens.set(answer.id, { name: texts(payload).name, createdAt: time, expiresAt });
      return;
    }
    case "user_create": {
      const fullname = String(payload.fullname);
      passwords.set(name, String(payload.password));
      shown.users.set(name, { id: answer.id, fullname, createdAt: time });
      const signed = { issuer: BUILT_IN, subject: name };
      shown.actors.set(made ?? "", { ...signed, fullname, createdAt: time, endings: 0 });
      return;
    }
    case "service_account_create": {
      const signed = { issuer: BUILT_IN, subject: `service:${payload.key}` };
      shown.actors.set(answer.id, { ...signed, fullname: texts(payload).name, createdAt: time, endings: 0 });
      return;
    }
    case "service_account_update":
      change(accounts, actorId, { fullname: texts(payload).name });
      return;
    case "service_account_delete":
      shown.actors.delete(actorId);
      return;
    case "user_delete":
      passwords.delete(name);
      shown.users.delete(name);
      shown.actors.delete(actorId);
      return;
    case "user_change_fullname":
      change(accounts, actorId, { fullname: String(payload.fullname) });
      return;
    case "user_change_password":
    case "change_my_password":
      passwords.set(name, String(payload.password ?? payload.newPassword));
      change(accounts, username === undefined ? actorId : idOf(accounts, username), {}, { passwordChangedAt: time });
      return;
    case "actor_disable":
    case "user_disable":
    case "service_account_disable":
      if (!actors.get(actorId)?.disabled) change(accounts, actorId, { disabledAt: time }, {});
      return;
    case "actor_enable":
    case "user_enable":
      change(accounts, actorId, { disabledAt: undefined });
      return;
    default:
  }
}

const texts = ({ name, description }: Attempt["payload"]) => ({
  name: String(name),
  description: typeof description === "string" ? description : undefined,
});

const idOf = ({ actors }: Accounts, username: string): string =>
  [...actors].find(([, one]) => one.username === username)?.[0] ?? "";

type Both = { readonly fullname?: string; readonly disabledAt?: string | undefined };

/** Changes an actor with its user, where it has one; `ofUser` goes with the end of all tokens. */
function change({ shown, actors }: Accounts, id: string, both: Both, ofUser?: { passwordChangedAt?: string }): void {
  const actor = shown.actors.get(id);
  const username = actors.get(id)?.username;
  const user = username === undefined ? undefined : shown.users.get(username);
  if (actor) shown.actors.set(id, without({ ...actor, ...both, endings: actor.endings + (ofUser ? 1 : 0) }));
  if (user && username !== undefined) shown.users.set(username, without({ ...user, ...both, ...ofUser }));
}

/** An object without the members that are told to be absent. */
function without<T extends object>(fields: { [F in keyof T]: T[F] | undefined }): T {
  // Every member that is left has a value, so the type of the original holds.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
