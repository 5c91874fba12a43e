import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { createDynamoTable } from "../../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { directTable } from "../../simulation/support/direct-table.ts";
import { createSimulatedTable } from "../../simulation/support/simulated-table.ts";
import type { StoreInTest } from "./outcome.ts";

type Count = (operation: string, units: number) => void;

/** A store whose units are collected. */
async function counting(name: string, open: (count: Count) => Promise<StoreInTest["table"]>): Promise<StoreInTest> {
  let units: number[] = [];
  const table = await open((_, some) => units.push(some));
  return {
    name,
    table,
    takeUnits: () => {
      const taken = units;
      units = [];
      return taken;
    },
  };
}

/** The store of `npm start`, in a file of its own. */
export function sqliteStore(): Promise<StoreInTest> {
  return counting("SQLite", async (onCapacity) => {
    const file = join(await mkdtemp(join(tmpdir(), "metaction-conformance-")), "table.db");
    return openSqliteTable({ file, onCapacity }, Date.now).connect(Number.POSITIVE_INFINITY);
  });
}

/** The table of the simulation, at rest. */
export function simulatedStore(): Promise<StoreInTest> {
  return counting("the simulated table", async (onCapacity) =>
    directTable(createSimulatedTable({ now: Date.now, onCapacity })),
  );
}

/** A table of its own in something that speaks DynamoDB's protocol. */
export function dynamoStore(name: string, endpoint: string): Promise<StoreInTest> {
  return counting(name, async (onCapacity) => {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const connection = { table: `test-${randomUUID()}`, endpoint, region: "local", credentials, onCapacity };
    await ensureTable(connection);
    return createDynamoTable(connection);
  });
}
