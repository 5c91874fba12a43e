import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { repairViolations } from "../../../shared/store/fsck/ledger-checks.ts";
import type { Violation } from "../../../shared/store/fsck/violation.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { ACCOUNTS_LEDGER, IDENTITY, idsPartition } from "../../../shared/store/table/keys.ts";
import type { Item, Table } from "../../../shared/store/table/table.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { openTable } from "../../support/table.ts";
import { BOOTSTRAP_SECRET, type Body, createWorld } from "../../support/world.ts";
import { partition } from "./check-model.ts";

export type FsckWorld = Awaited<ReturnType<typeof fsckWorld>>;

/** Deletes the people of a world, who come without a log. */
export async function deletePeople(table: Table): Promise<void> {
  for (const place of [IDENTITY, idsPartition(ACCOUNTS_LEDGER.model, ACCOUNTS_LEDGER.generation)])
    for (const { pk, sk } of await partition(table, place)) await table.batchDelete([{ pk, sk }]);
}

const PERSON = { username: "ada", fullname: "Ada Lovelace", password: "Violet-Harbor-7-Lantern" };

/** Creates a world on a table to check, with a clock to move. Only the service has `between` before its table. */
export async function fsckWorld(between: (table: Table) => Table = (table) => table) {
  const { scan, table } = await openTable();
  const runtime = runtimeAt(new Date().toISOString());
  const world = await createWorld({ table: between(table), runtime });
  const items = (pk: string): Promise<Item[]> => partition(table, pk);
  // The first administrator comes with a log.
  await deletePeople(table);
  let token: string = (await world.run("auth/admin_bootstrap", { ...PERSON, secret: BOOTSTRAP_SECRET }, undefined))
    .access_token;
  const check = async (): Promise<readonly Violation[]> => (await checkTable(table, { runtime, scan })).violations;
  return {
    table,
    runtime,
    run: (action: string, payload?: object): Promise<Body> => world.run(action, payload, token),
    /** Signs in again, for when the clock was moved past the token's end. */
    signIn: async () => {
      const { username, password } = PERSON;
      token = (await world.run("auth/login", { username, password }, undefined)).access_token;
    },
    sweep: () => sweep(table, runtime),
    check,
    codes: async (): Promise<readonly string[]> => (await check()).map(({ code }) => code),
    repair: async () => repairViolations(table, runtime, await check()),
    items,
  };
}
