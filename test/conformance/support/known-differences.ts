import { isDeepStrictEqual } from "node:util";
import { DYNAMO } from "../../../shared/store/table/dynamo-rules.ts";
import type { Item, Range } from "../../../shared/store/table/table.ts";
import type { Outcome, TableCall } from "./outcome.ts";
import { isUnaligned } from "./unaligned-numbers.ts";

/** How an implementation of DynamoDB's protocol is known to differ from DynamoDB, or from the stricter of two readings of it. */
export interface KnownDifference {
  readonly name: string;
  /** The reason why the other reading stands. */
  readonly because: string;
  /** True where it explains that a store came to `came` and not to `wanted`. */
  explains(call: TableCall, wanted: Outcome, came: Outcome): boolean;
}

const isInvalid = ({ error }: Outcome) => error === "invalid";
const isTolerated = (wanted: Outcome, came: Outcome) => isInvalid(wanted) && hasAnswered(came);
const hasAnswered = ({ error, refused, unread }: Outcome) => !error && !refused && !unread;
const differsInUnits = (a: Outcome, b: Outcome) => isDeepStrictEqual({ ...a, units: [] }, { ...b, units: [] });
const sum = (units: readonly number[]) => units.reduce((all, one) => all + one, 0);

const isTooLongPart = (part: string | undefined) => Buffer.byteLength(part ?? "") > DYNAMO.sortKeyBytes;

/** True for a range with a part that is no key: empty, or too long. */
function hasSpoiltPart({ pk, prefix, from, to, after }: Range) {
  const parts = [prefix, from, to, after];
  return (
    pk === "" || Buffer.byteLength(pk) > DYNAMO.partitionKeyBytes || parts.includes("") || parts.some(isTooLongPart)
  );
}

function putsOf(call: TableCall): readonly Item[] {
  if (call.op === "batchPut") return call.asked;
  if (call.op === "write") return "put" in call.asked ? [call.asked.put] : [];
  if (call.op === "transactWrite") return call.asked.flatMap((write) => ("put" in write ? [write.put] : []));
  return [];
}

const CONDITIONS_FIRST: KnownDifference = {
  name: "looks at conditions before it looks at all of a transaction",
  because: "what is refused for two reasons is refused for the one that does not depend on the table",
  explains: (call, wanted, came) => call.op === "transactWrite" && isInvalid(wanted) && Boolean(came.refused),
};

/** @dynoxide/linux-x64 1.2.1. */
export const OF_ENGINE: readonly KnownDifference[] = [
  {
    name: "begins a page anywhere",
    because: "AWS: the starting key is outside the boundaries of the query (ValidationException)",
    explains: (call, wanted, came) =>
      call.op === "query" && call.asked.after !== undefined && isTolerated(wanted, came),
  },
  {
    name: "asks with parts of keys that are none",
    because: "AWS: a key may not be empty, and has 2,048 and 1,024 bytes at most, in reads too",
    explains: (call, wanted, came) => call.op === "query" && hasSpoiltPart(call.asked) && isTolerated(wanted, came),
  },
  {
    name: "does not read a limit that is no whole number above 0",
    because: "AWS: a limit is a whole number above 0",
    explains: (call, wanted, came) =>
      call.op === "query" && call.asked.limit !== undefined && isInvalid(wanted) && came.error === "OutcomeUnknown",
  },
  {
    name: "reads more than 4 MB in one transaction",
    because: "AWS: the items of a transaction have 4 MB at most together",
    explains: (call, wanted, came) => call.op === "transactGet" && isTolerated(wanted, came),
  },
  CONDITIONS_FIRST,
  {
    name: "counts a byte less of numbers whose digits lie askew",
    because:
      "DynamoDB Local counts pairs of digits from the point on, and both do where digits are on both sides of it",
    explains: (call, wanted, came) =>
      differsInUnits(wanted, came) &&
      sum(wanted.units) - sum(came.units) === 1 &&
      putsOf(call).some((item) => Object.values(item).some(isUnaligned)),
  },
  {
    name: "takes attributes without a name",
    because: "DynamoDB Local: empty attribute name (ValidationException)",
    explains: (call, wanted, came) => isTolerated(wanted, came) && putsOf(call).some((item) => Object.hasOwn(item, "")),
  },
  {
    name: "says of half a surrogate pair that it cannot read the request",
    because: "a text that is no Unicode is refused, whatever the error is called",
    explains: (call, wanted, came) => isInvalid(wanted) && came.error === "OutcomeUnknown" && !isWellFormed(call),
  },
];

