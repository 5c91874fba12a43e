import { expect } from "vitest";
import type { Answer } from "../../../../shared/actions/contract/call.ts";
import type { Body } from "../../../support/world.ts";
import type { Accounts } from "./accounts.ts";
import { rowOf, rowsFor } from "./audit.ts";
import { type Attempt, type Bearer, heldByBearer, named } from "./model.ts";
import { ASKED } from "./permission-checks.ts";
import {
  actorRow,
  canRow,
  rightsRow,
  roleRow,
  roleRows,
  serviceIds,
  serviceRow,
  tokenRows,
  userRows,
  whoamiRow,
} from "./rows.ts";
import { comparable } from "./rules.ts";

const HOUR_MS = 3_600_000;

/** An answer to a read, and a way to go on with a list from a cursor. */
export interface Read {
  readonly bearer: Bearer;
  readonly attempt: Attempt;
  readonly answer: Answer;
  readonly more: (payload: Attempt["payload"]) => Promise<Answer>;
  readonly now: number;
  readonly what: string;
}

/** Holds what a read answers against what the model knows. */
export async function compareRead(accounts: Accounts, read: Read): Promise<void> {
  const { bearer, attempt, now, what } = read;
  const { action, payload } = attempt;
  const body: Body = read.answer.body;
  const { roleId, role, actorId } = named(accounts, attempt);
  switch (action) {
    case "role_get":
      expect({ ...body, permissions: body.permissions.toSorted() }, what).toEqual({
        role: roleRow(accounts, roleId),
        permissions: role?.permissions.toSorted(),
      });
      return;
    case "role_list":
      expect(await allRows(read), what).toEqual(roleRows(accounts));
      return;
    case "actor_get": {
      const { roles, scopedRoles, permissions, ...row } = body;
      const scoped = scopedRoles.map((one: Body) => `${one.role} ${one.models}`);
      expect(unseen(accounts, row, now), what).toEqual(actorRow(accounts, actorId));
      const rights = { roles: roles.toSorted(), scopedRoles: scoped.sort(), permissions };
      expect(rights, what).toEqual(rightsRow(accounts, actorId));
      return;
    }
    case "actor_list": {
      const rows = await rowsInOrder(read);
      expect(rows.map(({ id }) => id).sort(), what).toEqual([...accounts.actors.keys()].sort());
      for (const row of rows) expect(unseen(accounts, row, now), what).toEqual(actorRow(accounts, row.id));
      return;
    }
    case "service_account_list": {
      const rows = await rowsInOrder(read);
      expect(rows.map(({ id }) => id).sort(), what).toEqual([...serviceIds(accounts)].sort());
      for (const row of rows) {
        const { roles, ...facts } = unseen(accounts, row, now);
        expect({ ...facts, roles: roles.toSorted() }, what).toEqual(serviceRow(accounts, row.id));
      }
      return;
    }
    case "user_list":
      expect(await allRows(read), what).toEqual(userRows(accounts));
      return;
    case "token_list": {
      const owner = payload.all === true ? undefined : String(payload.actorId ?? bearer.actor);
      const rows = await allRows(read);
      const owners = rows.map((row) => row.actorId).filter((one, i, all) => one !== all[i - 1]);
      expect(new Set(owners).size, `${what}: each actor's together`).toBe(owners.length);
      const isBounded = heldByBearer(accounts, bearer)?.within !== undefined;
      const expected = tokenRows(accounts, owner, now).filter(({ id }) => !isBounded || id === bearer.apiToken);
      const inOrder = [...new Set(owners)].flatMap((one) => expected.filter(({ actorId: of }) => of === one));
      expect(rows, what).toEqual(inOrder);
      expect(rows.length, what).toBe(expected.length);
      return;
    }
    case "audit_list":
      compareAudit(accounts, await allRows(read), payload, what);
      return;
    case "whoami": {
      const held = heldByBearer(accounts, bearer);
      expect({ ...body, ...comparable(body) }, what).toEqual(held && whoamiRow(accounts, bearer, held));
      return;
    }
    case "can": {
      const rules = new Map<string, string>([...ASKED, ["auth/role_list", "admin"]]);
      const asked: readonly string[] = Array.isArray(payload.actions) ? payload.actions : [];
      expect(body.items, what).toEqual(asked.map((one) => canRow(accounts, bearer, one, rules.get(one) ?? "")));
      return;
    }
    default:
      throw new Error(`grants/reads.ts has to tell what auth/${action} answers`);
  }
}

/** The rows of a list to its end, page after page. */
async function allRows({ attempt: { payload }, answer, more, what }: Read): Promise<readonly Body[]> {
  const limit = typeof payload.limit === "number" ? payload.limit : undefined;
  const rows: Body[] = [];
  for (let page: Answer | undefined = answer; page; ) {
    const { items }: Body = page.body;
    rows.push(...items);
    const { next }: Answer = page;
    if (limit === undefined) expect(next, `${what}: a list without a limit is whole`).toBeUndefined();
    else if (next !== undefined) expect(items.length, `${what}: a page before the last`).toBe(limit);
    else expect(items.length, `${what}: the last page`).toBeLessThanOrEqual(limit);
    page = next === undefined ? undefined : await more({ ...payload, cursor: next });
  }
  return rows;
}

/** The rows of a list whose order is its own, and the same in pages as in a whole. */
async function rowsInOrder(read: Read): Promise<readonly Body[]> {
  const rows = await allRows(read);
  const attempt = { ...read.attempt, payload: {} };
  const whole = await allRows({ ...read, attempt, answer: await read.more({}) });
  const ids = (of: readonly Body[]) => of.map(({ id }) => id);
  expect(ids(rows), `${read.what}, in pages and as a whole`).toEqual(ids(whole));
  return rows;
}

/** The audit log has each act once, newest first, and counts wrong passwords. */
export function compareAudit(
  accounts: Accounts,
  rows: readonly Body[],
  filter: Attempt["payload"],
  what: string,
): void {
  const ids = rows.map(({ id }) => String(id));
  expect(ids, `${what}: newest first`).toEqual([...new Set(ids)].sort().reverse());
  const { done, refused } = rowsFor(accounts, filter);
  const counted = (row: Body): boolean => row.outcome === "refused";
  expect(rows.filter((row) => !counted(row)).map(rowOf), what).toEqual(done);
  for (const row of rows) if (!counted(row)) expect(row.requestId, what).toEqual(expect.any(String));
  const sorted = (all: readonly object[]) => all.map((row) => JSON.stringify(row, keysSorted)).sort();
  expect(sorted(rows.filter(counted).map(rowOf)), what).toEqual(sorted(refused));
}

function keysSorted(_: string, value: unknown): unknown {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** The row of an actor or service account without the time of its last call, which is told to about an hour and to the second. */
function unseen({ called }: Accounts, { lastSeenAt, ...row }: Body, now: number): Body {
  const last = called.get(row.id);
  expect(lastSeenAt === undefined, `${row.id} was seen at ${lastSeenAt}`).toBe(last === undefined);
  if (last === undefined) return row;
  const seen = Date.parse(lastSeenAt);
  expect(seen, `${row.id} was seen at ${lastSeenAt}`).toBeLessThanOrEqual(now);
  expect(last - seen, `${row.id} was seen at ${lastSeenAt}`).toBeLessThan(HOUR_MS + 1_000);
  return row;
}
