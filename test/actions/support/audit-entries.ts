import type { AuditEntry } from "../../../shared/domain/audit.ts";
import type { World } from "../../support/world.ts";

/** Every entry of the audit log that a filter lets through, page after page. */
export async function entries(world: World, filter: object = {}): Promise<readonly AuditEntry[]> {
  const rows: AuditEntry[] = [];
  let page = await world.answer("auth/audit_list", filter);
  for (;;) {
    rows.push(...(page.body as { items: AuditEntry[] }).items);
    if (page.next === undefined) return rows;
    page = await world.answer("auth/audit_list", { ...filter, cursor: page.next });
  }
}
