import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../local/sqlite/open-database.ts";
import { prepareStatements } from "../../local/sqlite/statements.ts";
import { createGroupCommit, createTable } from "../../local/sqlite/table.ts";
import { OutcomeUnknown, type Table } from "../../shared/store/table/table.ts";
import { createFolder } from "../support/temporary-folder.ts";

const WRITERS = 20;
const LARGE = "x".repeat(300_000);

/** A table in a file that grows by a few pages only, as on a disk that is nearly full. */
function openNearlyFull(): { readonly table: Table; readonly grow: (pages: number) => void } {
  const database = openDatabase(join(createFolder(), "metaction.db"));
  const table = createTable({
    statements: prepareStatements(database),
    commits: createGroupCommit(database),
    count: () => undefined,
  });
  const grow = (pages: number) => {
    const now = Number(database.prepare("PRAGMA page_count").get()?.page_count);
    database.exec(`PRAGMA max_page_count = ${now + pages}`);
  };
  return { table, grow };
}

const itemAt = (n: number, text: string) => ({ pk: `p${n}`, sk: "s", v: 1, text });
const put = (table: Table, n: number, text: string) =>
  table.write({ put: itemAt(n, text), expect: { anything: true } });

describe("with a full disk", () => {
  test("all writers of one transaction get an error, and nothing of them is written", async () => {
    const { table, grow } = openNearlyFull();
    await put(table, 0, "before");
    grow(50);
    // Some writers have room, but they share the transaction of those that have none.
    const writing = Array.from({ length: WRITERS }, (_, n) => put(table, n, n % 2 === 0 ? "small" : LARGE));
    // A refusal waits for the commit as well, since the state it rests on may be lost with it.
    const refused = table.write({ put: itemAt(0, "refused"), expect: { absent: true } });
    const outcomes = await Promise.allSettled([...writing, refused]);
    const reasons = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason);
    expect(reasons.map((reason) => reason instanceof OutcomeUnknown)).toEqual(Array(WRITERS + 1).fill(true));
    expect(await table.get({ pk: "p0", sk: "s" })).toEqual(itemAt(0, "before"));
    for (let n = 1; n < WRITERS; n++) expect(await table.get({ pk: `p${n}`, sk: "s" })).toBeUndefined();
  });

  test("reads succeed, and so do writes once there is space again", async () => {
    const { table, grow } = openNearlyFull();
    await put(table, 0, "before");
    grow(2);
    await expect(put(table, 1, LARGE)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await table.get({ pk: "p0", sk: "s" })).toEqual(itemAt(0, "before"));
    grow(200);
    await put(table, 1, LARGE);
    expect(await table.get({ pk: "p1", sk: "s" })).toEqual(itemAt(1, LARGE));
  });
});
