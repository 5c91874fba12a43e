import { Problem } from "../../domain/problems.ts";
import { passes } from "../contract/rules.ts";
import type { View } from "../contract/view.ts";
import { openAddressed } from "./resolve.ts";
import type { Running } from "./running.ts";
import type { QueueSlot } from "./write-queue.ts";

/** The ledger addressed, opened once more where the call had to wait in the write queue; undefined when it addresses none. */
export async function openQueued(
  r: Running,
  opening: Promise<View> | undefined,
  slot: QueueSlot | undefined,
): Promise<View | undefined> {
  const view = await orDeleted(r, allowed(r, opening));
  if (!view) return undefined;
  return (await slot?.waitIfBusy(view.ledgerId)) ? allowed(r) : view;
}

/** The ledger addressed, for a caller who may run the action there: `not_found`, `not_allowed`. */
export function allowed(
  { action, payload, ports, scoping }: Pick<Running, "action" | "payload" | "scoping"> & OpenPorts,
  opening?: Promise<View>,
): Promise<View | undefined> {
  const opened = opening ?? openAddressed(action, payload, ports.store);
  return scoping ? scoping.open(payload, opened) : Promise.resolve(opened);
}

interface OpenPorts {
  readonly ports: { readonly store: Parameters<typeof openAddressed>[2] };
}

/** A deleted model, for an administrator who asks for its past by its id; for everybody else there is none. */
async function orDeleted(r: Running, opening: Promise<View | undefined>): Promise<View | undefined> {
  try {
    return await opening;
  } catch (error) {
    const ref = r.payload.path[0]?.ref;
    const mayRead = r.action.past && passes({ rule: "admin" }, r.call.principal);
    const isAbsent = error instanceof Problem && error.code === "not_found";
    const deleted = isAbsent && mayRead && ref ? await r.ports.store.openDeleted(ref) : undefined;
    if (deleted) return deleted;
    throw error;
  }
}
