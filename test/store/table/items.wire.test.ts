import { test } from "vitest";
import { openDynamoTable } from "../../support/table.ts";
import { continueHistory, readStoredItems } from "../support/stored-items.ts";

test("DynamoDB stores the items of the fixture unchanged, and the service reads and writes them", async () => {
  await continueHistory(await openDynamoTable(undefined, Date.now), readStoredItems());
});
