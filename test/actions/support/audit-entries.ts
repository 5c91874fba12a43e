import type { AuditEntry } from "../../../shared/domain/accounts/audit.ts";
import type { Body, World } from "../../support/world.ts";
import { readPages } from "./checked-world.ts";

/** Reads every entry of the audit log that passes a filter, page by page. */
export async function entries(world: World, filter: object = {}): Promise<readonly AuditEntry[]> {
  const pages = await readPages((after) => world.answer("auth/audit_list", { ...filter, ...after }));
  return pages.flatMap(({ body }) => (body as Body).items);
}
