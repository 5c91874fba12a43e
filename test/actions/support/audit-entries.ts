import type { AuditEntry } from "../../../shared/domain/accounts/audit.ts";
import type { World } from "../../support/world.ts";

/** Reads every entry of the audit log that passes a filter, page by page. Throws an error when a cursor repeats. */
export async function entries(world: World, filter: object = {}): Promise<readonly AuditEntry[]> {
  const rows: AuditEntry[] = [];
  const cursors = new Set<string>();
  let page = await world.answer("auth/audit_list", filter);
  for (;;) {
    rows.push(...(page.body as { items: AuditEntry[] }).items);
    if (page.next === undefined) return rows;
    if (cursors.has(page.next)) throw new Error(`The cursor ${page.next} repeats: the list never ends.`);
    cursors.add(page.next);
    page = await world.answer("auth/audit_list", { ...filter, cursor: page.next });
  }
}
