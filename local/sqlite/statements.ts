import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { deserialize, serialize } from "node:v8";
import { getBounds } from "../../shared/store/table/dynamo-rules.ts";
import type { ItemKey } from "../../shared/store/table/keys.ts";
import type { Item, Range } from "../../shared/store/table/table.ts";
import { TABLE } from "../../shared/store/table/table-schema.ts";

export const SQL_TABLE = "item";

/** Sort keys are in the order of their UTF-8 bytes. `bytes` is the size that DynamoDB counts. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS item (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    body ANY NOT NULL,
    bytes INTEGER NOT NULL,
    expires REAL,
    PRIMARY KEY (pk, sk)
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX IF NOT EXISTS item_expires ON item (expires) WHERE expires IS NOT NULL;
`;

/** A stored item. */
export interface Row {
  readonly sk: string;
  readonly body: Body;
  readonly bytes: number;
}

/** Prepared statements of the table. */
export type Statements = ReturnType<typeof prepareStatements>;

const COLUMNS = "sk, body, bytes";

/** Prepares the statements for a database that holds the schema. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    // Arrays are read twice as fast as objects.
    statement.setReturnArrays(true);
    return statement;
  };
  const row = prepare(`SELECT ${COLUMNS} FROM item WHERE pk = ? AND sk = ?`);
  const size = prepare("SELECT bytes FROM item WHERE pk = ? AND sk = ?");
  const range = (bound: string, order: string) =>
    prepare(`SELECT ${COLUMNS} FROM item WHERE pk = ? AND sk >= ?${bound} ORDER BY sk ${order}`);
  const prepareRanges = (order: string) => ({ open: range("", order), bounded: range(" AND sk < ?", order) });
  const [ascending, descending] = [prepareRanges("ASC"), prepareRanges("DESC")];
  const put = prepare("INSERT OR REPLACE INTO item (pk, sk, body, bytes, expires) VALUES (?, ?, ?, ?, ?)");
  const remove = prepare("DELETE FROM item WHERE pk = ? AND sk = ?");
  const expire = prepare(
    "DELETE FROM item WHERE (pk, sk) IN (SELECT pk, sk FROM item WHERE expires < ? ORDER BY expires LIMIT ?)",
  );
  const all = prepare("SELECT pk, sk, body FROM item");
  const [begin, end] = [database.prepare("BEGIN"), database.prepare("COMMIT")];
  const getRow = ({ pk, sk }: ItemKey): Row | undefined => {
    const values = row.get(pk, sk) as unknown as SQLOutputValue[] | undefined;
    return values && toRow(values);
  };
  return {
    getRow,
    /** Returns the rows of one moment: another thread may write in between. */
    getRows: (keys: readonly ItemKey[]): readonly (Row | undefined)[] => {
      begin.run();
      try {
        return keys.map(getRow);
      } finally {
        end.run();
      }
    },
    getBytes: ({ pk, sk }: ItemKey) => (size.get(pk, sk) as unknown as [number] | undefined)?.[0],
    iterateRows: function* (keys: Range): Generator<Row> {
      const { from, before } = computeSortKeys(keys);
      const { open, bounded } = keys.descending ? descending : ascending;
      const rows = before === undefined ? open.iterate(keys.pk, from) : bounded.iterate(keys.pk, from, before);
      for (const one of rows) yield toRow(one as unknown as SQLOutputValue[]);
    },
    /** Stores an item. `bytes` is its size as DynamoDB counts it. */
    put: (item: Item, bytes: number) => {
      const { pk, sk, ...members } = item;
      const expires = members[TABLE.timeToLive];
      put.run(pk, sk, encodeBody(members), bytes, typeof expires === "number" ? expires : null);
    },
    delete: ({ pk, sk }: ItemKey) => {
      remove.run(pk, sk);
    },
    /** Deletes at most `most` items that expired before `now`, in seconds since the epoch. Returns their number. */
    deleteExpired: (now: number, most: number) => Number(expire.run(now, most).changes),
    iterateAll: function* (): Generator<Item> {
      for (const one of all.iterate()) {
        const [pk, sk, body] = one as unknown as [string, string, Body];
        yield decodeItem(pk, sk, body);
      }
    },
  };
}

function toRow([sk, body, bytes]: SQLOutputValue[]): Row {
  // The table is strict, and only this file writes it.
  return { sk: sk as string, body: body as Body, bytes: bytes as number };
}

function computeSortKeys(range: Range): { readonly from: string; readonly before: string | undefined } {
  const bounds = getBounds(range);
  let from = range.prefix ?? bounds?.from ?? "";
  let before = range.prefix === undefined ? bounds && getNextText(bounds.to) : getEndOfPrefix(range.prefix);
  if (range.after !== undefined && range.descending) before = range.after;
  else if (range.after !== undefined) from = getNextText(range.after);
  return { from, before };
}

function getNextText(text: string) {
  return `${text}\0`;
}

/** Returns the first text after all texts with a prefix; undefined if there is none. */
function getEndOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (point) => point.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Single surrogates are not valid text.
  return String.fromCodePoint(...points, last + 1 === FIRST_HALF ? AFTER_HALVES : last + 1);
}

const LAST_POINT = 0x10_ffff;
const FIRST_HALF = 0xd800;
const AFTER_HALVES = 0xe000;

type Body = string | Uint8Array;

/** Encodes an item that DynamoDB accepts, without its key. Omits members that are `undefined`. */
function encodeBody(members: Readonly<Record<string, unknown>>): Body {
  return isJson(members) ? JSON.stringify(members) : serialize(toStorable(members));
}

/** Decodes the item of a row. Returns a new object every time. */
export function decodeItem(pk: string, sk: string, body: Body): Item {
  const item = typeof body === "string" ? JSON.parse(body) : deserialize(body);
  item.pk = pk;
  item.sk = sk;
  return item;
}

/** Returns true for a value that JSON preserves: without bytes and without empty places in lists. */
function isJson(value: unknown) {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Uint8Array) return false;
  const isList = Array.isArray(value);
  for (const member of isList ? value : Object.values(value)) {
    if (isList && member === undefined) return false;
    if (typeof member === "object" && !isJson(member)) return false;
  }
  return true;
}

/** Copies a value as DynamoDB stores it: without `undefined`, without -0, and with one type of bytes. */
function toStorable(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(toStorable);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, toStorable(one)]));
}
