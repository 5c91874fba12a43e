import { expect } from "vitest";
import type { Body } from "../../../support/world.ts";
import type { Accounts } from "./accounts.ts";
import { type Attempt, type Bearer, named } from "./model.ts";
import { meaning, OF_MODELS } from "./rules.ts";

/** Whom a write addresses; undefined where it makes something. */
interface Target {
  readonly id: string;
  readonly key: string;
}

interface Outcome {
  readonly target: Target | undefined;
  readonly changes: readonly string[];
  readonly what: string;
}

/** The answer to a write, in two parts: whom it addresses, before it is done, and what it says, after. */
export const expectWritten = {
  before(accounts: Accounts, bearer: Bearer, attempt: Attempt): Target | undefined {
    const { action, payload } = attempt;
    const { shown } = accounts;
    const { roleId, role, actorId } = named(accounts, attempt);
    if (action.endsWith("_create")) return undefined;
    if (action.startsWith("role_")) {
      return { id: roleId, key: action === "role_update_key" ? String(payload.value) : (role?.key ?? "") };
    }
    if (action.startsWith("actor_")) return { id: actorId, key: shown.actors.get(actorId)?.subject ?? "" };
    if (action.startsWith("service_account_")) {
      return { id: actorId, key: accounts.actors.get(actorId)?.service ?? "" };
    }
    if (action.startsWith("token_")) {
      const id = String(payload.tokenId);
      return { id, key: shown.tokens.get(id)?.name ?? "" };
    }
    const key = String(payload.username ?? accounts.actors.get(bearer.actor)?.username);
    return { id: shown.users.get(key)?.id ?? "", key };
  },

  after(accounts: Accounts, { action, payload }: Attempt, body: Body, { target, changes, what }: Outcome): void {
    const secret = action === "token_create";
    const made = accounts.tokens.get(body.id);
    const { id, key } = target ?? { id: body.id, key: secret ? payload.name : (payload.key ?? payload.username) };
    expect(id, what).toMatch(/^[0-9a-f-]{36}$/);
    expect(body, what).toEqual({
      status: "ok",
      id,
      key,
      revision: accounts.revision,
      changed: changes.length > 0,
      ...(secret && {
        token: expect.any(String),
        permissions: [...new Set(made?.permissions)].sort(),
        ...(made?.models && { models: made.models }),
        expiresAt: accounts.shown.tokens.get(id)?.expiresAt,
      }),
      ...(action === "actor_add_role" && warningsOf(accounts, { action, payload })),
    });
  },
};

/** A role for some models is no limit where another one gives the same for all. */
function warningsOf(accounts: Accounts, attempt: Attempt): object {
  const { role, actorId, actor } = named(accounts, attempt);
  if (attempt.payload.models === undefined) return {};
  const claimed = accounts.shown.actors.get(actorId)?.claimedRoles ?? [];
  const given = meaning(role?.permissions ?? []);
  const others = [...accounts.roles].filter(([id, { key }]) => actor?.roles.includes(id) || claimed.includes(key));
  const inVain = others.filter(([, { permissions }]) =>
    OF_MODELS.some((one) => given.has(one) && meaning(permissions).has(one)),
  );
  const warning = { pointer: "/models", detail: expect.stringContaining(" does not limit ") };
  return inVain.length === 0 ? {} : { warnings: inVain.map(() => warning) };
}
