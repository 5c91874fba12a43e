import { Problem } from "../../domain/problems.ts";
import type { Ports } from "../contract/action.ts";
import type { Store } from "../contract/store.ts";
import type { EntryStore } from "./staged-store.ts";

/** The ports of an entry: it opens and begins ledgers through the batch, and all that a batch cannot show is refused. */
export function innerPorts(ports: Ports, store: Pick<Store, EntryStore>): Ports {
  return {
    ...ports,
    store: { ...refused(ports.store), ...store },
    jobs: refused(ports.jobs),
    checks: refused(ports.checks),
    searches: refused(ports.searches),
    identity: refused(ports.identity),
    audit: refused(ports.audit),
  };
}

/** A port with the same methods, each of which refuses the entry that calls it. */
function refused<T extends object>(port: T): T {
  const names = Object.keys(port);
  // Every member of a port is a method.
  return Object.fromEntries(names.map((name) => [name, notInBatch])) as unknown as T;
}

function notInBatch(): never {
  const detail = "this action rests on more than the entries of a batch can see; call it by itself";
  throw new Problem("bad_parameters", detail);
}
