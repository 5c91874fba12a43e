import { releaseKey } from "../keys.ts";
import type { LogEntry } from "../log.ts";
import { itemsOf } from "../pages.ts";
import type { Objects } from "../replay.ts";
import { FORMAT, type Item, type Seam } from "../seam.ts";
import { type Finding, remove } from "./finding.ts";
import { byLog, type Ground, type Place } from "./ground.ts";

/** The releases of one model, held against its log as it is walked. */
export interface Releases {
  /** Sees the model after every revision. */
  visit(entry: LogEntry, objects: Objects): void;
  /** Releases of another version than their revision's. */
  readonly findings: readonly Finding[];
  /** Blobs that releases name. */
  readonly blobs: readonly string[];
  /** Places to look at once the log was walked. */
  places(ground: Ground): readonly Place[];
}

export async function readReleases(seam: Seam, model: string): Promise<Releases> {
  const { pk } = releaseKey(model, "");
  const items: Item[] = [];
  for await (const item of itemsOf(seam, { pk })) items.push(item);
  const findings: Finding[] = [];
  let first: { readonly version: string; readonly time: string } | undefined;
  return {
    findings,
    blobs: items.flatMap(({ blob }) => (typeof blob === "string" ? [blob] : [])),
    visit: (entry, objects) => {
      const root = objects.get("model");
      const version = root?.kind === "model" ? root.version : undefined;
      if (entry.revision === 1 && version !== undefined) first = { version, time: entry.time };
      for (const { sk, revision } of items) {
        if (revision !== entry.revision || sk === version) continue;
        const sentence = `the release ${sk} names revision ${revision}, which has ${version ?? "no version"}`;
        findings.push({ code: "release-wrong", place: { pk, sk }, sentence });
      }
    },
    places: (ground) => [
      ...items.map(({ sk }) => ({
        key: { pk, sk },
        judge: (item: Item | undefined) => judgeRelease(ground, sk, item),
      })),
      ...(first && !items.some(({ revision }) => revision === 1) ? [firstPlace(ground, first)] : []),
    ],
  };
}

function judgeRelease(ground: Ground, sk: string, item: Item | undefined): Finding[] {
  const revision = Number(item?.revision);
  if (!item || (revision >= 1 && revision <= ground.head.revision)) return [];
  const place = { pk: item.pk, sk };
  const sentence = `the release ${sk} names revision ${item.revision}; the log ends at ${ground.head.revision}`;
  return [{ code: "release-wrong", place, sentence, mend: byLog(ground, "It is deleted.", remove(item)) }];
}

/** Every model begins with a release in the commit that makes it. */
function firstPlace(ground: Ground, { version, time }: { version: string; time: string }): Place {
  const key = releaseKey(ground.model, version);
  const wanted: Item = { ...key, v: FORMAT, revision: 1, time };
  const absent = { absent: true } as const;
  return {
    key,
    judge: (item) =>
      item
        ? []
        : [
            {
              code: "release-missing",
              place: key,
              sentence: `the release ${version} that the model began with is not there`,
              mend: byLog(ground, "It is written for revision 1.", { put: wanted, expect: absent }),
            },
          ],
  };
}
