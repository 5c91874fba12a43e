import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KindName } from "../../../shared/domain/kinds.ts";
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
import {
  ACCOUNTS,
  ACCOUNTS_LEDGER,
  actorKey,
  attemptsKey,
  BOOTSTRAP,
  blobKey,
  DELETED_MODELS,
  IDENTITY,
  type ItemKey,
  idsPartition,
  kindPrefix,
  knownNetworkKey,
  logKey,
  objectSortKey,
  objectsPartition,
  passwordKey,
  ROLES,
  recordKey,
  releaseKey,
  STAGINGS,
  stagingKey,
  summaryKey,
  sweepKey,
  userKey,
} from "../../../shared/store/table/keys.ts";
import { parseRolesItem, toRolesItem } from "../../../shared/store/table/roles-item.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { TABLE } from "../../../shared/store/table/table-schema.ts";
import { seedOf } from "../../support/chance.ts";
import { openTable } from "../../support/table.ts";
import { HISTORY_START, HistoryRun } from "../support/stored-history.ts";
import { continueHistory, formatItem, formatWithoutIds, readStoredItems } from "../support/stored-items.ts";

const FORBIDDEN = new Set(["\\", "'", '"', "`"]);
const LETTERS = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).filter(
  (c) => !FORBIDDEN.has(c),
);

/** A few ids only, so that tuples often share one, and any. */
const IDS = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
const id = fc.oneof(fc.constantFrom(...IDS), fc.uuid());
/** Keys of callers: any, and those that look like parts of the table. */
const key = fc.oneof(
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 128 }),
  fc.string({ unit: fc.constantFrom("#", "~", " ", "!", "a", "0"), minLength: 1, maxLength: 6 }),
  fc.constantFrom("model", "type#a", "entity#", "#", "roles", "bootstrap", "user#a", ...IDS, `attribute#${IDS[0]}#a`),
);
const version = fc.constantFrom("0.0.1", "0.0.10", "1.0.0", "1.0.0-a", "1.0.0-a.b", "1.0.0-0");
const username = fc.string({ unit: fc.constantFrom(..."abz019._-@"), minLength: 1, maxLength: 32 });
const due = fc.constantFrom("2027-03-01T12:00:00.000Z", "2027-03-01T12:00:00.001Z");
const sweepId = fc.oneof(
  id,
  fc.tuple(id, id).map(([a, b]) => `${a}-${b}`),
);
const kind = fc.constantFrom<KindName[]>("type", "entity", "attribute");
const owned = (k: KindName) => k === "attribute";

type Row = readonly [tuple: readonly unknown[], key: ItemKey];

const object = fc.record({ model: id, generation: id, kind, owner: id, key }).map(({ kind: k, owner, ...o }): Row => {
  const sk = objectSortKey({ kind: k, key: o.key, ...(owned(k) && { owner }) });
  return [
    ["object", o.model, o.generation, k, owned(k) ? owner : "", o.key],
    { pk: objectsPartition(o.model, o.generation), sk },
  ];
});

function row<T extends unknown[]>(
  name: string,
  toKey: (...parts: T) => ItemKey,
  ...parts: { [K in keyof T]: fc.Arbitrary<T[K]> }
): fc.Arbitrary<Row> {
  return fc.tuple<T>(...parts).map((values) => [[name, ...values], toKey(...values)]);
}

const ROOT = objectSortKey({ kind: "model", key: "any" });
const anyRow: fc.Arbitrary<Row> = fc.oneof(
  object,
  row("root", (m: string, g: string) => ({ pk: objectsPartition(m, g), sk: ROOT }), id, id),
  row("id", (m: string, g: string, sk: string) => ({ pk: idsPartition(m, g), sk }), id, id, id),
  row("summary", summaryKey, key),
  row("log", logKey, fc.oneof(id, fc.constant(IDENTITY)), fc.integer({ min: 1, max: 999_999_999_999 })),
  row("release", releaseKey, id, version),
  row("staging", stagingKey, id),
  row("sweep", sweepKey, due, sweepId),
  row("blob", blobKey, id, fc.nat(100_000)),
  row("record", recordKey, fc.base64String({ maxLength: 43 })),
  row("user", userKey, username),
  row("password", passwordKey, username),
  row("attempts", attemptsKey, username),
  row("known network", knownNetworkKey, username),
  row("role", (k: string) => ({ pk: IDENTITY, sk: objectSortKey({ kind: "role", key: k }) }), key),
  row("actor", actorKey, fc.constantFrom("a", "a\0", "", "https://x"), fc.constantFrom("a", "\0a", "b", "x\0y")),
  fc.constantFrom<Row>([["roles"], ROLES], [["bootstrap"], BOOTSTRAP]),
);

