import type { Body } from "../../../support/world.ts";
import type { Accounts } from "./accounts.ts";
import type { AuditRow } from "./audit-rows.ts";
import type { Bearer } from "./model.ts";

/** A row of the service in that form. */
export function rowOf({ id: _id, requestId: _requestId, changes, ...row }: Body): AuditRow {
  const told = changes?.map(
    ({ change, kind, id, name }: Readonly<Record<string, string>>) => `${change} ${kind} ${id} ${name}`,
  );
  return { ...row, ...(told && { changes: told.sort() }) };
}

/** Takes an act that was done into the book. */
export function noteAct(
  { audit, shown }: Accounts,
  act: string,
  bearer: Pick<Bearer, "actor" | "apiToken">,
  now: number,
  changes: readonly string[],
): void {
  const { actor: id, apiToken } = bearer;
  audit.done.push({
    time: new Date(now).toISOString(),
    act: `auth/${act}`,
    outcome: "ok",
    actor: { id, subject: shown.actors.get(id)?.subject ?? "" },
    channel: "http",
    ...(apiToken !== undefined && { apiToken }),
    ...(changes.length > 0 && { changes }),
  });
}

/** The rows that a filter lets through: what was done, newest first, and what was refused, in any order. */
export function rowsFor({ audit }: Accounts, filter: Readonly<Record<string, unknown>>) {
  const { actorId, act, outcome, from = "", until = "9" } = filter;
  const fits = (row: AuditRow): boolean =>
    (actorId === undefined || row.actor?.id === actorId) &&
    (act === undefined || row.act === act) &&
    (outcome === undefined || row.outcome === outcome) &&
    row.time >= String(from) &&
    row.time < String(until);
  return { done: audit.done.filter(fits).reverse(), refused: [...audit.refused.values()].filter(fits) };
}
