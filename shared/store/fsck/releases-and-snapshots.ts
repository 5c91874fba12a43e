import { isDeepStrictEqual } from "node:util";
import type { AnyObject } from "../../domain/model/objects.ts";
import type { LogEntry } from "../log/log.ts";
import { type Objects, readSnapshot, toPointer, toSnapshotValue } from "../log/replay.ts";
import { releaseKey, snapshotKey } from "../table/keys.ts";
import { FORMAT, type Item, readItems, type Table } from "../table/table.ts";
import { createRepair, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { createCorrection, createRemoval, createViolation, type Violation } from "./violation.ts";
import { readOrExplain } from "./walk-log.ts";

/** Reads the releases of one model, to check them while its log is replayed. */
export async function readReleaseChecks(table: Table, model: string) {
  const { pk } = releaseKey(model, "");
  const items = await Array.fromAsync(readItems(table, { pk }));
  const violations: Violation[] = [];
  const releases: LoggedRelease[] = [];
  return {
    violations,
    blobs: items.flatMap(({ blob }) => (typeof blob === "string" ? [blob] : [])),
    visit: (entry: LogEntry, objects: Objects) => {
      const root = objects.get("model");
      const version = root?.kind === "model" ? root.version : undefined;
      // Every model begins with a release in its first commit.
      const release = entry.release ?? (entry.revision === 1 ? version : undefined);
      if (release !== undefined && !releases.some(({ version: name }) => name === release)) {
        releases.push({ version: release, entry });
      }
      for (const { sk, revision, blob } of items) {
        if (revision !== entry.revision) continue;
        const report = (fault: string) => {
          const sentence = `the release ${sk} names revision ${revision}, which has ${fault}`;
          violations.push(createViolation("release-wrong", { pk, sk }, sentence));
        };
        if (sk !== version) report(version ?? "no version");
        if (blob !== undefined && blob !== entry.snapshot) report(`${entry.snapshot ? "another" : "no"} snapshot`);
      }
    },
    createRules: (state: ExpectedState): readonly ItemRule[] => [
      ...items.map(({ sk }) => ({
        key: { pk, sk },
        check: (item: Item | undefined) => checkRelease(state, sk, item),
      })),
      ...releases
        .filter(({ version, entry }) => !items.some((i) => i.sk === version || i.revision === entry.revision))
        .map((missing) => createMissingRule(state, missing)),
    ],
  };
}

function checkRelease(state: ExpectedState, sk: string, item: Item | undefined): Violation[] {
  const revision = Number(item?.revision);
  if (!item || (revision >= 1 && revision <= state.head.revision)) return [];
  const sentence = `the release ${sk} names revision ${item.revision}; the log ends at ${state.head.revision}`;
  const repair = createRepair(state, "It is deleted.", createRemoval(item));
  return [createViolation("release-wrong", item, sentence, repair)];
}

interface LoggedRelease {
  readonly version: string;
  readonly entry: LogEntry;
}

function createMissingRule(state: ExpectedState, { version, entry }: LoggedRelease): ItemRule {
  const { revision, time, touched, snapshot, generation } = entry;
  const key = releaseKey(state.model, version);
  // The snapshot of a publication does not belong to the release.
  const snapshotFields = touched && snapshot !== undefined ? { generation, blob: snapshot } : {};
  const releaseItem: Item = { ...key, v: FORMAT, revision, time, ...snapshotFields };
  const text = `It is written for revision ${revision}.`;
  const repair = createRepair(state, text, createCorrection(undefined, releaseItem));
  const sentence = `the release ${version} of revision ${revision} is missing`;
  return { key, check: (item) => (item ? [] : [createViolation("release-missing", key, sentence, repair)]) };
}

interface LoggedState {
  readonly generation: string;
  readonly objects: readonly AnyObject[];
}

/** Reads the snapshots of one ledger, to check them while its log is replayed. */
export async function readSnapshotChecks(table: Table, ledger: string) {
  const items = await Array.fromAsync(readItems(table, { pk: snapshotKey(ledger, 0).pk }));
  const states = new Map<number, LoggedState>();
  return {
    blobs: items.map((item) => toPointer(item).blob),
    visit: ({ revision, generation }: LogEntry, objects: Objects) => {
      if (!items.some((item) => toPointer(item).revision === revision)) return;
      states.set(revision, { generation, objects: toSnapshotValue(objects.values()) });
    },
    check: async (): Promise<readonly Violation[]> => {
      const violations: Violation[] = [];
      for (const item of items) {
        const reason = await explainMismatch(table, item, states.get(toPointer(item).revision));
        if (reason !== undefined) violations.push(createSnapshotViolation(item, reason));
      }
      return violations;
    },
  };
}

/** Creates the violation of a snapshot. Deleting it loses nothing: the log has the state. */
function createSnapshotViolation(item: Item, reason: string): Violation {
  const sentence = `the snapshot of revision ${toPointer(item).revision} cannot be used: ${reason}`;
  return createViolation("snapshot-wrong", item, sentence, { how: "It is deleted.", by: [createRemoval(item)] });
}

async function explainMismatch(table: Table, item: Item, state: LoggedState | undefined): Promise<string | undefined> {
  const { generation, blob } = toPointer(item);
  if (!state) return "the log has no such revision";
  if (generation !== state.generation) return `it names the generation ${generation}, the log ${state.generation}`;
  const snapshot = await readOrExplain(() => readSnapshot(table, blob));
  if (typeof snapshot === "string") return snapshot;
  const isSame = isDeepStrictEqual(toSnapshotValue(snapshot.values()), state.objects);
  return isSame ? undefined : "it differs from the log";
}
