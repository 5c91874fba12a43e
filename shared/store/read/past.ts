import type { CommitFacts, Moment, Past, PastState } from "../../actions/contract/past.ts";
import type { View } from "../../actions/contract/view.ts";
import { contentOf, type GlobalTags, globalTagsOf } from "../../domain/content.ts";
import { globalTagIds } from "../../domain/model-document.ts";
import { readBlob } from "../log/blobs.ts";
import { commitFacts, pastCommits } from "../log/history.ts";
import { type LogEntry, logEntryOf } from "../log/log.ts";
import { objectsThen } from "../log/past-in-order.ts";
import { releasesOf } from "../log/releases.ts";
import { entryOf, objectsAfter } from "../log/snapshots.ts";
import { logKey, TAGS } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import type { Table } from "../table/table.ts";
import type { ModelView } from "./view.ts";

/** The past of models over one table. The past never changes, so only an absence has to be confirmed. */
export function createPast(table: RetryingTable): Past {
  const releases: Past["releases"] = async (view, wanted) => {
    const { ledgerId, revision, head, reads } = own(view);
    const all = await releasesOf(table, ledgerId, revision, head?.recent);
    // Whoever releases a version writes the model itself.
    if (wanted !== undefined && !all.some(({ version }) => version === wanted)) reads.point("model", false);
    return all;
  };
  /** The commit that made the state of a moment; undefined where there was none, or it deleted the model. */
  const entryAfter = async (view: View, moment: Moment): Promise<LogEntry | undefined> => {
    const revision = await revisionOf(view, moment, releases);
    if (revision === undefined || revision < 1 || revision > view.revision) return undefined;
    const entry = await entryOf(table, view.ledgerId, revision);
    return entry.state === "deleted" ? undefined : entry;
  };
  return {
    blob: (name) => readBlob(table, name),
    releases,
    state: async (view, moment) => {
      const entry = await entryAfter(view, moment);
      return entry && stateAfter(table, view.ledgerId, entry);
    },
    objects: async (view, moment) => {
      const entry = await entryAfter(view, moment);
      if (!entry) return undefined;
      const { revision, tags } = entry;
      const objects = objectsThen(table, view.ledgerId, entry);
      return { revision, objects, globalTags: () => globalTagsThen(table, tags) };
    },
    facts: (view, revisions) => factsAt(table, view.ledgerId, revisions),
    commits: (view, range) => pastCommits(table, view.ledgerId, range),
  };
}

/** A view as this store made it: callers hand back only those. */
function own(view: View): ModelView {
  return view as ModelView;
}

async function revisionOf(view: View, moment: Moment, releases: Past["releases"]): Promise<number | undefined> {
  if ("revision" in moment) return moment.revision;
  return (await releases(view, moment.version)).find(({ version }) => version === moment.version)?.revision;
}

/** A model after a commit that did not delete it. */
async function stateAfter(table: Table, model: string, entry: LogEntry): Promise<PastState> {
  const content = contentOf((await objectsAfter(table, model, entry)).values());
  if (!content) throw new Error(`the log of ${model} has no model at revision ${entry.revision}`);
  const { revision, tags } = entry;
  const globalTags = globalTagIds(content).length === 0 ? new Map() : await globalTagsThen(table, tags);
  return { revision, content, tags, globalTags };
}

async function globalTagsThen(table: Table, revision: number): Promise<GlobalTags> {
  if (revision === 0) return new Map();
  const entry = await entryOf(table, TAGS.model, revision);
  return globalTagsOf((await objectsAfter(table, TAGS.model, entry)).values());
}

async function factsAt(
  table: RetryingTable,
  model: string,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, CommitFacts>> {
  const items = await table.batchGet(revisions.map((revision) => logKey(model, revision)));
  return new Map(items.map((item) => [Number(item.sk), commitFacts(logEntryOf(item))]));
}
