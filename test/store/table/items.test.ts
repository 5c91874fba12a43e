import { expect, test } from "vitest";
import { toAuditEntry, toAuditItem } from "../../../shared/store/commit/account-writes.ts";
import { toJobItem, toStoredJob } from "../../../shared/store/commit/job-items.ts";
import { toLogEntry, toLogItem } from "../../../shared/store/log/log.ts";
import { toPointer, toPointerItem } from "../../../shared/store/log/replay.ts";
import { toStaging, toStagingItem, toSweepItem, toSweepNote } from "../../../shared/store/log/stagings.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import {
  isMoved,
  toIdItem,
  toMovedItem,
  toObject,
  toObjectItem,
  toSummaryItem,
} from "../../../shared/store/table/items.ts";
import { ACCOUNTS, ACCOUNTS_LEDGER, ROLES } from "../../../shared/store/table/keys.ts";
import { parseRolesItem, toRolesItem } from "../../../shared/store/table/roles-item.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { openTable } from "../../support/table.ts";
import { HISTORY_START, HistoryRun } from "../support/stored-history.ts";
import { continueHistory, formatItem, formatWithoutIds, readStoredItems } from "../support/stored-items.ts";

const FIXTURE = readStoredItems();

test("the same history writes the same items as in the fixture", async () => {
  const opened = await openTable();
  const history = new HistoryRun(opened.table);
  await history.bootstrap();
  await history.run(FIXTURE.steps);
  const items = await opened.items();
  for (const rounds of [0, 4]) expect(formatWithoutIds(items, rounds)).toEqual(formatWithoutIds(FIXTURE.items, rounds));
});

test("an item that is read and written unchanged keeps every byte", () => {
  const unread = new Set<string>();
  for (const item of FIXTURE.items) {
    const written = rewrite(item);
    if (written) expect(formatItem(written)).toBe(formatItem(item));
    else unread.add(item.pk === ACCOUNTS_LEDGER.model ? item.sk.replace(/#.*/, "") : item.pk.replace(/#.*/, ""));
    expect(countItemBytes(written ?? item)).toBe(countItemBytes(item));
  }
  // Items of one use each, without a type of their own.
  const ofOneUse = ["attempts", "blob", "bootstrap", "idempotency", "password", "public_key", "release", "seen"];
  expect([...unread].sort()).toEqual(ofOneUse);
});

test("a table with the items of the fixture is read, checked and written to", async () => {
  await continueHistory(await openTable(), FIXTURE);
});

/** Reads an item and writes it again; undefined for an item without a type of its own. */
function rewrite(item: Item): Item | undefined {
  const [word = "", model = "", generation = ""] = item.pk.split("#");
  const { revision } = item as Item & { readonly revision: number };
  switch (word) {
    case "log":
      return toLogItem(model, toLogEntry(item));
    case "model":
      return toObjectItem({ model, generation }, toObject(item), revision);
    case "ids":
      return rewriteId(item, { model, generation });
    case "models":
      return isMoved(item)
        ? toMovedItem(item.sk, String(item.id), revision, Number(item.movedAt))
        : rewriteSummary(item, revision);
    case "stagings":
      return toStagingItem(toStaging(item));
    case "sweeps": {
      const [due = "", ...id] = item.sk.split("#");
      return toSweepItem(toSweepNote(item), Date.parse(due), id.join("#"));
    }
    case "jobs": {
      const now = Date.parse(String(item.ended ?? HISTORY_START));
      const job = toStoredJob(item, now);
      return job && toJobItem(job, now);
    }
    case "snapshot":
      return toPointerItem(model, toPointer(item));
    case "audit": {
      const { id: _id, time: _time, ...fields } = toAuditEntry(item);
      return toAuditItem({ pk: item.pk, sk: item.sk }, fields);
    }
    case "identity":
      if (item.sk === ROLES.sk) return toRolesItem(parseRolesItem(item), revision);
      return [ACCOUNTS.user, ACCOUNTS.actor, ACCOUNTS.role, ACCOUNTS.token].some((prefix) => item.sk.startsWith(prefix))
        ? toObjectItem(ACCOUNTS_LEDGER, toObject(item), revision)
        : undefined;
    default:
      return undefined;
  }
}

function rewriteId(item: Item, partition: { readonly model: string; readonly generation: string }): Item | undefined {
  const { pk } = toObjectItem(partition, toObject({ ...item, sk: String(item.at) }), 0);
  const object = FIXTURE.items.find((one) => one.pk === pk && one.sk === item.at);
  return object && toIdItem(partition, toObject(object), Number(item.revision));
}

function rewriteSummary(item: Item, revision: number): Item | undefined {
  const model = FIXTURE.items.find(({ sk, id }) => sk === "model" && id === item.id);
  const object = model && toObject(model);
  return object?.kind === "model" ? toSummaryItem(object, revision) : undefined;
}
