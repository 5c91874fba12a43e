import type { Ambient } from "../../actions/contract/call.ts";
import {
  ACCOUNTS_LEDGER,
  generationName,
  IDENTITY,
  idsPartition,
  JOBS,
  objectsPartition,
  STAGINGS,
  SUMMARIES,
  SWEEPS,
  TAGS,
} from "../table/keys.ts";
import { FORMAT, type Item } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";
import type { ScanTable } from "./scan.ts";

/** A generation whose items were seen in the table. */
export interface StoredGeneration {
  readonly model: string;
  readonly generation: string;
}

/** The contents of a table by the keys of its partitions. */
export interface Census {
  readonly items: number;
  /** Ids of all models with a partition of their own, deleted ones too. */
  readonly models: ReadonlySet<string>;
  readonly generations: readonly StoredGeneration[];
  /** Names of blobs. */
  readonly blobs: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Ledgers that are no model's. */
const OTHER_LEDGERS = new Set<string>([IDENTITY, TAGS.model]);
/** Ledgers that are no model's have one generation for ever. */
const OF_OTHERS = new Set<string>(
  [TAGS, ACCOUNTS_LEDGER].flatMap(({ model, generation }) => [
    objectsPartition(model, generation),
    idsPartition(model, generation),
  ]),
);
/** Partitions whose whole key is one word. */
const SINGLE = new Set<string>([SUMMARIES, STAGINGS, SWEEPS, JOBS, IDENTITY]);
/** Partitions that nothing leads to and whose items expire. */
const KEPT_FOR_A_TIME = new Set(["idempotency", "job", "attempts", "audit"]);
/** Expired records older than this should have been removed by DynamoDB, which promises a few days. */
const EXPIRED_MS = 7 * DAY_MS;

/** Scans every item once, reading only its key, format and expiry. */
export async function takeCensus(
  scan: ScanTable,
  ambient: Ambient,
  onProgress: (items: number) => void,
): Promise<Census> {
  const models = new Set<string>();
  const generations = new Map<string, StoredGeneration>();
  const blobs = new Set<string>();
  const unknown = new Map<string, Item>();
  const findings: Finding[] = [];
  let items = 0;
  await scan((item) => {
    items += 1;
    if (items % 1_000 === 0) onProgress(items);
    const { pk, sk, v } = item;
    if (typeof v !== "number" || v > FORMAT) {
      const sentence = `the item has the format ${v}; this version of the service reads up to ${FORMAT}`;
      findings.push({ code: "format-unknown", place: { pk, sk }, sentence });
    }
    const [word = "", name = "", generation] = pk.split("#");
    findings.push(...expired(item, ambient));
    if (word === "snapshot" && OTHER_LEDGERS.has(name)) return;
    if (SINGLE.has(pk) || OF_OTHERS.has(pk) || KEPT_FOR_A_TIME.has(word)) return;
    if (word === "log" && OTHER_LEDGERS.has(name)) return;
    if (word === "log" || word === "release" || word === "snapshot") models.add(name);
    else if ((word === "model" || word === "ids") && generation !== undefined && !OTHER_LEDGERS.has(name)) {
      models.add(name);
      generations.set(generationName(name, generation), { model: name, generation });
    } else if (word === "blob") blobs.add(name);
    else unknown.set(pk, item);
  });
  onProgress(items);
  for (const { pk, sk } of unknown.values()) {
    const sentence = `the service knows no partition ${pk}; it belongs to something else, or to a newer version`;
    findings.push({ code: "partition-unknown", place: { pk, sk }, sentence });
  }
  return { items, models, generations: [...generations.values()], blobs, findings };
}

function expired({ pk, sk, [TABLE.timeToLive]: expires }: Item, ambient: Ambient): Finding[] {
  if (typeof expires !== "number" || expires * 1000 + EXPIRED_MS > ambient.now()) return [];
  const place = { pk, sk };
  const sentence = `it expired at ${new Date(expires * 1000).toISOString()}: is time to live switched on for the table?`;
  const expect = { equal: { [TABLE.timeToLive]: expires } };
  return [
    { code: "record-expired", place, sentence, mend: { how: "It is deleted.", by: [{ delete: place, expect }] } },
  ];
}
