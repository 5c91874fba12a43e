import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { ensureTable } from "../../shared/store/create-table.ts";
import { type Connection, createDynamoSeam } from "../../shared/store/dynamo.ts";
import type { Seam } from "../../shared/store/seam.ts";

/** A connection to the test engine, with a table that does not exist yet. */
export function freshConnection(onCapacity?: Connection["onCapacity"]): Connection {
  return {
    table: `test-${randomUUID()}`,
    endpoint: inject("endpoint"),
    region: "local",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    ...(onCapacity && { onCapacity }),
  };
}

/** An empty table of the test's own. */
export async function freshSeam(onCapacity?: Connection["onCapacity"]): Promise<Seam> {
  const connection = freshConnection(onCapacity);
  await ensureTable(connection);
  return createDynamoSeam(connection);
}