describe("item keys", () => {
  const runs = { seed: seedOf("item keys"), numRuns: 2_000 };

  test("different tuples have different item keys, and the same tuple the same", () => {
    fc.assert(
      fc.property(anyRow, anyRow, ([a, at], [b, bt]) => {
        expect(at.pk === bt.pk && at.sk === bt.sk, `${at.pk}|${at.sk}`).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { ...runs, numRuns: 20_000 },
    );
  });

  test("no two pairs of issuer and subject have the same actor, with any characters", () => {
    const parts = ["", "a", "\0", "a\0", "\0a", "a\0b", "b", "\0\0", "#", '"', '","', "\\", "é", "e\u0301"];
    const keys = parts.flatMap((issuer) => parts.map((subject) => actorKey(issuer, subject).sk));
    expect(new Set(keys).size).toBe(parts.length ** 2);
  });

  test("the prefix of a kind or an owner selects the objects of that kind and owner only", () => {
    fc.assert(
      fc.property(kind, fc.boolean(), id, object, (k, whole, owner, [tuple, at]) => {
        const ofOwner = owned(k) && !whole;
        const [, , , kindOf, ownerOf] = tuple;
        const belongs = kindOf === k && (!ofOwner || ownerOf === owner);
        expect(at.sk.startsWith(ofOwner ? kindPrefix(k, owner) : kindPrefix(k))).toBe(belongs);
      }),
      runs,
    );
  });

  test("the order of sort keys by bytes is the order of the callers' keys", () => {
    fc.assert(
      fc.property(kind, id, key, key, (k, owner, a, b) => {
        const sk = (one: string): Buffer =>
          Buffer.from(objectSortKey({ kind: k, key: one, ...(owned(k) && { owner }) }));
        expect(Math.sign(Buffer.compare(sk(a), sk(b)))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
        const summaries = Buffer.compare(Buffer.from(summaryKey(a).sk), Buffer.from(summaryKey(b).sk));
        expect(Math.sign(summaries)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      runs,
    );
  });

  test("the log sorts by revision and the sweep notes by the time they are due", () => {
    const revision = fc.integer({ min: 1, max: 999_999_999_999 });
    fc.assert(
      fc.property(revision, revision, fc.nat(), fc.nat(), sweepId, sweepId, (r, s, early, later, a, b) => {
        expect(logKey("x", r).sk < logKey("x", s).sk).toBe(r < s);
        const iso = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString();
        if (early !== later) expect(sweepKey(iso(early), a).sk < sweepKey(iso(later), b).sk).toBe(early < later);
      }),
      runs,
    );
  });

  test("no key exceeds DynamoDB's limits of 2,048 and 1,024 bytes", () => {
    const longest = "~".repeat(128);
    const rows: ItemKey[] = [
      summaryKey(longest),
      releaseKey(IDS[0] ?? "", longest),
      userKey("~".repeat(32)),
      actorKey("i".repeat(10_000), "s".repeat(10_000)),
      sweepKey("2027-03-01T12:00:00.000Z", `${IDS[0]}-${IDS[1]}`),
      { pk: STAGINGS, sk: objectSortKey({ kind: "attribute", owner: IDS[0] ?? "", key: longest }) },
    ];
    fc.assert(
      fc.property(anyRow, ([, at]) => void rows.push(at)),
      runs,
    );
    for (const { pk, sk } of rows) {
      expect(Buffer.byteLength(pk)).toBeLessThan(200);
      expect(Buffer.byteLength(sk)).toBeLessThan(300);
    }
  });
});

const FIXTURE = readStoredItems();

test("the same history writes the same items as in the fixture", async () => {
  const opened = await openTable();
  const history = new HistoryRun(opened.table);
  await history.bootstrap();
  await history.run(FIXTURE.steps);
  // Entries of the audit log have had addresses and sessions since.
  const isAudit = ({ pk }: Item) => pk.startsWith("audit");
  // Rows of deleted models have been written since.
  const kept = (await opened.items()).filter(({ pk }) => pk !== DELETED_MODELS);
  const items = kept.map((item) => {
    // Public keys were in the partition `identity` before.
    if (item.pk === TABLE.publicKeys) return { ...item, pk: IDENTITY, sk: `public_key#${item.sk}` };
    // Log entries have had sources since.
    if (item.pk.startsWith("log#")) return { ...item, source: undefined };
    return isAudit(item) ? { ...item, address: undefined, session: undefined, tokenEpoch: undefined } : item;
  });
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
  // Items of one use each, without a type.
  const ofOneUse = ["attempts", "blob", "bootstrap", "idempotency", "password", "public_key", "release", "seen"];
  expect([...unread].sort()).toEqual(ofOneUse);
});

test("a table with the items of the fixture is read, checked and written to", async () => {
  await continueHistory(await openTable(), FIXTURE);
});

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