/** com.amazonaws:DynamoDBLocal:2.6.1. */
export const OF_DYNAMODB_LOCAL: readonly KnownDifference[] = [
  {
    name: "charges nothing for what is absent",
    because: "AWS: reading what does not exist consumes what the smallest read does",
    explains: (call, wanted, came) =>
      (call.op === "batchGet" || call.op === "query") &&
      differsInUnits(wanted, came) &&
      sum(came.units) === sum(wanted.units) - absentIn(call, wanted),
  },
  {
    name: "charges transactions by rules of its own",
    because: "AWS: two units for each kilobyte begun of each item, a check included",
    explains: (call, wanted, came) => call.op === "transactWrite" && hasAnswered(came) && differsInUnits(wanted, came),
  },
  {
    name: "charges two units for the deletion of what is absent",
    because: "AWS: a deletion of what does not exist costs one unit",
    explains: (call, wanted, came) =>
      call.op === "batchDelete" &&
      differsInUnits(wanted, came) &&
      sum(came.units) > sum(wanted.units) &&
      sum(came.units) <= sum(wanted.units) + call.asked.length,
  },
  {
    name: "ends a page with the item that crosses the megabyte",
    because: "AWS: a query retrieves at most 1 MB; callers go on after what they got, wherever a page ends",
    explains: (call, wanted, came) => call.op === "query" && isOneItemLonger(wanted, came),
  },
  {
    name: "tells that a page which ends at its limit is the last",
    because: "DynamoDB stops at the limit and does not look whether more follows",
    explains: (call, wanted, came) =>
      call.op === "query" &&
      itemsOf(wanted).length === call.asked.limit &&
      isDeepStrictEqual(wanted, { ...came, answer: { items: itemsOf(came), more: itemsOf(wanted).at(-1)?.sk } }),
  },
  CONDITIONS_FIRST,
  {
    name: "does not begin at the last key of a range",
    because: "the key is inside the boundaries of the query, and nothing comes after it",
    explains: (call, wanted, came) =>
      call.op === "query" &&
      call.asked.after !== undefined &&
      [call.asked.from, call.asked.to].includes(call.asked.after) &&
      itemsOf(wanted).length === 0 &&
      isInvalid(came),
  },
  {
    name: "takes half a surrogate pair and stores something else",
    because: "what is stored comes back as it was, or is refused",
    explains: (call, wanted, came) => isTolerated(wanted, came) && !isWellFormed(call),
  },
  {
    name: "leaves other items of a batch of reads over",
    because: "AWS: which ones are answered first is not told",
    explains: (call, wanted, came) =>
      call.op === "batchGet" &&
      Boolean(wanted.unread && came.unread) &&
      isDeepStrictEqual(wanted.units, came.units) &&
      isDeepStrictEqual(allAsked(wanted), allAsked(came)),
  },
  {
    name: "takes a starting key that is too long",
    because: "AWS: a sort key has 1,024 bytes at most, in reads too",
    explains: (call, wanted, came) => call.op === "query" && isTolerated(wanted, came) && hasSpoiltPart(call.asked),
  },
];

/** How many of the items asked for there were not; an empty query counts as one. */
function absentIn(call: TableCall, { answer }: Outcome): number {
  if (call.op === "batchGet") return call.asked.length - (answer as readonly unknown[]).length;
  return itemsOf({ answer, units: [] }).length === 0 ? 1 : 0;
}

function allAsked({ unread }: Outcome): readonly string[] {
  const { items, left } = unread as Record<"items" | "left", readonly string[]>;
  return [...items, ...left].map((json) => (JSON.parse(json) as Item).sk).sort();
}

function itemsOf({ answer }: Outcome): readonly Item[] {
  return (answer as { readonly items?: readonly Item[] } | undefined)?.items ?? [];
}

/** True where a page has the item after the one it should end with, and both go on from where they ended. */
function isOneItemLonger(wanted: Outcome, came: Outcome) {
  const [short, long] = [itemsOf(wanted), itemsOf(came)];
  const { more } = (wanted.answer ?? {}) as { readonly more?: string };
  return (
    more !== undefined &&
    long.length === short.length + 1 &&
    more === short.at(-1)?.sk &&
    isDeepStrictEqual(long.slice(0, -1), short) &&
    sum(came.units) > DYNAMO.pageBytes / DYNAMO.readUnitBytes
  );
}

/** True where no text of a call holds half of a surrogate pair, which JSON writes as an escape. */
function isWellFormed(call: TableCall) {
  return JSON.stringify(call.asked).search(/\\ud[89a-f]/i) < 0;
}
