import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { repairViolations } from "../../../shared/store/fsck/ledger-checks.ts";
import { ACCOUNTS, JOBS, ROLES } from "../../../shared/store/table/keys.ts";
import { parseRolesItem } from "../../../shared/store/table/roles-item.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import type { TestTable } from "../../support/table.ts";
import { putItems } from "./check-model.ts";
import { HISTORY_START, HistoryRun, type HistoryStep } from "./stored-history.ts";

/** A history, and all items that the table held after it when the fixture was written. */
interface StoredItems {
  readonly steps: readonly HistoryStep[];
  readonly items: readonly Item[];
}

/** Reads the fixture: a step on each line, an empty line, an item on each line. Bytes are `{"$bytes": <base64>}`. */
export function readStoredItems(): StoredItems {
  const text = readFileSync(new URL("../fixtures/stored-items.jsonl", import.meta.url), "utf8");
  const [steps = "", items = ""] = text.trimEnd().split("\n\n");
  return {
    steps: steps.split("\n").map((line) => JSON.parse(line)),
    items: items.split("\n").map((line) => JSON.parse(line, reviveBytes)),
  };
}

function reviveBytes(_: string, value: unknown): unknown {
  const isBytes = typeof value === "object" && value !== null && "$bytes" in value;
  return isBytes ? new Uint8Array(Buffer.from(String(value.$bytes), "base64")) : value;
}

/** Formats an item with its members in order: equal items give equal texts. */
export const formatItem = (item: Item): string =>
  JSON.stringify(item, (_, value) => sortMembers(value instanceof Uint8Array ? toBase64(value) : value));

const toBase64 = (bytes: Uint8Array): unknown => ({ $bytes: Buffer.from(bytes).toString("base64") });

function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const NAMES = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![\w-])[\w-]{43}(?![\w-])/g;
/** Formats items with labels for ids and digests by where they occur, in `rounds`; with 0 all labels are empty. */
export function formatWithoutIds(items: readonly Item[], rounds: number): readonly string[] {
  const texts = items.map((item) => sortSets(formatItem(openBytes(item))));
  let labels = new Map<string, string>();
  const label = (name: string) => labels.get(name) ?? "";
  for (let round = 0; round < rounds; round++) {
    const places = new Map<string, string[]>();
    for (const text of texts) {
      const labelled = hash(text.replace(NAMES, label));
      for (const [i, [name]] of [...text.matchAll(NAMES)].entries())
        places.set(name, [...(places.get(name) ?? []), `${labelled} ${i}`]);
    }
    labels = new Map([...places].map(([name, all]) => [name, hash(all.sort().join())]));
  }
  return texts.map((text) => text.replace(NAMES, label)).sort();
}

const sortSets = (text: string): string =>
  text.replace(/(leftOut\\*":\[)([^\]]*)/g, (_, start, names) => start + names.split(",").sort().join());

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Replaces compressed members by their contents, and the salted hash of a password by a constant. */
function openBytes(item: Item): Item {
  if (item.sk === ROLES.sk) return { ...item, rows: parseRolesItem(item) };
  const opened = Object.entries(item).map(([name, value]) => [name, isCompressed(value) ? unzip(value) : value]);
  return { ...Object.fromEntries(opened), ...(item.sk.startsWith(ACCOUNTS.password) && { hash: "" }) };
}

const isCompressed = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value[0] === 0x1f && value[1] === 0x8b;

/** Parses the document in compressed bytes: DynamoDB does not keep the order of members that it then shows. */
const unzip = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString("utf8"));

/** Fills a table with the items of the fixture, reads every model, checks every item, and goes on writing. */
export async function continueHistory(opened: TestTable, { steps, items }: StoredItems): Promise<void> {
  await putItems(opened.table, items);
  expect((await opened.items()).map(formatItem).sort()).toEqual(items.map(formatItem).sort());
  const advanceMs = steps.reduce((sum, step) => sum + ("advanceMs" in step ? step.advanceMs : 0), 60_000);
  const history = new HistoryRun(opened.table, new Date(Date.parse(HISTORY_START) + advanceMs).toISOString());
  const check = async () =>
    (await checkTable(opened.table, { runtime: history.runtime, scan: opened.scan })).violations;
  const unlisted = await check();
  // Deleted models have been listed since.
  expect(new Set(unlisted.map(({ code }) => code))).toEqual(new Set(["deleted-missing"]));
  await repairViolations(opened.table, history.runtime, unlisted);
  expect(await check()).toEqual([]);

  // Nobody can choose this password any more, but stored ones stay valid.
  await history.signIn("Correct-Horse-7-Battery");
  for (const { id, version } of await history.call("model/model_list", {})) {
    const model = await history.call("model/model_get", { modelRef: `id:${id}` });
    const stored = items.find((item) => item.pk.startsWith(`model#${id}#`) && item.sk === "model");
    expect(model).toMatchObject({ id, key: stored?.key, name: stored?.name });
    await history.call("model/model_export", { modelRef: `id:${id}`, version });
    await history.call("model/history_versions", { modelRef: `id:${id}` });
  }
  await history.work(String(items.find((item) => item.pk === JOBS && item.state === "accepted")?.sk));
  await history.run(LATER_STEPS);
  expect(await check()).toEqual([]);
}

const M = { modelRef: "key:remaining" };

const LATER_STEPS: readonly HistoryStep[] = [
  { call: "model/type_update_key", payload: { ...M, typeRef: "key:t", value: "text" } },
  { call: "model/entity_delete", payload: { ...M, entityRef: "key:customer" } },
  { call: "model/model_release", payload: { ...M, value: "2.0.0" } },
  { call: "model/model_restore", payload: { ...M, version: "1.0.0" } },
  { call: "model/model_delete", payload: { modelRef: "key:waiting" } },
  { call: "tag/tag_group_delete", payload: { tagGroupRef: "key:domain" } },
  { call: "auth/role_delete", payload: { roleRef: "key:steward" } },
  { call: "auth/user_change_password", payload: { username: "linus", password: "Nanosecond of wire 30" } },
  { advanceMs: 25 * 3_600_000 },
  { sweep: true },
];
