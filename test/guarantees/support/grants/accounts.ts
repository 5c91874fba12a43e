import { toObject } from "../../../../shared/store/table/items.ts";
import { PASSWORD } from "../../../support/accounts.ts";
import type { Body, World } from "../../../support/world.ts";
import type { ExpectedAudit } from "./audit-rows.ts";
import type { Grants } from "./model.ts";
import type { CastModel } from "./rules.ts";

/** A role as far as nothing comes from it. Times are ISO 8601. */
export interface ShownRole {
  readonly name: string;
  readonly description?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The fields of an actor that reads show beside its rights. */
export interface ShownActor {
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  readonly claimedRoles?: readonly string[];
  readonly createdAt: string;
  readonly disabledAt?: string;
  /** The number of times that all of its tokens ended at once. */
  readonly endings: number;
}

export interface ShownUser {
  readonly id: string;
  readonly fullname: string;
  readonly createdAt: string;
  readonly disabledAt?: string;
  readonly passwordChangedAt?: string;
}

export interface ShownToken {
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * The state of accounts in the model: the rights of all, the fields that reads show beside them, and the entries of the
 * audit log.
 */
export interface Accounts extends Grants {
  /** Roles, actors and API tokens by id, users by name. */
  readonly shown: {
    readonly roles: Map<string, ShownRole>;
    readonly actors: Map<string, ShownActor>;
    readonly users: Map<string, ShownUser>;
    readonly tokens: Map<string, ShownToken>;
  };
  /** The present password of each user. */
  readonly passwords: Map<string, string>;
  /** The wrong guesses so far, by user name and source address. */
  readonly guesses: Map<string, Guesses>;
  /** When each actor called last with a token that holds, in milliseconds. */
  readonly called: Map<string, number>;
  /** The models there are, which no call on accounts changes. */
  readonly models: readonly CastModel[];
  readonly audit: ExpectedAudit;
  /** Commits to the ledger so far. */
  revision: number;
}

/** The fields of roles, actors, users and API tokens that reads show, taken from the items stored now. */
export async function shownOf({ table }: World): Promise<Accounts["shown"]> {
  const shown: Accounts["shown"] = { roles: new Map(), actors: new Map(), users: new Map(), tokens: new Map() };
  for (const item of (await table.query({ pk: "identity" })).items) {
    const [kind] = String(item.sk).split("#");
    if (kind !== "role" && kind !== "actor" && kind !== "user") continue;
    const { id, key, ...fields }: Body = toObject(item);
    const { name, description, fullname, createdAt, updatedAt, issuer, subject, claimedRoles } = fields;
    if (kind === "role") shown.roles.set(id, { name, ...(description && { description }), createdAt, updatedAt });
    if (kind === "user") shown.users.set(key, { id, fullname, createdAt });
    if (kind !== "actor") continue;
    const claims = claimedRoles && { claimedRoles };
    shown.actors.set(id, { issuer, subject, fullname, ...claims, createdAt, endings: 0 });
  }
  return shown;
}

/** Everyone settled has the same password. */
export const passwordsOf = ({ users }: Accounts["shown"]): Map<string, string> =>
  new Map([...users.keys()].map((username) => [username, PASSWORD]));

/**
 * Passwords that were tried for a name from one address since the last one from there that was right. No history is so long
 * that the ceiling for a name alone is met; test/identity/login-networks.test.ts meets it.
 */
export interface Guesses {
  readonly failures: number;
  /** The moment before which no other guess is compared, in milliseconds. */
  readonly notBefore: number;
}
