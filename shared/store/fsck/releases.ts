import type { LogEntry } from "../log/log.ts";
import type { Objects } from "../log/replay.ts";
import { releaseKey } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { byLog, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { type Finding, remove } from "./finding.ts";

/** The releases of one model, held against its log as it is walked. */
export interface Releases {
  /** Notes the state of the model after each revision. */
  visit(entry: LogEntry, objects: Objects): void;
  /** Findings for releases of another version than their revision's. */
  readonly findings: readonly Finding[];
  /** Blobs that releases name. */
  readonly blobs: readonly string[];
  /** Rules for the items of releases, to be asked once the log was walked. */
  rules(expected: ExpectedState): readonly ItemRule[];
}

export async function readReleases(table: Table, model: string): Promise<Releases> {
  const { pk } = releaseKey(model, "");
  const items: Item[] = [];
  for await (const item of itemsOf(table, { pk })) items.push(item);
  const findings: Finding[] = [];
  const logged: LoggedRelease[] = [];
  return {
    findings,
    blobs: items.flatMap(({ blob }) => (typeof blob === "string" ? [blob] : [])),
    visit: (entry, objects) => {
      const root = objects.get("model");
      const version = root?.kind === "model" ? root.version : undefined;
      // Every model begins with a release in the commit that makes it.
      const released = entry.release ?? (entry.revision === 1 ? version : undefined);
      if (released !== undefined && !logged.some(({ version: known }) => known === released)) {
        logged.push({ version: released, entry });
      }
      for (const { sk, revision, blob } of items) {
        if (revision !== entry.revision) continue;
        const wrong = (what: string): void => {
          const sentence = `the release ${sk} names revision ${revision}, which has ${what}`;
          findings.push({ code: "release-wrong", place: { pk, sk }, sentence });
        };
        if (sk !== version) wrong(version ?? "no version");
        if (blob !== undefined && blob !== entry.snapshot) wrong(`${entry.snapshot ? "another" : "no"} snapshot`);
      }
    },
    rules: (expected) => [
      ...items.map(({ sk }) => ({
        key: { pk, sk },
        judge: (item: Item | undefined) => judgeRelease(expected, sk, item),
      })),
      ...logged
        .filter(({ version, entry }) => !items.some((i) => i.sk === version || i.revision === entry.revision))
        .map((missing) => missingRule(expected, missing)),
    ],
  };
}

function judgeRelease(expected: ExpectedState, sk: string, item: Item | undefined): Finding[] {
  const revision = Number(item?.revision);
  if (!item || (revision >= 1 && revision <= expected.head.revision)) return [];
  const place = { pk: item.pk, sk };
  const sentence = `the release ${sk} names revision ${item.revision}; the log ends at ${expected.head.revision}`;
  return [{ code: "release-wrong", place, sentence, mend: byLog(expected, "It is deleted.", remove(item)) }];
}

/** A release as the log tells of it. */
interface LoggedRelease {
  readonly version: string;
  readonly entry: LogEntry;
}

function missingRule(expected: ExpectedState, { version, entry }: LoggedRelease): ItemRule {
  const { revision, time, touched, snapshot, generation } = entry;
  const key = releaseKey(expected.model, version);
  // A publication's snapshot does not belong to the release.
  const kept = touched && snapshot !== undefined ? { generation, blob: snapshot } : {};
  const wanted: Item = { ...key, v: FORMAT, revision, time, ...kept };
  const absent = { absent: true } as const;
  const how = `It is written for revision ${revision}.`;
  const mend = byLog(expected, how, { put: wanted, expect: absent });
  const sentence = `the release ${version} of revision ${revision} is not there`;
  return { key, judge: (item) => (item ? [] : [{ code: "release-missing", place: key, sentence, mend }]) };
}
