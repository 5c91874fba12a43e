import type { Actor, ApiToken, AuthRole, User } from "../../domain/objects.ts";
import { ACCOUNTS, ACCOUNTS_LEDGER, IDENTITY, idsPartition } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Item, Table } from "../table/table.ts";

/** The stored accounts. */
export interface Accounts {
  /** Everything in the partition, by sort key. */
  readonly items: ReadonlyMap<string, Item>;
  /** Items that lead from an id to a sort key, by id. */
  readonly ids: ReadonlyMap<string, Item>;
  readonly users: readonly (Item & User)[];
  readonly actors: readonly (Item & Actor)[];
  readonly roles: readonly (Item & AuthRole)[];
  readonly tokens: readonly (Item & ApiToken)[];
}

export async function readAccounts(table: Table): Promise<Accounts> {
  const { model, generation } = ACCOUNTS_LEDGER;
  const items = await bySortKey(table, IDENTITY);
  const ids = await bySortKey(table, idsPartition(model, generation));
  // The sort key tells the kind of an item.
  const of = <T>(prefix: string): (Item & T)[] =>
    [...items.values()].filter(({ sk }) => sk.startsWith(prefix)) as (Item & T)[];
  const { user, actor, role, token } = ACCOUNTS;
  const objects = { users: of<User>(user), actors: of<Actor>(actor), roles: of<AuthRole>(role) };
  return { items, ids, ...objects, tokens: of<ApiToken>(token) };
}

async function bySortKey(table: Table, pk: string): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>();
  for await (const item of itemsOf(table, { pk })) items.set(item.sk, item);
  return items;
}
