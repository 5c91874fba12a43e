import { expect, test } from "vitest";
import type { LogEntry } from "../../../shared/store/log/log.ts";
import { Reads } from "../../../shared/store/read/read-objects.ts";

const OWNER = "01890a5d-ac96-774b-bcce-b302099a8057";
const ANOTHER = "01890a5d-ac96-774b-bcce-b302099a8058";

const deletion = (id: string): LogEntry => ({
  ...{ revision: 2, operation: "o", time: "2027-03-01T12:00:00.000Z", channel: "http", request: "r", actions: [] },
  ...{ key: "m", generation: "g", state: "live", tags: 0 },
  touched: [{ does: "delete", kind: "entity", id, at: "entity#e", base: 1, before: { id, key: "e" } }],
});

test.each([
  ["one of its attributes", (sk: string) => ({ point: sk, prefix: undefined })],
  ["the list of its attributes", (sk: string) => ({ point: undefined, prefix: sk.slice(0, -1) })],
])("a read depends on the deletion of its owner: %s", async (_, readOf) => {
  const reads = new Reads();
  const { point, prefix } = readOf(`attribute#${OWNER}#a`);
  if (point !== undefined) reads.notePoint(point, true);
  if (prefix !== undefined) reads.notePrefix(prefix);
  expect(await reads.isTouchedBy(deletion(ANOTHER))).toBe(false);
  expect(await reads.isTouchedBy(deletion(OWNER))).toBe(true);
});

test("a read by an id that was absent depends on the commit that makes an object with it, wherever its key is", () => {
  const creation = (id: string): LogEntry => ({
    ...deletion(id),
    touched: [{ does: "create", kind: "entity", id, at: "entity#restored", after: { id, key: "restored" } }],
  });
  for (const note of [(reads: Reads) => reads.noteId(OWNER), (reads: Reads) => reads.noteCached({ id: OWNER })]) {
    const reads = new Reads();
    note(reads);
    expect(reads.isTouchedBy(creation(ANOTHER))).toBe(false);
    expect(reads.isTouchedBy(creation(OWNER))).toBe(true);
  }
});
