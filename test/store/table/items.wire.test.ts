import { test } from "vitest";
import { openDynamoTable } from "../../support/table.ts";
import { continueHistory, readStoredItems } from "../support/stored-items.ts";

test("DynamoDB keeps the items of the fixture as they are, and the service reads them and writes on", async () => {
  await continueHistory(await openDynamoTable(undefined, Date.now), readStoredItems());
});
